import { marketSchema, sportSchema } from '../../ledger/schemas.ts';
import { iso } from '../../platform/clock.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { type PickFilter, passing } from '../../projections/pick-filter.ts';
import { sumOfTallies } from '../../projections/rollups.ts';
import { tags } from '../../projections/tags.ts';
import { verdictsBy } from '../../projections/verdicts.ts';
import { recordOf, type Tally } from '../../rules/tally.ts';
import type { Verdict } from '../../rules/verdict.ts';
import { board } from '../board.ts';
import type { BoardContext } from '../context.ts';
import { handle, optionalSport, provenance } from '../params.ts';
import { verdictSchema } from '../record.ts';
import { knownCapper } from '../subjects.ts';

/** A sport or market of a capper's picks. */
export interface Split {
  name: string;
  posted: number;
  lastPostedAt: EpochMs;
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

export const capperSports = board({
  path: '/api/cappers/:handle/sports',
  group: 'cappers',
  about: "A capper's picks, record, and verdict in each sport.",
  params: Type.Object({ handle }),
  tags: (params) => [tags.capper(params.handle)],
  body: Type.Object({ sports: Type.Array(Type.Object({ sport: sportSchema, ...splitFields })) }),
  collection: 'sports',
  examples: [{ handle: '{handle}' }],
  async compute(context, params) {
    const { id } = await knownCapper(context.database, params.handle);
    const split = await capperSplit(context, id, 'sport');
    const verdictOn = await verdictsBy(context.database, id, 'sport');
    return { sports: split.map((part) => ({ sport: part.name, ...shownSplit(part, verdictOn(part.name)) })) };
  },
});

export const capperMarkets = board({
  path: '/api/cappers/:handle/markets',
  group: 'cappers',
  about: "A capper's picks, record, and verdict in each market.",
  params: Type.Object({ handle, sport: optionalSport, provenance }),
  tags: (params) => [tags.capper(params.handle)],
  body: Type.Object({ markets: Type.Array(Type.Object({ market: marketSchema, ...splitFields })) }),
  collection: 'markets',
  examples: [{ handle: '{handle}' }, { handle: '{handle}', sport: '{sport}' }],
  async compute(context, { handle, ...filter }) {
    const { id } = await knownCapper(context.database, handle);
    const split = await capperSplit(context, id, 'market', filter);
    const verdictOn = await verdictsBy(context.database, id, 'market', filter.sport);
    return {
      markets: split.map((part) => ({ market: part.name, ...shownSplit(part, verdictOn(part.name)) })),
    };
  },
});
