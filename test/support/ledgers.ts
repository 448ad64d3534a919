import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { demoCappers } from '../../src/demo/cappers.ts';
import type { Timed } from '../../src/demo/rows.ts';
import { worldRows } from '../../src/demo/world.ts';
import { applyCappers } from '../../src/intake/capper.ts';
import { instant } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/database.ts';
import { choosePickOfTheDay } from '../../src/projections/pick-of-the-day.ts';
import type { Filling } from './database.ts';
import { league, realData } from './folders.ts';
import { importRows, playDemo } from './live-demo.ts';
import { atLength } from './long.ts';
import { ingest, runPipeline } from './whole-way.ts';

/** A ledger to view pages over, and the instant at which to view them. */
export interface ExampleLedger extends Filling {
  now: number;
}

/** Texts that do harm if interpreted as anything but text. Names are as hostile as their rules allow. */
export const hostile = {
  pick: `</script><script>window.hurt=1</script><img src=x onerror="window.hurt=1"> javascript:window.hurt=1 ' " &amp; \u05D0\u05D1 right`,
  game: `"><svg onload=window.hurt=1> @ '><a href="javascript:window.hurt=1">x</a>]]>-->`,
  displayName: `</title><script>window.hurt=1</script>"'><b onmouseover=window.hurt=1>`,
};

const now = instant('2024-10-06T14:00:00Z');

async function finish(database: Database, at: number): Promise<void> {
  await runPipeline(database, at);
  await choosePickOfTheDay(database, at);
}

// In a league of known teams, a name with a slash means an undecided opponent.
const game = { sport: 'soccer', game: hostile.game, startsAt: '2024-10-06T17:00:00Z' };
const posted = {
  ...game,
  market: 'moneyline',
  side: 'home',
  line: null,
  pick: hostile.pick,
  oddsAmerican: -110,
};
const cappers = ['mallory', 'trudy'].map((handle) => ({
  handle,
  tier: 'elite',
  verified: true,
  displayName: hostile.displayName,
}));
const picks = cappers.map(({ handle }) => ({
  capperHandle: handle,
  ...posted,
  stakeUnits: 1,
  postedAt: '2024-10-06T12:00:00Z',
}));
const settledGame = { ...game, startsAt: '2024-10-05T17:00:00Z' };
const settledPicks = picks.map((pick) => ({ ...pick, ...settledGame, postedAt: '2024-10-05T12:00:00Z' }));

const day = 86_400_000;

/**
 * Ten days of the demo, played live up to the last afternoon, and imported days at the edges of the 30-day and 90-day windows. Some 2,000
 * picks in three months.
 */
export const busyDay: ExampleLedger = {
  name: 'a busy day',
  now: instant('2026-01-15T21:30:00Z'),
  async fill(database) {
    await applyCappers(
      database,
      demoCappers.map(({ handle, tier, verified }) => ({ handle, tier, verified })),
      { now: busyDay.now, imported: true },
    );
    for (const days of [90, 30])
      await importGames(database, busyDay.now - (days + 1.5) * day, busyDay.now - (days - 1.5) * day);
    await runPipeline(database, busyDay.now - 20 * day);
    await playDemo(database, busyDay.now, 10 * day);
    await finish(database, busyDay.now);
  },
};

/** Imports the demo's games that start within a period, from their announcement to their end. */
async function importGames(database: Database, from: number, to: number): Promise<void> {
  const now = to + day;
  const rows = worldRows(from - day, now);
  const within = <Row extends { startsAt?: string | null }>(timed: readonly Timed<Row>[]): Timed<Row>[] =>
    timed.filter(({ row }) => instant(row.startsAt!) > from && instant(row.startsAt!) <= to);
  await importRows(
    database,
    {
      games: within(rows.games),
      lines: within(rows.lines),
      picks: within(rows.picks),
      results: within(rows.results),
      stats: within(rows.stats),
    },
    now,
  );
}

/** The ledgers that page tests run over: from an empty one to a busy day, and one in which every text is hostile. */
export const exampleLedgers: readonly ExampleLedger[] = [
  { name: 'an empty ledger', now, fill: async () => {} },
  {
    name: 'a ledger of one pick',
    now,
    async fill(database) {
      const rows = {
        cappers: [{ handle: 'ada', tier: 'listed', verified: true }],
        games: [{ sport: 'nfl', game: 'Gulls @ Foxes', startsAt: null, status: 'scheduled' }],
        picks: [
          {
            ...posted,
            capperHandle: 'ada',
            sport: 'nfl',
            game: 'Gulls @ Foxes',
            startsAt: null,
            pick: 'Foxes to win',
            stakeUnits: 1,
            postedAt: '2024-10-06T12:00:00Z',
          },
        ],
      };
      await ingestRows(database, rows);
      await finish(database, now);
    },
  },
  {
    name: 'a ledger with every kind of pick',
    now: instant('2024-12-01T01:00:00Z'),
    async fill(database) {
      const at = instant('2024-12-01T01:00:00Z');
      await ingest(database, league, at);
      await finish(database, at);
    },
  },
  busyDay,
  {
    name: 'a ledger of hostile texts',
    now,
    async fill(database) {
      const rows = {
        cappers,
        games: [
          { ...game, status: 'scheduled' },
          { ...settledGame, status: 'final', homeScore: 3, awayScore: 0 },
        ],
        lines: ['home', 'away'].map((side) => ({
          ...settledGame,
          market: 'moneyline',
          side,
          line: null,
          oddsAmerican: side === 'home' ? -125 : 105,
          capturedAt: '2024-10-05T16:50:00Z',
          closing: true,
          book: 'north',
        })),
        picks: [...picks, ...settledPicks],
      };
      await ingestRows(database, rows);
      await applyCappers(database, [{ handle: 'trudy', tier: 'elite', verified: false }], {
        now,
        imported: true,
      });
      await finish(database, now);
    },
  },
];

/** Returns the real data on a day of the season, or undefined without it. */
export function realLedger(): ExampleLedger | undefined {
  const folder = realData();
  if (folder === undefined) return undefined;
  const at = instant('2018-12-30T18:30:00Z');
  return {
    name: 'the real data',
    now: at,
    async fill(database) {
      await ingest(database, folder, at);
      await finish(database, at);
    },
  };
}

/** The real data after its last game, and its folder, if it is there: imported, closed, settled, and sealed. */
export function wholeRealLedger(): (ExampleLedger & { folder: string }) | undefined {
  const folder = realData();
  if (folder === undefined) return undefined;
  const at = instant('2026-06-01T00:00:00Z');
  return {
    name: 'the whole real data',
    now: at,
    folder,
    async fill(database) {
      const { counts, refusals } = await ingest(database, folder, at);
      expect(refusals).to.deep.equal([]);
      expect(counts.picks.added).to.equal(6397);
      await runPipeline(database, at);
    },
  };
}

/** The ledgers over which tests open every page. In short, those whose pages are unlike others'. */
export function ledgersOfPages(): readonly ExampleLedger[] {
  const unlike = ['an empty ledger', 'a ledger with every kind of pick', 'a ledger of hostile texts'];
  return atLength(
    exampleLedgers.filter(({ name }) => unlike.includes(name)),
    [...exampleLedgers, realLedger() ?? []].flat(),
  );
}

async function ingestRows(database: Database, rows: Record<string, readonly object[]>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'public-picks-'));
  try {
    for (const [name, list] of Object.entries(rows))
      writeFileSync(join(folder, `${name}.ndjson`), list.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const { refusals } = await ingest(database, folder, now);
    expect(refusals).to.deep.equal([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
