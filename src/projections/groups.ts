import type { Knex } from 'knex';
import type { Database } from '../platform/database.ts';
import { consensusGroups, consensusWindowMs, type Group } from '../rules/consensus.ts';
import { addDays, etDay, etDayStart } from '../rules/et-day.ts';
import { type MemberPick, type ResolvedGroup, resolvedGroups } from '../rules/resolved-groups.ts';
import { sharpTiers } from '../rules/vocabulary.ts';

/**
 * The groups active now: pending sharp picks posted within the last six hours, most cappers first.
 * @param now epoch milliseconds
 */
export async function activeGroups(database: Database, now: number, sport?: string): Promise<Group[]> {
  return consensusGroups(
    await sharpPicks(database, sport)
      .whereNull('p.result')
      .where('p.posted_at', '>=', new Date(now - consensusWindowMs)),
  );
}

/** The groups of the pending sharp picks on games of today's ET slate, however old. */
export async function slateGroups(database: Database, now: number, sport?: string): Promise<Group[]> {
  const today = etDay(now);
  const day = [new Date(etDayStart(today)), new Date(etDayStart(addDays(today, 1)) - 1)] as const;
  const [started, unknown] = await Promise.all([
    sharpPicks(database, sport).whereNull('p.result').whereBetween('g.starts_at', day),
    sharpPicks(database, sport)
      .whereNull('p.result')
      .whereNull('g.starts_at')
      .whereBetween('p.posted_at', day),
  ]);
  return consensusGroups([...started, ...unknown]);
}

/** The groups that were resolved within the `hours` before now, the latest first. */
export async function recentGroups(
  database: Database,
  now: number,
  hours: number,
  sport?: string,
): Promise<ResolvedGroup[]> {
  const earliest = now - hours * 3_600_000;
  const games: number[] = await database('board_picks as p')
    .whereIn('p.tier', [...sharpTiers])
    .where('p.settled_at', '>=', new Date(earliest))
    .whereNotNull('p.result')
    .modify((query) => sport !== undefined && query.where('p.sport', sport))
    .distinct()
    .pluck('p.game_id');
  const picks = await sharpPicks(database, sport).whereRaw('p.game_id = any(?::bigint[])', [games]);
  return resolvedGroups(picks).filter(({ resolvedAt }) => Date.parse(resolvedAt) >= earliest);
}

function sharpPicks(
  database: Database,
  sport: string | undefined,
): Knex.QueryBuilder<MemberPick, MemberPick[]> {
  return database('board_picks as p')
    .join('games as g', 'g.id', 'p.game_id')
    .join('cappers as c', 'c.id', 'p.capper_id')
    .whereIn('p.tier', [...sharpTiers])
    .modify((query) => sport !== undefined && query.where('p.sport', sport))
    .select({
      pickUuid: 'p.uuid',
      capperHandle: 'c.handle',
      capperTier: 'p.tier',
      sport: 'p.sport',
      game: 'g.name',
      announcedStart: 'g.announced_start',
      startsAt: 'g.starts_at',
      market: 'p.market',
      side: 'p.side',
      lineE3: 'p.line_e3',
      pick: 'p.pick',
      oddsAmerican: 'p.odds_american',
      stakeE4: 'p.stake_e4',
      postedAt: 'p.posted_at',
      result: 'p.result',
      settledAt: 'p.settled_at',
    });
}
