import { expect } from 'chai';
import { demoSports } from '../../src/demo/sports.ts';
import { worldRows } from '../../src/demo/world.ts';
import { applyCappers } from '../../src/intake/capper.ts';
import type { PickRow } from '../../src/ledger/posting/pick-row.ts';
import { instant, iso } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/database.ts';
import { choosePickOfTheDay } from '../../src/projections/pick-of-the-day.ts';
import { type BoardPath, expectedBody } from '../naive/boards.ts';
import { pickOfTheDay } from '../naive/confidence.ts';
import { etDay } from '../naive/days.ts';
import { differences } from '../naive/differences.ts';
import { atDelay, DELAYS } from '../naive/follow.ts';
import { ledgerOfExport } from '../naive/from-export.ts';
import { type LedgerPick, type LedgerState, ledgerAt } from '../naive/ledger.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { itAnswersAsComputedPlainly, parametersLeftOut } from '../support/board-oracle.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { busyDay, exampleLedgers } from '../support/ledgers.ts';
import { importDemo, playDemo } from '../support/live-demo.ts';
import { atLength } from '../support/long.ts';
import { postPick } from '../support/post-pick.ts';
import { wholeRecord } from '../support/record-csv.ts';
import { withRedis } from '../support/redis.ts';
import { storedRows } from '../support/stored-rows.ts';
import { runPipeline } from '../support/whole-way.ts';

/** A minute after the last game that ends before midnight in New York. */
const afterSettlements =
  Math.max(
    ...worldRows(busyDay.now, instant('2026-01-16T05:00:00Z'))
      .games.filter(({ row }) => row.status === 'final')
      .map(({ at }) => at),
  ) + 60_000;
const nextMorning = instant('2026-01-16T15:00:00Z');

/** Posts live picks that must not count: by two sharp cappers far above the market, and one on an unpriced selection. */
async function postOffMarket(database: Database, now: number): Promise<void> {
  const { rows }: { rows: { sport: string; game: string; startsAt: number }[] } = await database.raw(
    `select sport, name as game, announced_start as "startsAt" from games g
     where g.starts_at > ? and g.starts_at = g.announced_start and g.status = 'scheduled'
       and exists (select from lines l where l.game_id = g.id and l.market = 'moneyline' and l.captured_at > ?)
       and not exists (select from picks p where p.game_id = g.id)
     order by g.starts_at, g.id limit 1`,
    [new Date(now + 60_000), new Date(now - 6 * 3_600_000)],
  );
  const [{ startsAt, ...game } = { startsAt: 0 }] = rows;
  const posted = { ...game, startsAt: iso(startsAt), stakeUnits: 1, oddsAmerican: 2500 } as PickRow;
  const winner = { ...posted, market: 'moneyline', side: 'home', line: null, pick: 'Home to win' };
  const other = { ...posted, market: 'corners', subject: 'both', side: 'over', line: 9.5, pick: 'Over 9.5' };
  const picks = [
    { ...winner, capperHandle: 'demo-north-star' },
    { ...winner, capperHandle: 'demo-quiet-edge' },
    { ...other, capperHandle: 'demo-north-star' },
  ];
  for (const pick of picks)
    expect(await postPick(database, { ...pick, source: 'test' }, undefined, now)).to.include({
      outcome: 'added',
    });
  await runPipeline(database, now);
  const verdicts = await database('board_picks')
    .where('source', 'test')
    .orderBy('pick_id')
    .pluck('price_verdict');
  expect(verdicts).to.deep.equal(['above_market', 'above_market', 'unseen']);
  const others = await database('board_picks')
    .where({ provenance: 'live', source: 'demo' })
    .distinct('price_verdict')
    .pluck('price_verdict');
  expect(others, 'live picks of the demo').to.include.members(['above_market', 'available']);
}

interface Stage {
  what: string;
  now: number;
  /** Advances the ledger from the previous stage. */
  reach?(database: Database): Promise<void>;
}

const stages: Stage[] = [
  { what: 'on a busy afternoon', now: busyDay.now },
  {
    what: 'after hours of live play, shortly after games ended',
    now: afterSettlements,
    async reach(database) {
      await playDemo(database, afterSettlements, 0);
      await postOffMarket(database, afterSettlements);
    },
  },
  {
    what: 'on the next morning, with the night imported, one capper promoted, and one unverified',
    now: nextMorning,
    async reach(database) {
      await importDemo(database, afterSettlements, nextMorning);
      await applyCappers(
        database,
        [
          { handle: 'demo-weekender', tier: 'elite', verified: true },
          { handle: 'demo-coin', tier: 'listed', verified: false },
        ],
        { now: nextMorning, imported: false },
      );
      await runPipeline(database, nextMorning);
      await choosePickOfTheDay(database, nextMorning);
    },
  },
];

const baseUrl = 'https://picks.example';

