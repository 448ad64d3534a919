import { expect } from 'chai';
import ICAL from 'ical.js';
import { request } from 'undici';
import { all, textOf } from '../boards/formats/read-xml.ts';
import { expectRss } from '../boards/formats/rss-rules.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { league, withFolder } from '../support/folders.ts';
import { withRedis } from '../support/redis.ts';
import { ingest, runPipeline } from '../support/whole-way.ts';

const hostile = `<script>alert("x")</script> ]]> & \u05d0rtl 🏳️‍🌈 ${'x'.repeat(240)}`;

describe('feeds over HTTP', () => {
  const database = withDatabase();
  const redis = withRedis();
  const folder = withFolder();
  const clock = fixedClock('2024-10-13T18:00:00Z');
  let site: RunningApi;

  before(async () => {
    await ingest(database.database, league, clock.now());
    const game = { sport: 'nfl', game: 'Owls @ Rays', startsAt: '2024-10-13T20:00:00Z' };
    const pick = {
      ...game,
      capperHandle: 'ada',
      market: 'total',
      side: 'over',
      line: 40,
      pick: hostile,
      oddsAmerican: -115,
      stakeUnits: 1,
      postedAt: '2024-10-13T17:00:00Z',
    };
    const files = [
      folder.write('games.ndjson', [{ ...game, status: 'scheduled' }]),
      folder.write('picks.ndjson', [
        pick,
        { ...pick, capperHandle: 'bram', postedAt: '2024-10-13T17:30:00Z' },
      ]),
    ];
    await ingest(database.database, files, clock.now());
    await runPipeline(database.database, clock.now());
    site = await startApi({ database, redis }, { clock });
  });
  after(() => site.close());

  const get = async (path: string, headers: Record<string, string> = {}) => {
    const { statusCode, headers: got, body } = await request(site.address + path, { headers });
    return { status: statusCode, headers: got, text: await body.text() };
  };
  const feeds = [
    '/picks.rss',
    '/c/ada/rss.xml',
    '/record/rss.xml',
    '/sharp/hot-streaks.rss?min=1',
    '/sharp/consensus.rss',
    '/sharp/today.rss',
  ];

  for (const path of feeds)
    it(`are RSS 2.0 with content at ${path}`, async () => {
      const { status, headers, text } = await get(path);
      expect(status).to.equal(200);
      expect(headers['content-type']).to.equal('application/rss+xml; charset=utf-8');
      const lifetime = path === '/record/rss.xml' ? 's-maxage=900' : 'max-age=600';
      expect(headers['cache-control']).to.contain(lifetime);
      expect(expectRss(text).items).not.to.have.lengthOf(0);
    });

  it('show the bet, and no text of a capper', async () => {
    for (const path of ['/picks.rss', '/c/ada/rss.xml', '/sharp/today.rss']) {
      const [item] = expectRss((await get(path)).text).items;
      expect(textOf(item!, 'title')).to.contain('over 40').and.not.to.contain('script');
      expect(textOf(item!, 'description')).to.contain('over 40').and.not.to.contain('script');
    }
  });

  it('have an event in the calendar for each pick of the day, and none of another sport', async () => {
    const { status, headers, text } = await get('/api/feed/today.ics');
    expect(status).to.equal(200);
    expect(headers['content-type']).to.equal('text/calendar; charset=utf-8');
    expect(headers['cache-control']).to.contain('max-age=600');
    const uids = (calendar: string) =>
      new ICAL.Component(ICAL.parse(calendar))
        .getAllSubcomponents('vevent')
        .map((event) => String(event.getFirstPropertyValue('uid')));
    const { picks } = JSON.parse((await get('/api/feed/today')).text) as { picks: { pickUuid: string }[] };
    expect(picks).to.have.length.above(1);
    expect(uids(text)).to.deep.equal(picks.map(({ pickUuid }) => `${pickUuid}@picks.example`));
    expect(text.replaceAll('\r\n ', '')).to.contain('over 40').and.not.to.contain('script');
    expect(uids((await get('/api/feed/today.ics?sport=tennis')).text)).to.deep.equal([]);
  });

  it('have in a calendar the picks of one capper, market, and team, and say so in its name', async () => {
    type Picks = { picks: { pickUuid: string; capperHandle: string; market: string; game: string }[] };
    const { picks } = JSON.parse((await get('/api/feed/today')).text) as Picks;
    const [{ capperHandle, market, game }] = picks as [Picks['picks'][0]];
    const team = game.split(/ (?:@|vs) /)[0]!;
    const of = async (query: string) => {
      const { text } = await get(`/api/feed/today.ics?${query}`);
      return [text.match(/UID:.*?@/g) ?? [], /X-WR-CALNAME:(.*)/.exec(text)?.[1]] as const;
    };
    const uids = (some: Picks['picks']) => some.map(({ pickUuid }) => `UID:${pickUuid}@`);
    const byCapper = uids(picks.filter((pick) => pick.capperHandle === capperHandle));
    for (const name of ['capper', 'capper_handle'])
      expect(await of(`${name}=${capperHandle.toUpperCase()}`)).to.deep.equal([
        byCapper,
        `Today's picks (${capperHandle})`,
      ]);
    expect((await of(`market=${market}`))[0]).to.deep.equal(
      uids(picks.filter((pick) => pick.market === market)),
    );
    expect((await of(`team=${encodeURIComponent(team.toUpperCase())}`))[0]).to.deep.equal(
      uids(picks.filter((pick) => pick.game.includes(team))),
    );
    expect((await of('team=Nobody'))[0]).to.deep.equal([]);
    expect((await get('/api/feed/today.ics?capper=nobody')).status).to.equal(404);
  });

  it('can be narrowed to a sport', async () => {
    const { items } = expectRss((await get('/picks.rss?sport=nba')).text);
    expect(
      new Set(items.map((item) => item.children.find(({ name }) => name === 'category')?.text)),
    ).to.deep.equal(new Set(['nba']));
  });

  it('answer 404 for an unknown capper', async () => {
    expect((await get('/c/nobody/rss.xml')).status).to.equal(404);
  });

  it('keep their bytes and entity tag past their lifetime if nothing happened', async () => {
    for (const path of [
      '/picks.rss',
      '/c/ada/rss.xml',
      '/record/rss.xml',
      '/sharp/today.rss',
      '/api/feed/today.ics',
    ]) {
      const before = await get(path);
      clock.set(clock.now() + 11 * 60_000);
      const later = await get(path);
      expect(later.text).to.equal(before.text);
      const unchanged = await get(path, { 'If-None-Match': String(before.headers.etag) });
      expect(unchanged.status).to.equal(304);
    }
  });

  it('have the same content in every content coding', async () => {
    const coded = async (path: string, coding: string) => {
      const answer = await fetch(site.address + path, { headers: { 'Accept-Encoding': coding } });
      const header = (name: string) => answer.headers.get(name);
      return { coding: header('content-encoding'), etag: header('etag'), text: await answer.text() };
    };
    for (const path of ['/picks.rss', '/record/rss.xml']) {
      const plain = await coded(path, 'identity');
      expect(expectRss(plain.text).items).not.to.have.lengthOf(0);
      for (const coding of ['gzip', 'br'])
        expect(await coded(path, coding)).to.deep.equal({ ...plain, coding });
    }
  });

  it('list every pick of a slate, however many', async () => {
    const ofDay = async (path: string) => (await get(path)).text;
    const before = JSON.parse(await ofDay('/api/feed/today?sport=nhl')).count;
    const game = { sport: 'nhl', game: 'Terns @ Newts', startsAt: '2024-10-13T23:00:00Z' };
    const picks = Array.from({ length: 520 }, (_, n) => ({
      ...game,
      capperHandle: 'ada',
      market: 'total',
      side: 'over',
      pick: `Over ${n}`,
      line: 1 + n / 4,
      oddsAmerican: -115,
      stakeUnits: 1,
      postedAt: '2024-10-13T17:00:00Z',
    }));
    const files = [
      folder.write('games.ndjson', [{ ...game, status: 'scheduled' }]),
      folder.write('picks.ndjson', picks),
    ];
    await ingest(database.database, files, clock.now());
    await runPipeline(database.database, clock.now());
    const other = await startApi({ database, redis }, { clock, memory: false });
    try {
      const ask = async (path: string) => (await request(other.address + path)).body;
      await other.cache.renewEpoch();
      const today = (await (await ask('/api/feed/today?sport=nhl')).json()) as { count: number };
      expect(today.count).to.equal(before + 520);
      const calendar = await (await ask('/api/feed/today.ics?sport=nhl')).text();
      expect(calendar.match(/BEGIN:VEVENT/g)).to.have.lengthOf(before + 520);
    } finally {
      await other.close();
    }
  });

  it('lead from the newest items to all others', async () => {
    const walk = async (first: string) => {
      const guids: string[] = [];
      for (let path: string | undefined = first; path !== undefined; ) {
        const { status, text } = await get(path);
        expect(status, text).to.equal(200);
        const { channel, items } = expectRss(text);
        guids.push(...items.map((item) => textOf(item, 'guid')));
        const older = all(channel, 'atom:link').find(({ attributes }) => attributes.rel === 'prev-archive');
        path = older?.attributes.href?.replace('https://picks.example', '');
      }
      expect(new Set(guids).size).to.equal(guids.length);
      return guids.sort();
    };
    const posted = async (where: object) =>
      (
        await database
          .database('board_picks as p')
          .join('cappers as c', 'c.id', 'p.capper_id')
          .where(where)
          .pluck('uuid')
      ).sort();
    expect(await walk('/picks.rss')).to.deep.equal(await posted({ 'c.verified': true }));
    expect(await walk('/picks.rss?sport=nhl')).to.deep.equal(
      await posted({ 'c.verified': true, 'p.sport': 'nhl' }),
    );
    expect(await walk('/c/ada/rss.xml?limit=7')).to.deep.equal(await posted({ 'c.handle': 'ada' }));
    expect(await walk('/c/ada/rss.xml?limit=200')).to.deep.equal(await posted({ 'c.handle': 'ada' }));
    const settled = (await database.database('board_picks').whereNotNull('result').pluck('uuid')).sort();
    expect(await walk('/record/rss.xml?limit=2')).to.deep.equal(settled);
    expect(await walk('/record/rss.xml')).to.deep.equal(settled);
    const { headers } = await get('/record/rss.xml?cursor=1-2-x');
    expect(headers['x-ignored-parameters']).to.equal('cursor');
  });
});
