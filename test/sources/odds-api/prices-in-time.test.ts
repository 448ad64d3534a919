import { expect } from 'chai';
import { auditPicks } from '../../../src/ledger/audit/picks.ts';
import { pollOddsApi } from '../../../src/sources/odds-api/poll.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { withDatabase } from '../../support/database.ts';
import { fixedClock } from '../../support/fixed-clock.ts';
import { type RunningOperator, startOperator } from '../../support/operator.ts';
import { quiet } from '../../support/quiet.ts';
import { withRedis } from '../../support/redis.ts';
import { addTeams } from '../../support/teams.ts';
import { runPipeline } from '../../support/whole-way.ts';
import { withServer } from '../http-server.ts';
import { FakeOddsApi, fakeBook, fakeEvent } from './fake.ts';

const minute = 60_000;
const hour = 60 * minute;
const posting = Date.parse('2026-01-11T12:00:00Z');
const start = posting + 6 * hour;
const iso = (at: number) => new Date(at).toISOString();

interface Answer {
  rows: { outcome: string; pickUuid: string; reason?: string }[];
}

/** Prices over HTTP: by hand through the operator's port, and from a provider that answers on the loopback interface. */
describe('prices stored before the start', () => {
  const stores = withDatabase({ kind: 'replay' });
  const redis = withRedis();
  const provider = withServer();
  const fake = new FakeOddsApi();
  const clock = fixedClock(posting);
  const nba = { sport: 'nba', game: 'Hawks @ Otters', startsAt: iso(start) };
  const nfl = { sport: 'nfl', game: 'Harbor Gulls @ Copper Foxes', startsAt: iso(start) };
  const win = { status: 'final', homeScore: 30, awayScore: 10 };
  let operator: RunningOperator;
  let site: RunningApi;

  before(async () => {
    operator = await startOperator({ database: stores, redis }, clock);
    site = await startApi({ database: stores, redis }, { clock });
    provider.answer((req, res) => fake.answer(req, res));
    await addTeams(stores.database, 'nfl', 'Harbor Gulls', 'Copper Foxes');
    await addTeams(stores.database, 'nba', 'Hawks', 'Otters');
    await addTeams(stores.database, 'nhl', 'Wolves', 'Lanterns');
    for (const handle of ['ada', 'bea', 'cyd'])
      await send('/cappers', { handle, tier: 'listed', verified: true });
    for (const game of [nba, nfl]) await send('/games', game);
  });
  after(async () => {
    await site?.close();
    await operator?.close();
  });

  async function send(path: string, body: object): Promise<Answer['rows'][number]> {
    const response = await fetch(operator.address + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: 'Bearer the-token-of-these-tests' },
      body: JSON.stringify(body),
    });
    expect(response.status, await response.clone().text()).to.be.below(300);
    return ((await response.json()) as Answer).rows[0]!;
  }

  const bet = (capperHandle: string, side: string, oddsAmerican: number, game = nba) => ({
    capperHandle,
    ...game,
    market: 'moneyline',
    side,
    line: null,
    pick: 'A side',
    oddsAmerican,
    stakeUnits: 1,
  });
  const price = (side: string, oddsAmerican: number, capturedAt: number, book: string, game = nba) => ({
    ...game,
    market: 'moneyline',
    side,
    line: null,
    oddsAmerican,
    book,
    capturedAt: iso(capturedAt),
  });
  // biome-ignore lint/suspicious/noExplicitAny: bodies are what is being tested
  const shown = async (uuid: string): Promise<any> =>
    (await fetch(`${site.address}/api/picks/${uuid}`)).json();
  const poll = () =>
    pollOddsApi({
      config: {
        key: fake.key,
        url: provider.url,
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

  it('are the only ones by hand that check and close a pick, also where no provider prices anything', async () => {
    await send('/lines', price('home', -150, posting - minute, 'mine'));
    const { pickUuid: honest } = await send('/picks', bet('ada', 'home', -150));
    const { pickUuid: fantasy } = await send('/picks', bet('bea', 'home', 2500));
    const { pickUuid: loser } = await send('/picks', bet('cyd', 'away', 2500));
    clock.set(start + 3 * hour);
    // Known after the final: prices that claim to be old bless the fantasy, and hide the price that the others were compared with.
    for (const book of ['mine', 'yours']) {
      await send('/lines', price('home', 2500, posting, book));
      await send('/lines', { ...price('home', 2500, start - minute, book), closing: true });
      await send('/lines', price('away', -2500, posting, book));
    }
    await send('/games', { ...nba, ...win });
    await runPipeline(stores.database, clock.now());
    const check = (pick: { priceCheck: object }) => pick.priceCheck;
    expect(check(await shown(honest))).to.include({ verdict: 'available', countedAmerican: -150 });
    expect(check(await shown(fantasy))).to.include({ verdict: 'above_market', countedAmerican: -150 });
    expect(check(await shown(loser))).to.include({ verdict: 'unchecked', countedAmerican: 2500 });
    expect((await shown(fantasy)).netUnits).to.equal(0.67);
    expect((await shown(loser)).netUnits).to.equal(-1);
    expect((await shown(honest)).closingOddsAmerican, 'the price was too old to close').to.equal(null);
  });

  it('count from a provider whenever its history arrives', async () => {
    fake.events = [
      fakeEvent({ commence_time: nfl.startsAt, bookmakers: [fakeBook(iso(start - 5 * minute))] }),
    ];
    clock.set(posting + hour);
    const { pickUuid } = await send('/picks', bet('ada', 'home', -120, nfl));
    clock.set(start - 4 * minute);
    await poll();
    clock.set(start + 3 * hour);
    await send('/lines', price('home', 900, start - minute, 'mine', nfl));
    await send('/games', { ...nfl, ...win });
    await runPipeline(stores.database, clock.now());
    const pick = await shown(pickUuid);
    expect(pick.priceCheck).to.include({
      verdict: 'above_market',
      countedAmerican: -150,
      book: 'draftkings',
    });
    expect(pick.closingOddsAmerican).to.equal(-150);
  });

  it('are those up to the first start that passed, whatever the operator says later', async () => {
    const game = { sport: 'nhl', game: 'Wolves @ Lanterns', startsAt: iso(start + 24 * hour) };
    clock.set(start + 20 * hour);
    await send('/games', game);
    await send('/lines', price('home', -150, clock.now(), 'mine', game as typeof nba));
    const early = await send('/picks', bet('ada', 'home', -120, game as typeof nba));
    // A move before the start: prices count up to the new one.
    await send('/games', { ...game, movedTo: iso(start + 25 * hour) });
    clock.set(start + 24.5 * hour);
    await send('/lines', price('home', -140, clock.now(), 'mine', game as typeof nba));
    const later = await send('/picks', bet('bea', 'home', -120, game as typeof nba));
    // A move after it, so that prices of the game in progress seem to be from before.
    clock.set(start + 26 * hour);
    await send('/games', { ...game, movedTo: iso(start + 27 * hour) });
    await send('/lines', price('home', 900, clock.now(), 'mine', game as typeof nba));
    clock.set(start + 29 * hour);
    await send('/games', { ...game, ...win });
    await runPipeline(stores.database, clock.now());
    for (const { pickUuid } of [early, later]) {
      const pick = await shown(pickUuid);
      expect(pick.priceCheck.countedAmerican).to.be.oneOf([-150, -140]);
      expect(pick.closingOddsAmerican).to.equal(-140);
    }
    const found: string[] = [];
    for await (const { message } of auditPicks(stores.database, () => {})) found.push(message);
    expect(found).to.deep.equal([]);
  });
});
