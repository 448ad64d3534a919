import { LRUCache } from 'lru-cache';
import type { Static } from 'typebox';
import { Field } from '../../platform/field-schemas.ts';
import { Type } from '../../platform/type.ts';
import { pricedGroups } from '../../projections/settled-picks.ts';
import { eventsOf } from '../../projections/tags.ts';
import { calledOffOften, readVerdicts } from '../../projections/verdicts.ts';
import { chancePct } from '../../rules/chance.ts';
import { etDay, windowFirstDay } from '../../rules/et-day.ts';
import { recordOf, type Tally } from '../../rules/tally.ts';
import type { Tier } from '../../rules/vocabulary.ts';
import { wilsonPct } from '../../rules/wilson.ts';
import { shownShrunk } from '../../rules/yield.ts';
import { beyond } from '../board.ts';
import type { BoardContext } from '../endpoint.ts';
import { count, optionalMarket, optionalSport, optionalTier, provenance, window } from '../params.ts';
import { recordSchema, verdictSchema } from '../record.ts';
import { capperFields } from './capper-board.ts';
import {
  type Order,
  placesOf,
  type Ranked,
  ranked,
  type StandingsFilter,
  sumsOf,
  tallyColumns,
} from './places.ts';

export const standingParams = {
  window,
  sport: optionalSport,
  market: optionalMarket,
  tier: optionalTier,
  provenance,
  limit: count(50, 200, 'Maximum number of cappers.'),
};

export const standing = Type.Object({
  rank: Field.orNull.integer(
    'Equal for ties. Null on `/api/leaderboard` with fewer than 20 wins and losses, in the windows `90d` and `all`; on `/api/leaderboard/clv` without a closing line value; and on every board if too many picks were called off before the start.',
  ),
  ...capperFields,
  verdict: verdictSchema,
  ...recordSchema.properties,
  wilsonPct: Field.orNull.number("Low end of the hit rate's 95% interval (Wilson), in percent."),
  shrunkPct: Field.orNull.number('`yieldPct`, drawn toward 0 because real edges are small.'),
  shrunkLowPct: Field.orNull.number('Low end of its 95% interval.'),
  shrunkHighPct: Field.orNull.number('High end.'),
  chancePct: Field.orNull.number(
    'Of 100 bettors without skill at the same odds, how many have this yield or more. 0: below 0.01.',
  ),
});

export const standings = {
  group: 'sharp',
  tags: ({ sport }: { sport?: string }) => eventsOf(sport, ['settled']),
  ahead: [{}],
  body: Type.Object({ cappers: Type.Array(standing) }),
  collection: 'cappers',
  beyondLog: { 'cappers[].tier': beyond.tier },
} as const;

/** Returns the first cappers of a leaderboard, with their ranks. @param fewest the sample below which a capper is left out, or has no rank */
export async function firstOf(
  context: BoardContext,
  order: Order,
  { tier, limit, ...filter }: StandingsFilter & { tier?: string; limit: number },
  { shown = 0, ranked: rankedFrom = 0 }: { shown?: number; ranked?: number },
): Promise<Ranked[]> {
  const { database } = context;
  const [places, barred, ofTier] = await Promise.all([
    placesOf(context, order, filter),
    calledOffOften(database),
    tier === undefined ? undefined : idsOf(database, tier),
  ]);
  return ranked(places, {
    fewest: rankedFrom,
    limit,
    isShown: ({ id, sample }) => sample >= shown && ofTier?.has(id) !== false,
    isBarred: ({ id }) => barred.has(id),
  });
}

async function idsOf(database: BoardContext['database'], tier: string): Promise<ReadonlySet<number>> {
  return new Set<number>(await database('cappers').where({ tier }).pluck('id'));
}

export async function rowsOf(
  { database, now }: BoardContext,
  cappers: readonly Ranked[],
  filter: StandingsFilter,
): Promise<Static<typeof standing>[]> {
  const { sport, market } = filter;
  const ids = cappers.map(({ id }) => id);
  const firstDay = windowFirstDay(filter.window, etDay(now));
  const sums: CapperTally[] = await sumsOf(database, firstDay, filter, ids).select({
    tier: 'c.tier',
    verified: 'c.verified',
    ...tallyColumns(database, filter.delay),
  });
  const [chances, verdictOn] = await Promise.all([
    chancesOf(database, sums, filter, firstDay),
    readVerdicts(database, ids, { sport, market }),
  ]);
  const found = new Map(sums.map((sum) => [sum.id, sum]));
  return cappers.flatMap(({ id, rank }) => {
    const sum = found.get(id);
    if (sum === undefined) return [];
    const { handle, tier, verified, ...tally } = sum;
    return {
      rank,
      handle,
      tier,
      verified,
      verdict: verdictOn(id),
      ...recordOf(tally),
      wilsonPct: wilsonPct(tally.wins, tally.losses),
      ...shownShrunk(tally),
      chancePct: chances.get(id)!,
    };
  });
}

type CapperTally = Tally & { id: number; handle: string; tier: Tier; verified: boolean };

/**
 * Chances by the picks that they are about. A chance takes milliseconds and all picks of a capper, and a settlement renders every
 * leaderboard again, so only the cappers whose sums it changed are computed again.
 */
const chancesBySums = new WeakMap<BoardContext['database'], LRUCache<string, { pct: number | null }>>();

async function chancesOf(
  database: BoardContext['database'],
  cappers: readonly CapperTally[],
  { delay, sport, market, provenance }: StandingsFilter,
  firstDay: string | null,
): Promise<Map<number, number | null>> {
  const known = chancesBySums.get(database) ?? new LRUCache({ max: 50_000 });
  chancesBySums.set(database, known);
  const picks = JSON.stringify([firstDay, delay, sport, market, provenance]);
  const keyed = cappers.map((capper) => {
    const { id, wins, losses, halves, flatE6, flatVarianceE6, breakEvenE9 } = capper;
    return { id, key: [id, picks, wins, losses, halves, flatE6, flatVarianceE6, breakEvenE9].join(' ') };
  });
  const found = new Map(keyed.map(({ key }) => [key, known.get(key)]));
  const missing = keyed.filter(({ key }) => found.get(key) === undefined);
  if (missing.length > 0) {
    const groups = await pricedGroups(
      database,
      missing.map(({ id }) => id),
      {
        firstDay,
        delay,
        sport,
        market,
        provenance,
      },
    );
    for (const { id, key } of missing) {
      const chance = { pct: chancePct(groups.get(id) ?? []) };
      known.set(key, chance);
      found.set(key, chance);
    }
  }
  return new Map(keyed.map(({ id, key }) => [id, found.get(key)!.pct]));
}
