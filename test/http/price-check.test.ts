import { expect } from 'chai';
import { publishCheckpoint } from '../../src/ledger/publishing/publish.ts';
import { iso } from '../../src/platform/clock.ts';
import type { SealedReceipt } from '../../src/proof/receipt.ts';
import { signerFromSeed } from '../../src/proof/signed-note.ts';
import { ED25519 } from '../../src/proof/verifier-key.ts';
import { verifyReceipt } from '../../src/proof/verify-receipt.ts';
import { whenAsked } from '../../src/sources/odds-api/credits.ts';
import { pollOddsApi } from '../../src/sources/odds-api/poll.ts';
import { withServer } from '../sources/http-server.ts';
import { FakeOddsApi, fakeBook, fakeEvent } from '../sources/odds-api/fake.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { withFolder } from '../support/folders.ts';
import { type RunningOperator, startOperator } from '../support/operator.ts';
import { quiet } from '../support/quiet.ts';
import { withRedis } from '../support/redis.ts';
import { addTeams } from '../support/teams.ts';
import { ingest, runPipeline } from '../support/whole-way.ts';

const minute = 60_000;
const hour = 60 * minute;
const posted = Date.parse('2026-01-11T12:00:00Z');
const start = posted + 5 * hour;
const ended = start + 4 * hour;
const token = 'the-token-of-these-tests';

/** Games by what their books do. */
const teams = {
  three: ['Harbor Gulls', 'Copper Foxes'],
  one: ['Tin Cats', 'Iron Owls'],
  earlier: ['Brass Rays', 'Silver Hawks'],
  none: ['Velvet Wolves', 'Paper Otters'],
} as const;
type Game = keyof typeof teams;
const nameOf = (game: Game) => teams[game].join(' @ ');

