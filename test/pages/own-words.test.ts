import { expect } from 'chai';
import { applyCappers } from '../../src/intake/capper.ts';
import { applyGames } from '../../src/intake/game.ts';
import { postPicks } from '../../src/ledger/posting/post-picks.ts';
import { iso } from '../../src/platform/clock.ts';
import { choosePickOfTheDay } from '../../src/projections/pick-of-the-day.ts';
import { cardOf, payloadOf } from '../../src/webhooks/messages/payloads.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { pagePaths } from '../support/page-paths.ts';
import { withRedis } from '../support/redis.ts';
import { storedPick } from '../support/stored-pick.ts';
import { runPipeline } from '../support/whole-way.ts';

const now = Date.parse('2024-10-06T16:00:00Z');
const hour = 3_600_000;
/** The words of a capper, which name no bet. */
const words = 'Trust the zebra';
const handles = ['ada', 'bea'];

describe('texts that go out', () => {
  const stores = withDatabase();
  const redis = withRedis();
  let site: RunningApi;
  const texts = new Map<string, string>();

  before(async () => {
    const { database } = stores;
    const posted = { now: now - 2 * hour, imported: false };
    const cappers = handles.map((handle) => ({ handle, tier: 'elite' as const, verified: true }));
    await applyCappers(database, cappers, posted);
    const games = [
      { sport: 'nfl', game: 'Gulls @ Foxes', startsAt: iso(now + hour) },
      { sport: 'nfl', game: 'Bears @ Swans', startsAt: iso(now - hour) },
    ];
    await applyGames(
      database,
      games.map((game) => ({ ...game, status: 'scheduled' })),
      posted,
    );
    const bet = { market: 'spread', side: 'away', line: 3.5, pick: words, oddsAmerican: -110, stakeUnits: 1 };
    for (const capperHandle of handles) {
      const rows = games.map((game) => ({ row: { ...game, ...bet, capperHandle } }));
      for (const { outcome } of await postPicks(database, rows, posted.now))
        expect(outcome).to.equal('added');
    }
    const final = { status: 'final', homeScore: 21, awayScore: 20, finalAt: iso(now - 60_000) } as const;
    await applyGames(database, [{ ...games[1]!, ...final }], { now, imported: false });
    await runPipeline(database, now);
    await choosePickOfTheDay(database, now);
    site = await startApi({ database: stores, redis }, { clock: fixedClock(now) });
    const uuids: string[] = await database('board_picks').pluck('uuid');
    const feeds = [
      '/c/ada',
      '/picks.rss',
      '/c/ada/rss.xml',
      '/record/rss.xml',
      '/sharp/consensus.rss',
      '/sharp/today.rss',
    ];
    const ofPicks = uuids.flatMap((uuid) => [
      ...[`/p/${uuid}`, `/badge/p/${uuid}.svg`],
      `/oembed?url=${encodeURIComponent(`https://picks.example/p/${uuid}`)}`,
    ]);
    const paths = [
      ...(await pagePaths(database)),
      ...feeds,
      ...ofPicks,
      '/api/feed/today.ics',
      '/search?q=zebra',
    ];
    for (const path of paths) {
      const response = await fetch(site.address + path, { headers: { Accept: 'text/html' } });
      texts.set(path, await response.text());
    }
  });
  after(() => site?.close());

  it('name the bet, which its market writes', () => {
    const named = [...texts]
      .filter(([, text]) => /(?:Gulls|Bears)(?:&nbsp;|\s)\+3\.5/.test(text))
      .map(([path]) => path);
    for (const path of ['/', '/pod', '/picks.rss', '/c/ada/rss.xml', '/record/rss.xml', '/sharp', '/c/ada'])
      expect(named, path).to.include(path);
    for (const path of ['/sharp/consensus.rss', '/sharp/today.rss', '/api/feed/today.ics'])
      expect(named, path).to.include(path);
    expect(named.filter((path) => /^\/(p|badge|oembed)/.test(path))).to.have.length.above(11);
  });

  it("show a capper's own words only in quotes, on the page of their pick and in search", () => {
    for (const [path, text] of texts) {
      const places =
        text.replaceAll(/<q\b[^>]*>[^<]*<\/q>|“[^”]*”/g, '').match(/.{0,80}zebra.{0,20}/gi) ?? [];
      const outside = places.filter(
        (each) => !/name="q"|[?&]q=|<title>|<h1|og:|canonical|No results/i.test(each),
      );
      expect(outside, path).to.deep.equal([]);
      if (text.includes(words)) expect(path).to.match(/^\/(?:p|record)\//);
    }
  });

  it("carry the words in a field of their own of a delivery's body, and nowhere in a channel", () => {
    const event = {
      seq: 7,
      kind: 'settled' as const,
      ...storedPick,
      pick: words,
      verified: true,
      half: false,
      result: 'loss' as const,
      settledAt: now,
      closingOdds: -110,
      provisional: false,
      priceVerdict: null,
      priceOdds: null,
      priceBook: null,
      priceCapturedAt: null,
      priceCounted: null,
    };
    const payload = payloadOf(event, { subscriptionId: 1, now, baseUrl: 'https://picks.example' });
    expect(payload.pick).to.include({ pick: words, bet: 'Foxes -3.5' });
    expect(JSON.stringify(cardOf(payload)))
      .to.include('Foxes −3.5')
      .and.not.include('zebra');
  });
});
