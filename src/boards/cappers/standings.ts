import type { Knex } from 'knex';
import { LRUCache } from 'lru-cache';
import type { Static } from 'typebox';
import { tierSchema, verifiedSchema } from '../../ledger/schemas.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { type PickFilter, passing } from '../../projections/pick-filter.ts';
import { sumOfFollowerTallies, sumOfTallies } from '../../projections/rollups.ts';
import { pricedGroups } from '../../projections/settled-picks.ts';
import { tags } from '../../projections/tags.ts';
import { calledOffOften, readVerdicts } from '../../projections/verdicts.ts';
import { chancePct } from '../../rules/chance.ts';
import { etDay, windowFirstDay } from '../../rules/et-day.ts';
import { recordOf, settledCount, type Tally } from '../../rules/tally.ts';
import { sharpTiers, type Tier, type Window } from '../../rules/vocabulary.ts';
import { wilsonPct } from '../../rules/wilson.ts';
import { shownShrunk } from '../../rules/yield.ts';
import type { BoardContext } from '../context.ts';
import { count, optionalMarket, optionalSport, optionalTier, provenance, window } from '../params.ts';
import { recordSchema, verdictSchema } from '../record.ts';

/** Parameters shared by all leaderboards. */
export const standingParams = {
  window,
  sport: optionalSport,
  market: optionalMarket,
  tier: optionalTier,
  provenance,
  limit: count(50, 200, 'Maximum number of cappers.'),
};

/** A row of a leaderboard. */
export const standing = Type.Object({
  rank: nullable(
    Type.Integer({
      description:
        'Equal for ties. Null on `/api/leaderboard` with fewer than 20 wins and losses, in the windows `90d` and `all`; on `/api/leaderboard/clv` without a closing line value; and on every board if too many picks were called off before the start.',
    }),
  ),
  handle: Type.String(),
  tier: { ...tierSchema, description: 'Current tier.' },
  verified: verifiedSchema,
  verdict: verdictSchema,
  ...recordSchema.properties,
  wilsonPct: nullable(
    Type.Number({ description: "Low end of the hit rate's 95% interval (Wilson), in percent." }),
  ),
  shrunkPct: nullable(
    Type.Number({ description: '`yieldPct`, drawn toward 0 because real edges are small.' }),
  ),
  shrunkLowPct: nullable(Type.Number({ description: 'Low end of its 95% interval.' })),
  shrunkHighPct: nullable(Type.Number({ description: 'High end.' })),
  chancePct: nullable(
    Type.Number({
      description:
        'Of 100 bettors without skill at the same odds, how many have this yield or more. 0: below 0.01.',
    }),
  ),
});

/** Body of the leaderboards. */
export const standingsBody = Type.Object({ cappers: Type.Array(standing) });

/** A capper and the tally of the picks settled within a window. */
export interface CapperTally {
  id: number;
  handle: string;
  tier: Tier;
  verified: boolean;
  /** Whether too many picks were called off for any rank. */
  isBarred?: boolean;
  tally: Tally;
}

/** Returns the tags that leaderboards depend on. */
export function standingsTags({ sport }: { sport?: string }): string[] {
  return [sport === undefined ? tags.settled : tags.sport(sport), tags.world];
}

/** Picks that standings count, and the odds to use. */
interface StandingsFilter extends PickFilter {
  window: Window;
  tier?: string;
  /** Uses the odds this many minutes after posting. Default: the odds of the picks. */
  delay?: string;
}

/**
 * Reads the tallies of all cappers who settled a pick within the window (ET days of settlement), optionally for one sport, market,
 * provenance, and current tier.
 */
export async function readStandings(
  { database, now }: BoardContext,
  { window, tier, delay, ...filter }: StandingsFilter,
): Promise<CapperTally[]> {
  const firstDay = windowFirstDay(window, etDay(now));
  const sums = database({ r: tableOf(firstDay, delay) }).modify((query) => {
    if (firstDay !== null) query.where('r.day', '>=', firstDay);
    if (delay === undefined) passing(query, 'r', filter).select(sumOfTallies(database));
    else following(query, delay, filter).select(sumOfFollowerTallies(database));
  });
  const capper = { id: 'c.id', handle: 'c.handle', tier: 'c.tier', verified: 'c.verified' };
  // An optimization: looks up the days of each sharp capper. With a million picks, 90 days of the elite take 8 ms instead of 100, because
  // the planner would read everybody's days. Measure: `GROWTH_ONLY='window=90d' npm run bench -- growth`. Alternative: the join below for
  // every tier.
  const query =
    firstDay !== null && sharpTiers.some((sharp) => sharp === tier)
      ? database('cappers as c')
          .crossJoin(database.raw('lateral (?) as r', [sums.whereRaw('r.capper_id = c.id')]))
          .select(capper)
          .select('r.*')
      : sums.join('cappers as c', 'c.id', 'r.capper_id').groupBy('c.id').select(capper);
  const rows: (Tally & Omit<CapperTally, 'tally'>)[] = await query.modify((query) => {
    if (tier !== undefined) query.where('c.tier', tier);
  });
  const barred = await calledOffOften(database);
  return rows
    .filter((row) => settledCount(row) > 0)
    .map(({ id, handle, tier, verified, ...tally }) => ({
      ...{ id, handle, tier, verified, isBarred: barred.has(id), tally },
    }));
}

