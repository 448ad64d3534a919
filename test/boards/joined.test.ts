import { expect } from 'chai';
import { joinGames } from '../../src/games/twins.ts';
import { applyCappers } from '../../src/intake/capper.ts';
import { iso } from '../../src/platform/clock.ts';
import { choosePickOfTheDay } from '../../src/projections/pick-of-the-day.ts';
import type { EventReport } from '../../src/sources/answer.ts';
import { applyReports } from '../../src/sources/apply-reports.ts';
import { settleStatements } from '../../src/sources/source-scores.ts';
import { type LedgerState, ledgerAt } from '../naive/ledger.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { itAnswersAsComputedPlainly } from '../support/board-oracle.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { postPick } from '../support/post-pick.ts';
import { withRedis } from '../support/redis.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { storedRows } from '../support/stored-rows.ts';
import { runPipeline } from '../support/whole-way.ts';

const hour = 3_600_000;
const begin = Date.parse('2026-01-11T12:00:00Z');
const now = begin + 30 * hour;
const baseUrl = 'https://picks.example';

describe('the boards after joins of games, compared with a naive recomputation', () => {
  const stores = withDatabase();
  const redis = withRedis();
  let site: RunningApi;
  let state: LedgerState;

  const take = (source: string, events: EventReport[], at: number) =>
    applyReports(stores.database, source, 'soccer', events, at);
  const event = (
    pair: number,
    home: string,
    startsAt: number,
    more: Partial<EventReport> = {},
  ): EventReport => ({
    eventId: `e${pair}`,
    away: `Harbor Gulls ${'abcd'[pair]}`,
    home: `${home} ${'abcd'[pair]}`,
    startsAt,
    ...more,
  });
  const prices = (at: number) =>
    (['away', 'home', 'draw'] as const).map((side) => ({
      ...({ market: 'moneyline', side, line: null, capturedAt: at, book: 'north' } as const),
      oddsAmerican: side === 'home' ? 150 : 220,
    }));
  const post = async (
    capperHandle: string,
    pair: number,
    home: string,
    startsAt: number,
    at: number,
    side = 'home',
  ) => {
    const game = `Harbor Gulls ${'abcd'[pair]} @ ${home} ${'abcd'[pair]}`;
    const row = {
      capperHandle,
      sport: 'soccer',
      game,
      startsAt: iso(startsAt),
      market: 'moneyline',
      side,
      line: null,
      pick: home,
      oddsAmerican: 150,
      stakeUnits: 1,
    };
    expect(await postPick(stores.database, row, undefined, at)).to.have.property('outcome', 'added');
  };

  before(async () => {
    await applyCappers(
      stores.database,
      ['ada', 'bea', 'cam'].map((handle) => ({ handle, tier: 'elite' as const, verified: true })),
      { now: begin, imported: false },
    );
    // Two of the pairs are over; the others have not started.
    const starts = [begin + 6 * hour, begin + 7 * hour, begin + 34 * hour, begin + 35 * hour];
    for (const [pair, start] of starts.entries()) {
      const at = pair < 2 ? begin : now - hour;
      await take('scores', [event(pair, 'Copper Foxes', start)], at);
      await take('prices', [event(pair, 'CFX', start + hour / 3, { prices: prices(at) })], at);
      await post('ada', pair, 'Copper Foxes', start, at + 1000);
      await post('bea', pair, 'CFX', start + hour / 3, at + 1000);
      const ids = await stores.database('games').orderBy('id', 'desc').limit(2).pluck('id');
      // The second pair is joined after it began.
      const joinedAt = pair === 1 ? start + hour : at + 60_000;
      await runPipeline(stores.database, at + 30_000);
      await stores.database.transaction((transaction) => joinGames(transaction, ids[0], ids[1], joinedAt));
      if (pair !== 1)
        await post('cam', pair, 'CFX', start + hour / 3, joinedAt + 60_000, pair === 2 ? 'draw' : 'home');
      await runPipeline(stores.database, joinedAt + 120_000);
      if (pair >= 2) continue;
      const score = { home: 2, away: pair };
      await take('scores', [event(pair, 'Copper Foxes', start, { state: 'final', score })], start + 3 * hour);
      await settleStatements(stores.database, start + 4 * hour);
      await runPipeline(stores.database, start + 5 * hour);
    }
    await runPipeline(stores.database, now);
    await choosePickOfTheDay(stores.database, now);
    const { rows, ids } = await storedRows(stores.database);
    state = ledgerAt(rows, { now, baseUrl, ids, runningSince: now });
    site = await startApi({ database: stores, redis }, { clock: fixedClock(now) });
  });
  after(() => site?.close());

  // All cappers and picks, because few of them show what differs between the two games of a pair.
  itAnswersAsComputedPlainly(() => ({
    state,
    address: site.address,
    handles: ['ada', 'bea', 'cam'],
    questions: { '/api/picks/:uuid/confidence': state.picks.map(({ uuid }) => ({ uuid })) },
  }));

  it('show the picks of both games on one', async () => {
    expect(new Set(state.picks.map(({ gameKey }) => gameKey)).size).to.equal(4);
    expect(state.picks.filter(({ status }) => status === 'settled')).to.have.length(5);
    await expectSoundLedger(stores.database);
  });
});