/** Returns the requests to recompute: every record, leaderboard, and streak. */
function recomputed({ byCapper }: LedgerState): [path: BoardPath, params: Record<string, string>][] {
  const windows = ['7d', '30d', '90d', 'all'];
  const sports = demoSports.map(({ key }) => ({ sport: key }));
  return [
    ['/api/record/windows', {}],
    ['/api/cappers/streaks', { min: '1' }],
    ...windows.flatMap((window) =>
      [{}, ...sports].flatMap((filter): [BoardPath, Record<string, string>][] => [
        ['/api/leaderboard', { ...filter, window }],
        ['/api/leaderboard/clv', { ...filter, window, min_n: '1' }],
        ['/api/leaderboard/units', { ...filter, window, min_n: '1' }],
      ]),
    ),
    ...[...byCapper.keys()].flatMap((handle): [BoardPath, Record<string, string>][] => [
      ['/api/cappers/:handle/streak', { handle }],
      ['/api/cappers/:handle/sports', { handle }],
      ['/api/cappers/:handle/markets', { handle }],
      ['/api/cappers/:handle/units-curve', { handle }],
    ]),
  ];
}

/** The log says when picks were sealed; the record does not. */
const withoutSealing = (name: string, value: unknown) => (name === 'latePicks' ? undefined : value);

describe('the boards over the demo ledger, compared with a naive recomputation', () => {
  const stores = withDatabase({ filling: busyDay });
  let last: LedgerState | undefined;

  /** Returns the naive ledger. Its Pick of the Day is chosen at the first stage of a day, as the service does. */
  async function ledger(now: number): Promise<LedgerState> {
    const { rows, ids } = await storedRows(stores.database);
    if (last === undefined) return ledgerAt(rows, { now, baseUrl, ids, runningSince: now });
    const { runningSince, chosenBefore, today } = last;
    if (etDay(now) === today) return ledgerAt(rows, { now, baseUrl, ids, runningSince, chosenBefore });
    const chosen = { day: today, uuid: pickOfTheDay(last)!.pick.uuid };
    return ledgerAt(rows, {
      now,
      baseUrl,
      ids,
      runningSince: now,
      chosenBefore: [chosen, ...chosenBefore],
    });
  }

  for (const { what, now, reach } of stages)
    describe(what, () => {
      const redis = withRedis();
      let site: RunningApi;
      let state: LedgerState;

      before(async () => {
        await reach?.(stores.database);
        state = await ledger(now);
        last = state;
        site = await startApi({ database: stores, redis }, { clock: fixedClock(now) });
      });
      after(() => site?.close());

      itAnswersAsComputedPlainly(() => ({ state, address: site.address }));

      // The log of the last stage has all picks of the earlier ones.
      if (atLength(what === stages.at(-1)!.what, true))
        it('have the records, leaderboards, and streaks that follow from only the exported CSV', async () => {
          // No column of the export says who is verified today, and in which tier.
          const { cappers } = state;
          const ledger = { ...ledgerOfExport(await wholeRecord(site.address), now), cappers };
          for (const [path, params] of recomputed(state)) {
            const query = new URLSearchParams(params);
            const url = `${site.address}${path.replace(':handle', params.handle ?? '')}?${query}`;
            const body = await (await fetch(url)).json();
            const expected = JSON.parse(JSON.stringify(expectedBody(path, ledger, params)), withoutSealing);
            expect(differences(expected, body), url).to.deep.equal([]);
          }
        });
    });

  describe('at the end', () => {
    it('cover every parameter and every kind of pick', () => {
      const { picks } = last!;
      const followed = DELAYS.filter((delay) => atDelay(picks, delay).length > 0);
      expect(followed).to.not.deep.equal([]);
      const kinds = (of: (pick: LedgerPick) => unknown) => [...new Set(picks.map(of))];
      expect(kinds(({ sport }) => sport)).to.have.length(demoSports.length);
      expect(kinds(({ capperTier }) => capperTier)).to.have.length(3);
      expect(kinds(({ provenance, result }) => `${provenance} ${result}`)).to.include.members([
        ...['imported win', 'imported loss', 'imported push', 'imported void', 'imported null'],
        ...['live win', 'live loss', 'live null'],
      ]);
      expect(kinds(({ sealedInTime }) => sealedInTime)).to.include.members(['witnessed', 'signed', 'late']);
      expect(kinds(({ settlement }) => settlement?.grader)).to.include.members([
        ...['score', 'first_half_score', 'result', 'cancelled', 'postponed'],
      ]);
      expect(kinds(({ market }) => market)).to.include.members([
        ...['moneyline', 'spread', 'total', 'team_total', 'first_half_spread', 'first_half_total'],
      ]);
      expect(
        kinds(({ closing, book, status }) => `${status} ${closing?.sameLine} ${book === null}`),
      ).to.include.members([
        ...['settled true true', 'settled true false', 'settled false false', 'settled undefined true'],
      ]);
      expect(kinds(({ start, announced }) => start === announced)).to.have.length(2);
      expect(parametersLeftOut()).to.deep.equal([]);
    });
  });
});

/** Some contain what the demo lacks, such as games without a start. */
for (const example of exampleLedgers.filter(({ name }) => /empty|every kind/.test(name)))
  describe(`the boards over ${example.name}, compared with a naive recomputation`, () => {
    const stores = withDatabase({ filling: example });
    const redis = withRedis();
    const { now } = example;
    let site: RunningApi;
    let state: LedgerState;

    before(async () => {
      const { rows, ids } = await storedRows(stores.database);
      state = ledgerAt(rows, { now, baseUrl, ids, runningSince: now });
      site = await startApi({ database: stores, redis }, { clock: fixedClock(now) });
    });
    after(() => site?.close());

    itAnswersAsComputedPlainly(() => ({ state, address: site.address }));
  });
