import { expect } from 'chai';
import { request } from 'undici';
import { boards } from '../../src/boards/index.ts';
import { pages } from '../../src/pages/index.ts';
import { choosePickOfTheDay } from '../../src/projections/pick-of-the-day.ts';
import { updateProjections } from '../../src/projections/update.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { withDatabase } from '../support/database.ts';
import { exampleValues, filled, postOnPlayer, urlOf } from '../support/examples.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { league } from '../support/folders.ts';
import { withRedis } from '../support/redis.ts';
import { ingest, runPipeline } from '../support/whole-way.ts';

/** Two cappers agree on a side, some games have settled, and others are in the future. */
const now = Date.parse('2024-10-06T17:30:00Z');

/** Some of the answers that show cappers at this instant. */
const showing = [
  '/api/pod',
  '/api/picks/by-game',
  '/api/picks/:uuid',
  '/api/sharp/consensus',
  '/api/sharp/today',
  '/api/sharp/today/cappers',
  '/api/cappers',
  '/api/cappers/by-tier/:tier',
  '/api/leaderboard',
  '/api/cappers/:handle/stats',
  '/api/cappers/:handle/picks',
  '/api/cappers/:handle/vs/:other',
  '/api/feed/today',
  '/api/feed/upcoming',
  '/api/feed/settled',
  '/api/feed/by-tier',
  '/sharp/consensus.rss',
  '/sharp/today.rss',
  '/c/:handle/rss.xml',
  '/api/feed/today.ics',
  '/record/rss.xml',
  '/',
  '/pod',
  '/p/:uuid',
  '/c/:handle',
  '/c/:handle/picks',
  '/vs/:handle/:other',
  '/sharp',
  '/leaderboard',
  '/record/:id',
  '/cappers',
  '/game/:id',
  '/sport/:sport',
];
const cards = ['/p/:uuid/card.png', '/c/:handle/card.png', '/leaderboard/card.png', '/pod/card.png'];

/** Returns whether each capper in an answer is marked as not verified. */
function marksOf(type: string, text: string): boolean[] {
  if (type.startsWith('application/json')) return marksIn(JSON.parse(text));
  if (type.startsWith('text/html'))
    return [
      ...text.matchAll(
        /<a class="capper" href="[^"]*">[^<]*<\/a>(?: <a class="tier [^>]*>[^<]*<\/a>)?(?<mark> <small class="unverified">not verified<\/small>)?/g,
      ),
      ...text.matchAll(
        /<li class="by-\w+"><a href="\/c\/[^>]*>[^<]*(?<mark> <small class="unverified">not verified<\/small>)?<\/a>/g,
      ),
      ...text.matchAll(/<\/a>(?<mark> <small class="unverified">not verified<\/small>)? Newest first/g),
      ...text.matchAll(/eyebrow">Capper(?<mark>, not verified)?/g),
    ].map(({ groups }) => groups?.mark !== undefined);
  const unfolded = text.replaceAll('\r\n ', '').replaceAll('\\,', ',');
  return [...unfolded.matchAll(/\((?:elite|verified sharp|listed)(?<mark>, not verified)?\)/g)].map(
    ({ groups }) => groups?.mark !== undefined,
  );
}

function marksIn(value: unknown): boolean[] {
  if (value === null || typeof value !== 'object') return [];
  const { handle, tier, verified, capperHandle, capperTier, capperVerified, event } = value as Record<
    string,
    unknown
  >;
  const own = [
    ...(handle !== undefined && tier !== undefined ? [verified === false] : []),
    // The event in the log shows the pick as posted.
    ...(capperHandle !== undefined && capperTier !== undefined && event !== 'posted'
      ? [capperVerified === false]
      : []),
  ];
  return [...own, ...Object.values(value).flatMap(marksIn)];
}

describe('cappers who lose their verification', () => {
  const database = withDatabase();
  const redis = withRedis();
  let api: RunningApi;
  let urls: { path: string; url: string }[];

  before(async () => {
    await ingest(database.database, league, now);
    await postOnPlayer(database.database, now);
    await runPipeline(database.database, now);
    await choosePickOfTheDay(database.database, now);
    const facts = await exampleValues(database.database);
    api = await startApi({ database, redis }, { clock: fixedClock(now) });
    urls = [
      ...boards.flatMap(({ path, examples, formats }) =>
        [path, ...formats.map((format) => format.path)].flatMap((each) =>
          examples.map((example) => ({ path: each, example })),
        ),
      ),
      ...pages.flatMap(({ path, examples }) => examples.map((example) => ({ path, example }))),
      // The record's feed is cached from its second request on.
      ...['/record/rss.xml', '/record/rss.xml', ...cards].map((path) => ({
        path,
        example: { uuid: '{uuid}', handle: '{handle}' },
      })),
    ].map(({ path, example }) => ({ path, url: urlOf({ path }, filled(example, facts)) }));
  });
  after(() => api.close());

  async function readAll() {
    const marks = new Map<string, boolean[]>();
    const pictures = new Map<string, string>();
    for (const { path, url } of urls) {
      const { statusCode, headers, body } = await request(api.address + url);
      const text = await body.text();
      expect(statusCode, `${url}: ${text}`).to.equal(200);
      if (cards.includes(path)) pictures.set(path, String(headers.etag));
      else marks.set(path, [...(marks.get(path) ?? []), ...marksOf(String(headers['content-type']), text)]);
    }
    return { marks, pictures };
  }

  it('are marked on every answer that shows them, at once, and no others are', async () => {
    await database.database('cappers').update({ verified: true });
    await updateProjections(database.database);
    const earlier = await readAll();
    const shows = [...earlier.marks].filter(([, marks]) => marks.length > 0);
    expect(shows.map(([path]) => path)).to.include.members(showing);
    expect(shows.filter(([, marks]) => marks.includes(true))).to.deep.equal([]);

    await database.database('cappers').update({ verified: false });
    await updateProjections(database.database, (tags) => api.cache.bump(tags, 1));
    const later = await readAll();
    expect([...later.marks].filter(([, marks]) => marks.includes(false))).to.deep.equal([]);
    for (const path of showing) expect(later.marks.get(path), path).to.include(true);
    for (const path of cards) expect(later.pictures.get(path), path).not.to.equal(earlier.pictures.get(path));
  });
});
