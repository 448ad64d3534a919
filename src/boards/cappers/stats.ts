import { marketSchema, sportSchema } from '../../ledger/schemas.ts';
import { iso } from '../../platform/clock.ts';
import { Field } from '../../platform/field-schemas.ts';
import { Type } from '../../platform/type.ts';
import { type BoardPick, boardPicks, newestFirst } from '../../projections/board-picks.ts';
import { type PickFilter, passing } from '../../projections/pick-filter.ts';
import { sumOfTallies, windowTallies } from '../../projections/rollups.ts';
import { verdictsBy } from '../../projections/verdicts.ts';
import { etDay } from '../../rules/et-day.ts';
import { recordOf, settledCount, type Tally } from '../../rules/tally.ts';
import type { Verdict } from '../../rules/verdict.ts';
import { beyond } from '../board.ts';
import type { BoardContext } from '../endpoint.ts';
import { optionalMarket, optionalSport, provenance } from '../params.ts';
import { pickSchema, publicPick } from '../pick.ts';
import { recordSchema, verdictSchema } from '../record.ts';
import { capperBoard, capperFields } from './capper-board.ts';

interface Split extends Tally {
  name: string;
  posted: number;
  lastPostedAt: EpochMs;
}

async function capperSplit(
  { database }: BoardContext,
  capperId: number,
  by: 'sport' | 'market',
  filter: PickFilter = {},
): Promise<Split[]> {
  return database('capper_totals as r')
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
}

const splitFields = {
  verdict: verdictSchema,
  picks: Field.integer('Picks posted, settled or not. `record` counts settled ones.'),
  record: Field.text('Wins, losses, and pushes: `W-L-P`.'),
  hitRatePct: Field.orNull.number(),
  breakEvenPct: Field.orNull.number('The hit rate needed to break even at the odds of wins and losses.'),
  lastPostedAt: Field.instant(),
};

function shownSplit(split: Split, verdict: Verdict) {
  const { record, hitRatePct, breakEvenPct } = recordOf(split);
  const lastPostedAt = iso(split.lastPostedAt);
  return { verdict, picks: split.posted, record, hitRatePct, breakEvenPct, lastPostedAt };
}

export const capperSports = capperBoard({
  name: 'sports',
  about: "A capper's picks, record, and verdict in each sport.",
  body: Type.Object({ sports: Type.Array(Type.Object({ sport: sportSchema, ...splitFields })) }),
  collection: 'sports',
  async compute(context) {
    const { id } = context.capper;
    const split = await capperSplit(context, id, 'sport');
    const verdictOn = await verdictsBy(context.database, id, 'sport');
    return { sports: split.map((part) => ({ sport: part.name, ...shownSplit(part, verdictOn(part.name)) })) };
  },
});

export const capperMarkets = capperBoard({
  name: 'markets',
  about: "A capper's picks, record, and verdict in each market.",
  params: { sport: optionalSport, provenance },
  body: Type.Object({ markets: Type.Array(Type.Object({ market: marketSchema, ...splitFields })) }),
  collection: 'markets',
  examples: [{}, { sport: '{sport}' }],
  async compute(context, filter) {
    const { id } = context.capper;
    const split = await capperSplit(context, id, 'market', filter);
    const verdictOn = await verdictsBy(context.database, id, 'market', filter.sport);
    return {
      markets: split.map((part) => ({ market: part.name, ...shownSplit(part, verdictOn(part.name)) })),
    };
  },
});

export const capperStats = capperBoard({
  name: 'stats',
  about: "A capper's lifetime record, 30-day record, record by sport, and last 10 picks.",
  params: { sport: optionalSport, market: optionalMarket, provenance },
  showsGames: true,
  body: Type.Object({
    ...capperFields,
    verdict: verdictSchema,
    lifetime: recordSchema,
    last30d: recordSchema,
    bySport: Type.Array(
      Type.Object({ sport: sportSchema, verdict: verdictSchema, ...recordSchema.properties }),
    ),
    lastPicks: Type.Array(pickSchema),
  }),
  beyondLog: { tier: beyond.tier },
  examples: [{}, { sport: '{sport}', market: 'total', provenance: 'live' }],
  async compute(context, filter) {
    const { database, now, baseUrl, capper } = context;
    const { sport, market } = filter;
    const [tallies, bySport, verdicts] = await Promise.all([
      windowTallies(database, ['30d', 'all'], etDay(now), { capperId: capper.id, ...filter }),
      capperSplit(context, capper.id, 'sport', filter),
      verdictsBy(database, capper.id, 'sport', market),
    ]);
    // Known counts bound the search: no pick newer or older than the capper's own is read.
    const posted = bySport.reduce((sum, split) => sum + split.posted, 0);
    const lastPostedAt = Math.max(...bySport.map((split) => split.lastPostedAt));
    const lastPicks =
      posted === 0
        ? []
        : await boardPicks(database)
            .where('p.capper_id', capper.id)
            .where('p.posted_at', '<=', new Date(lastPostedAt))
            .modify((query) => passing(query, 'p', filter))
            .orderBy(newestFirst)
            .limit(Math.min(posted, 10));
    return {
      handle: capper.handle,
      tier: capper.tier,
      verified: capper.verified,
      verdict: verdicts(sport),
      lifetime: recordOf(tallies.all),
      last30d: recordOf(tallies['30d']),
      bySport: bySport
        .filter((split) => settledCount(split) > 0)
        .map((split) => ({ sport: split.name, verdict: verdicts(split.name), ...recordOf(split) })),
      lastPicks: lastPicks.map((row: BoardPick) => publicPick(row, baseUrl)),
    };
  },
});
