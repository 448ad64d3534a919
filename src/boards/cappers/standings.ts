import type { Knex } from 'knex';
import type { Static } from 'typebox';
import { tierSchema, verifiedSchema } from '../../ledger/schemas.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { type PickFilter, passing } from '../../projections/pick-filter.ts';
import { sumOfFollowerTallies, sumOfTallies } from '../../projections/rollups.ts';
import { tags } from '../../projections/tags.ts';
import { etDay, windowFirstDay } from '../../rules/et-day.ts';
import { recordOf, settledCount, type Tally } from '../../rules/tally.ts';
import { sharpTiers, type Tier, type Window } from '../../rules/vocabulary.ts';
import { wilsonPct } from '../../rules/wilson.ts';
import type { BoardContext } from '../context.ts';
import { count, optionalMarket, optionalSport, optionalTier, provenance, window } from '../params.ts';
import { recordSchema } from '../record.ts';

/** Parameters shared by all leaderboards. */
export const standingParams = {
  window,
  sport: optionalSport,
  market: optionalMarket,
  tier: optionalTier,
  provenance,
  limit: count(50, 200, 'Maximum number of cappers.'),
};

/** Body shared by all leaderboards. */
export const standingsBody = Type.Object({
  cappers: Type.Array(
    Type.Object({
      rank: nullable(
        Type.Integer({
          description:
            'Null on `/api/leaderboard` with fewer than 20 wins and losses, in the windows `90d` and `all`; and on `/api/leaderboard/clv` without a closing line value.',
        }),
      ),
      handle: Type.String(),
      tier: { ...tierSchema, description: 'Current tier.' },
      verified: verifiedSchema,
      ...recordSchema.properties,
      wilsonPct: nullable(
        Type.Number({ description: "Low end of the hit rate's 95% interval (Wilson), in percent." }),
      ),
    }),
  ),
});

/** A capper and the tally of the picks settled within a window. */
export interface CapperTally {
  handle: string;
  tier: Tier;
  verified: boolean;
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
  const capper = { handle: 'c.handle', tier: 'c.tier', verified: 'c.verified' };
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
  return rows
    .filter((row) => settledCount(row) > 0)
    .map(({ handle, tier, verified, ...tally }) => ({ handle, tier, verified, tally }));
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

/**
 * Sorts standings, with ties by handle, and returns the first ones with their ranks.
 * @param isRanked whether a tally gets a rank; unranked ones follow all others. Default: every tally
 */
export function ranked(
  standings: readonly CapperTally[],
  compare: (a: Tally, b: Tally) => number,
  limit: number,
  isRanked: (tally: Tally) => boolean = () => true,
): Static<typeof standingsBody> {
  const order = standings.toSorted(
    (a, b) =>
      Number(isRanked(b.tally)) - Number(isRanked(a.tally)) ||
      compare(a.tally, b.tally) ||
      (a.handle < b.handle ? -1 : 1),
  );
  return {
    cappers: order.slice(0, limit).map(({ handle, tier, verified, tally }, index) => ({
      rank: isRanked(tally) ? index + 1 : null,
      handle,
      tier,
      verified,
      ...recordOf(tally),
      wilsonPct: wilsonPct(tally.wins, tally.losses),
    })),
  };
}