/** The rules on prices (docs/rules/prices.md), by HTTP and with a provider on loopback. */
describe('the price that could be had', () => {
  const stores = withDatabase();
  const redis = withRedis();
  const folder = withFolder();
  const server = withServer();
  const clock = fixedClock(posted - hour);
  const provider = new FakeOddsApi();
  const publisher = {
    baseUrl: 'https://picks.example',
    demo: false,
    key: Buffer.alloc(32, 9).toString('base64'),
  };
  let operator: RunningOperator;
  let site: RunningApi;
  const uuids: Record<string, string> = {};

  // biome-ignore lint/suspicious/noExplicitAny: bodies are what is being tested
  async function ask(address: string, path: string, body?: unknown): Promise<any> {
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(address + path, { headers, ...sent });
    return response.json();
  }
  const give = async (path: string, rows: object[]) => {
    const answer = await ask(operator.address, path, rows);
    expect(answer.rows?.map(({ reason }: { reason?: string }) => reason ?? 'stored')).to.deep.equal(
      rows.map(() => 'stored'),
    );
    return answer.rows;
  };
  const read = (path: string) => ask(site.address, path);
  const poll = () =>
    pollOddsApi({
      config: {
        key: provider.key,
        url: server.url,
        sports: ['americanfootball_nfl'],
        regions: ['us'],
        bookmakers: [],
      },
      database: stores.database,
      clock,
      enqueue: { add: async () => true },
      log: quiet,
      closing: new AbortController().signal,
    });
  const on = (game: Game) => ({ sport: 'nfl', game: nameOf(game), startsAt: iso(start) });
  const bet = (capperHandle: string, game: Game, oddsAmerican: number, more = {}) => ({
    capperHandle,
    ...on(game),
    market: 'moneyline',
    side: 'home',
    pick: teams[game][1],
    oddsAmerican,
    stakeUnits: 1,
    ...more,
  });
  const event = (game: Game, bookmakers: unknown[]) => {
    const [away_team, home_team] = teams[game];
    const id = `event-${game}`;
    return fakeEvent({ id, away_team, home_team, commence_time: iso(start), bookmakers });
  };
  const book = (game: Game, key: string, home: number, at: number) =>
    fakeBook(iso(at), { key, home, away: -170, homeTeam: teams[game][1], awayTeam: teams[game][0] });
  const oddsAsked = () => server.asked.filter((path) => path.includes('/odds')).length;
  const checkOf = async (name: string) => (await read(`/api/picks/${uuids[name]}`)).priceCheck;

  before(async () => {
    server.answer((req, res) => provider.answer(req, res));
    operator = await startOperator({ database: stores, redis }, clock, { OPERATOR_TOKEN: token });
    site = await startApi({ database: stores, redis }, { clock, settings: { PUBLISH_PRICES: '1' } });
    await addTeams(stores.database, 'nfl', ...Object.values(teams).flat());
    const cappers = ['ada', 'bob', 'cid', 'dee', 'eve', 'fay', 'gus', 'hal', 'old'];
    await give(
      '/cappers',
      cappers.map((handle) => ({ handle, tier: 'elite', verified: true })),
    );
    provider.events = (Object.keys(teams) as Game[]).map((game) => event(game, []));
    await poll();
    clock.set(posted);
  });
  after(async () => {
    await site?.close();
    await operator?.close();
  });

  it('without any provider yet, a pick is unchecked and counts as posted; the check says it stores nothing', async () => {
    const answer = await ask(site.address, '/api/picks/check', bet('ada', 'three', -130));
    expect(answer.rows[0]).to.deep.include({ outcome: 'accepted' });
    expect(answer.rows[0].priceCheck).to.include({ verdict: 'unchecked', countedAmerican: -130 });
    expect(await stores.database('picks')).to.deep.equal([]);
  });

  it('a new pick without a recent price gets one asked at once', async () => {
    const rows: [name: string, row: ReturnType<typeof bet>][] = [
      ['at the second highest', bet('ada', 'three', -140)],
      ['at the highest', bet('bob', 'three', -120)],
      ['of its lowest book', bet('cid', 'three', -140, { book: 'alpha' })],
      ['of the highest book', bet('dee', 'three', -120, { book: 'gamma' })],
      ['of an only book', bet('eve', 'one', 200)],
      ['above an only book', bet('fay', 'one', 250)],
      ['before a fall', bet('gus', 'earlier', -110)],
      ['of nobody', bet('hal', 'none', -110)],
    ];
    for (const [name, row] of rows) {
      const [stored] = await give('/picks', [row]);
      uuids[name] = stored.pickUuid;
    }
    const before = oddsAsked();
    provider.events = [
      event('three', [
        book('three', 'alpha', -150, posted),
        book('three', 'beta', -140, posted + minute),
        book('three', 'gamma', -120, posted - minute),
      ]),
      event('one', [book('one', 'alpha', 200, posted)]),
      event('earlier', [book('earlier', 'alpha', -110, posted - 20 * minute)]),
      event('none', []),
    ];
    clock.set(posted + 15_000);
    await poll();
    expect(oddsAsked()).to.equal(before + 1);
    await runPipeline(stores.database, clock.now());
  });

  it('until it settles the verdict is provisional, from now on unseen instead of unchecked', async () => {
    expect(await checkOf('at the highest')).to.include({
      verdict: 'above_market',
      provisional: true,
      oddsAmerican: -140,
      countedAmerican: -140,
    });
    expect(await checkOf('of nobody')).to.include({ verdict: 'unseen', countedAmerican: null });
  });

  it('before it is too late, both ports say at which odds it would count, and store nothing', async () => {
    const count = await stores.database('picks').count();
    const row = bet('hal', 'three', -100, { side: 'home' });
    for (const [address, path] of [
      [site.address, '/api/picks/check'],
      [operator.address, '/picks/check'],
    ] as const) {
      const [answer] = (await ask(address, path, [row])).rows;
      expect(answer.sentence).to.match(
        /^You ask -100; the best price is -140 \(beta, .+\)\. It would count at -140\. It cannot be withdrawn\.$/,
      );
      const [refused] = (await ask(address, path, [bet('nobody', 'three', -110)])).rows;
      expect(refused).to.include({ outcome: 'refused' });
    }
    expect(await stores.database('picks').count()).to.deep.equal(count);
    const bets = [{ gameId: 1, sport: 'nfl', market: 'moneyline', startsAt: start }];
    expect(await whenAsked(stores.database, bets, clock.now())).to.have.length(1);
  });

  it('an exact repeat of a pending pick is refused and names the first, and so is a fourth on a contest', async () => {
    const again = await ask(operator.address, '/picks', bet('ada', 'three', 300));
    expect(JSON.stringify(again)).to.include(uuids['at the second highest']);
    const spread = (line: number) => bet('ada', 'three', -110, { market: 'spread', line, pick: 'A pick' });
    await give('/picks', [spread(-3.5), spread(-4.5), spread(-5.5)]);
    const [fourth] = (await ask(operator.address, '/picks', [spread(-6.5)])).rows;
    expect(fourth).to.include({ outcome: 'refused' });
  });

  it('a price by hand sets nothing in a sport with a provider, nor does one that is fed after the start', async () => {
    const price = (now: number) => ({
      ...on('none'),
      market: 'moneyline',
      side: 'home',
      line: null,
      oddsAmerican: 300,
      book: 'mine',
      capturedAt: iso(now),
    });
    await give('/lines', [price(posted)]);
    clock.set(start - 4 * minute);
    provider.events = [
      event('three', [
        book('three', 'alpha', -145, start - 5 * minute),
        book('three', 'beta', -135, start - 5 * minute),
      ]),
      event('one', [book('one', 'alpha', 190, start - 5 * minute)]),
      event('earlier', [book('earlier', 'alpha', -130, start - 5 * minute)]),
      event('none', []),
    ];
    await poll();
    clock.set(start + 20 * minute);
    await runPipeline(stores.database, clock.now());
    await give('/lines', [price(posted + minute)]);
    await runPipeline(stores.database, clock.now());
    expect(await checkOf('of nobody')).to.include({ verdict: 'unseen', countedAmerican: null });
  });

  it('each settles by the table: nearest, lower of before and after, own book, never above the second highest', async () => {
    clock.set(ended);
    await give(
      '/games',
      (Object.keys(teams) as Game[]).map((game) => ({
        ...on(game),
        status: 'final',
        homeScore: 24,
        awayScore: 17,
        finalAt: iso(ended),
      })),
    );
    const past = { ...bet('old', 'three', 900), postedAt: iso(posted) };
    await ingest(stores.database, folder.write('picks.ndjson', [past]), ended);
    clock.set(ended + hour);
    await runPipeline(stores.database, clock.now());
    await publishCheckpoint(stores.database, publisher, clock.now());
    const sealed = await Promise.all(
      Object.keys(uuids).map(async (name) => {
        const { settlement } = await read(`/api/picks/${uuids[name]}/receipt`);
        const { verdict, odds_american, counted_american } = settlement.price_check;
        return [name, verdict, odds_american, counted_american, settlement.net_units_e4];
      }),
    );
    expect(sealed).to.deep.equal([
      ['at the second highest', 'available', -140, -140, 7143],
      ['at the highest', 'above_market', -140, -140, 7143],
      ['of its lowest book', 'above_market', -150, -150, 6667],
      ['of the highest book', 'above_market', -140, -140, 7143],
      ['of an only book', 'available', 200, 200, 20_000],
      ['above an only book', 'above_market', 200, 200, 20_000],
      ['before a fall', 'above_market', -130, -130, 7692],
      ['of nobody', 'unseen', null, null, 9091],
    ]);
  });

  it('an import has no check and counts at its posted odds', async () => {
    const { lifetime } = await read('/api/cappers/old/stats?provenance=imported');
    expect(lifetime).to.include({ wins: 1, unitsNet: 9 });
    const [row] = await stores.database('settlements as s').join('picks as p', 'p.id', 's.pick_id').where({
      provenance: 'imported',
    });
    expect(row).to.include({ price_verdict: null, price_counted: null });
  });

  it('records count at counted odds, say how many were above the market, and leave unseen picks out', async () => {
    const bob = (await read('/api/cappers/bob/stats')).lifetime;
    expect(bob).to.include({ wins: 1, unitsNet: 0.71, aboveMarket: 1, unseen: 0 });
    const hal = (await read('/api/cappers/hal/stats')).lifetime;
    expect(hal).to.include({ wins: 0, unitsNet: 0, unseen: 1 });
  });

  it('prices are in the log before the events that used them, with a path in each receipt, and all rows are public', async () => {
    const { key } = await signerFromSeed('picks.example/ledger', ED25519, Buffer.alloc(32, 9));
    const receipt: SealedReceipt = await read(`/api/picks/${uuids['at the highest']}/receipt`);
    const { failed, steps } = await verifyReceipt(receipt, { keys: [key] });
    expect(failed).to.equal(null);
    expect(steps.map(({ step }) => step)).to.include('prices');
    const last = receipt.proof.events.at(-1)!.seq;
    expect(receipt.proof.prices).to.have.length.above(0);
    for (const { seq, body, prices } of receipt.proof.prices) {
      expect(seq).to.be.below(last);
      expect(receipt.settlement!.prices_to).to.be.at.least(body.to_seq);
      const rows = await (await fetch(`${site.address}/ledger/prices/${seq}`)).text();
      const all = rows
        .trimEnd()
        .split('\n')
        .map((row) => JSON.parse(row));
      expect(all).to.have.length(body.count);
      for (const { price } of prices) expect(all).to.deep.include(price);
    }
  });

  it('a follower finds a price where a book was read, and nothing is known where none was', async () => {
    const { followers } = await read(`/api/picks/${uuids['at the highest']}/closing`);
    expect(followers.map(({ delay }: { delay: number }) => delay)).to.deep.equal([5, 15, 60]);
    for (const each of followers) expect(each).to.include({ missed: false, oddsAmerican: null });
    const { live, delays } = await read('/api/cappers/bob/follow');
    expect(live.picks).to.equal(1);
    for (const each of delays) expect(each).to.include({ picks: 0, missed: 0, unknown: 1 });
  });
});
