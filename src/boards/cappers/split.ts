import { iso } from '../../platform/clock.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { type PickFilter, passing } from '../../projections/pick-filter.ts';
import { sumOfTallies } from '../../projections/rollups.ts';
import { recordOf, type Tally } from '../../rules/tally.ts';
import type { Verdict } from '../../rules/verdict.ts';
import type { BoardContext } from '../context.ts';
import { verdictSchema } from '../record.ts';

/** A sport or market of a capper's picks. */
export interface Split {
  name: string;
  posted: number;
  /** Epoch milliseconds. */
  lastPostedAt: number;
  tally: Tally;
}

/** Splits a capper's picks that pass a filter by sport or market, ordered by name. */
export async function capperSplit(
  { database }: BoardContext,
  capperId: number,
  by: 'sport' | 'market',
  filter: PickFilter = {},
): Promise<Split[]> {
  const rows: (Tally & Omit<Split, 'tally'>)[] = await database('capper_totals as r')
    .where('r.capper_id', capperId)
    .modify((query) => passing(query, 'r', filter))
    .groupBy(`r.${by}`)
    .orderByRaw('?? collate "C"', [`r.${by}`])
    .select({
      name: `r.${by}`,
      posted: database.raw('sum(r.posted)::bigint'),
      lastPostedAt: database.raw('max(r.last_posted_at)'),
      ...sumOfTallies(database),
    });
  return rows.map(({ name, posted, lastPostedAt, ...tally }) => ({ name, posted, lastPostedAt, tally }));
}

/** Fields of a split, except its name, as boards show them. */
export const splitFields = {
  verdict: verdictSchema,
  picks: Type.Integer({ description: 'Picks posted, settled or not. `record` counts settled ones.' }),
  record: Type.String({ description: 'Wins, losses, and pushes: `W-L-P`.' }),
  hitRatePct: nullable(Type.Number()),
  breakEvenPct: nullable(
    Type.Number({ description: 'The hit rate needed to break even at the odds of wins and losses.' }),
  ),
  lastPostedAt: Type.String({ format: 'date-time' }),
};

export function shownSplit({ posted, lastPostedAt, tally }: Split, verdict: Verdict) {
  const { record, hitRatePct, breakEvenPct } = recordOf(tally);
  return {
    verdict,
    picks: posted,
    record,
    hitRatePct,
    breakEvenPct,
    lastPostedAt: iso(lastPostedAt),
  };
}
