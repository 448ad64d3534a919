import type { Database } from '../../../src/platform/database.ts';
import { sumOfTallies } from '../../../src/projections/rollups.ts';
import { settledFields } from '../../../src/projections/settled-picks.ts';
import { etDayStart, windowFirstDay } from '../../../src/rules/et-day.ts';
import { type SettledPick, tallyOf } from '../../../src/rules/tally.ts';

/** The prefix of tasks whose cost may grow with the ledger. */
export const withoutPrefix = 'without ';

/**
 * The cost of some answers without a projection, computed from its sources. docs/performance.md compares each with the board that reads
 * the projection.
 */
export function withoutProjections(
  today: string,
): [name: string, run: (database: Database) => Promise<unknown>][] {
  const firstDay = windowFirstDay('90d', today)!;
  return [
    [
      'daily_rollups: /api/leaderboard?window=90d',
      async (database) => {
        const picks: (SettledPick & { capperId: number })[] = await database('board_picks as b')
          .whereNotNull('b.result')
          .where('b.settled_at', '>=', new Date(etDayStart(firstDay)))
          .select({ capperId: 'b.capper_id', ...settledFields });
        return [...Map.groupBy(picks, ({ capperId }) => capperId).values()].map((of) => tallyOf(of));
      },
    ],
    [
      'capper_totals: /api/leaderboard',
      (database) => database('daily_rollups as r').groupBy('capper_id').select(sumOfTallies(database)),
    ],
    [
      'search_words: /api/search?q=hommee',
      (database) =>
        database.raw(`select word from ts_stat('select words_of(name) from games')
          where word operator(public.%) 'hommee' order by similarity(word, 'hommee') desc limit 1`),
    ],
  ];
}
