import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { advanceDemo } from '../../src/demo/advance.ts';
import { writeProgress } from '../../src/demo/progress.ts';
import { instant } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/database.ts';
import { choosePickOfTheDay } from '../../src/projections/pick-of-the-day.ts';
import type { Filling } from './database.ts';
import { league, realData } from './folders.ts';
import { goTheWholeWay, ingest } from './whole-way.ts';

/** A ledger to look at pages with, and the instant at which to look. */
export interface ExampleLedger extends Filling {
  now: number;
}

/** Texts that do harm wherever one is taken for more than text. Those of names are as hostile as names may be. */
export const hostile = {
  pick: `</script><script>window.hurt=1</script><img src=x onerror="window.hurt=1"> javascript:window.hurt=1 ' " &amp; \u200Fright`,
  game: `"><svg onload=window.hurt=1> @ '><a href="javascript:window.hurt=1">x</a>]]>-->`,
  displayName: `</title><script>window.hurt=1</script>"'><b onmouseover=window.hurt=1>`,
};

const now = instant('2024-10-06T14:00:00Z');

async function finish(database: Database, at: number): Promise<void> {
  await goTheWholeWay(database, at);
  await choosePickOfTheDay(database, at);
}

const game = { sport: 'nfl', game: hostile.game, startsAt: '2024-10-06T17:00:00Z' };
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

/** The newest sixteen of the demo's ninety days, in two months and some 3,600 picks, up to the afternoon of the last one. */
export const busyDay: ExampleLedger = {
  name: 'a busy day',
  now: instant('2026-01-15T17:30:00Z'),
  async fill(database) {
    const enqueue = { add: async () => undefined } as never;
    await database.transaction((transaction) => writeProgress(transaction, busyDay.now - 16 * 86_400_000));
    await advanceDemo({ demo: true, database, clock: { now: () => busyDay.now }, enqueue });
    await finish(database, busyDay.now);
  },
};

/** The ledgers that pages are looked at over: from nothing to a busy day, and one in which every text is hostile. */
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
      await finish(database, now);
    },
  },
];

/** The real data on a day of the season; undefined where there is none. */
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

async function ingestRows(database: Database, rows: Record<string, readonly object[]>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'public-picks-'));
  try {
    for (const [name, list] of Object.entries(rows))
      writeFileSync(join(folder, `${name}.ndjson`), list.map((row) => `${JSON.stringify(row)}\n`).join(''));
    await ingest(database, folder, now);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