function tableOf(firstDay: string | null, delay: string | undefined): string {
  if (delay === undefined) return firstDay === null ? 'capper_totals' : 'daily_rollups';
  return firstDay === null ? 'follower_totals' : 'follower_days';
}

/** Sums at followers' odds. Imported picks cannot be followed. */
function following(
  query: Knex.QueryBuilder,
  delay: string,
  { provenance, ...filter }: PickFilter,
): Knex.QueryBuilder {
  if (provenance === 'imported') query.whereRaw('false');
  return passing(query.where('r.delay', delay), 'r', filter);
}

/** The order of a leaderboard. */
export interface Order {
  /** Compares what the board ranks by. Equal cappers share a rank. */
  by(a: Tally, b: Tally): number;
  /** Orders ties, before the handle does. */
  ties(a: Tally, b: Tally): number;
  /** Unranked cappers follow all others. Default: everybody is ranked. */
  isRanked?(tally: Tally): boolean;
}

/** A capper in the order of a leaderboard. */
export interface Ranked extends CapperTally {
  rank: number | null;
}

/** Sorts standings, with ties that the order leaves by handle. */
export function ranked(
  standings: readonly CapperTally[],
  { by, ties, isRanked = () => true }: Order,
): Ranked[] {
  const hasRank = ({ tally, isBarred = false }: CapperTally) => !isBarred && isRanked(tally);
  const inOrder = standings.toSorted(
    (a, b) =>
      Number(hasRank(b)) - Number(hasRank(a)) ||
      by(a.tally, b.tally) ||
      ties(a.tally, b.tally) ||
      (a.handle < b.handle ? -1 : 1),
  );
  let rank = 0;
  return inOrder.map((standing, index) => {
    const previous = inOrder[index - 1];
    if (previous === undefined || by(previous.tally, standing.tally) !== 0) rank = index + 1;
    return { ...standing, rank: hasRank(standing) ? rank : null };
  });
}

/** Returns the rows of cappers on a leaderboard. */
export async function rowsOf(
  { database, now }: BoardContext,
  cappers: readonly Ranked[],
  filter: StandingsFilter,
): Promise<Static<typeof standing>[]> {
  const { sport, market } = filter;
  const ids = cappers.map(({ id }) => id);
  const [chances, verdictOn] = await Promise.all([
    chancesOf(database, cappers, filter, windowFirstDay(filter.window, etDay(now))),
    readVerdicts(database, ids, { sport, market }),
  ]);
  return cappers.map(({ id, rank, handle, tier, verified, tally }, index) => ({
    rank,
    handle,
    tier,
    verified,
    verdict: verdictOn(id),
    ...recordOf(tally),
    wilsonPct: wilsonPct(tally.wins, tally.losses),
    ...shownShrunk(tally),
    chancePct: chances[index]!,
  }));
}

/**
 * Chances by the picks that they are about. A chance takes milliseconds and all picks of a capper, and a settlement renders every
 * leaderboard again, so only the cappers whose sums it changed are computed again.
 */
const chancesBySums = new WeakMap<BoardContext['database'], LRUCache<string, { pct: number | null }>>();

async function chancesOf(
  database: BoardContext['database'],
  cappers: readonly Ranked[],
  { delay, sport, market, provenance }: StandingsFilter,
  firstDay: string | null,
): Promise<(number | null)[]> {
  const known = chancesBySums.get(database) ?? new LRUCache({ max: 50_000 });
  chancesBySums.set(database, known);
  const picks = JSON.stringify([firstDay, delay, sport, market, provenance]);
  const keyed = cappers.map(({ id, tally }) => {
    const { wins, losses, halves, flatE6, flatVarianceE6, breakEvenE9 } = tally;
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
        ...(provenance !== undefined && { provenance }),
      },
    );
    for (const { id, key } of missing) {
      const chance = { pct: chancePct(groups.get(id) ?? []) };
      known.set(key, chance);
      found.set(key, chance);
    }
  }
  return keyed.map(({ key }) => found.get(key)!.pct);
}
