import type { Knex } from 'knex';
import type { Database } from '../platform/database.ts';
import { consensusGroups, consensusWindowMs, type Group } from '../rules/consensus.ts';
import { type MemberPick, type ResolvedGroup, resolvedGroups } from '../rules/resolved-groups.ts';
import { sharpTiers } from '../rules/vocabulary.ts';
import { sealedSources } from './board-picks.ts';
import { countsSql } from './pick-filter.ts';
import { slateParts } from './slate.ts';

/** Pending sharp picks of the last six hours, most cappers first. Older pending picks still show that a capper is on both sides. */
export async function activeGroups(database: Database, now: EpochMs, sport?: string): Promise<Group[]> {
  const since = now - consensusWindowMs;
  const pending: MemberPick[] = await sharpPicks(database, sport)
    .whereNull('p.result')
    .whereIn(
      'p.game_id',
      database('board_picks')
        .whereNull('result')
        .whereIn('tier', [...sharpTiers])
        .where('posted_at', '>=', new Date(since))
        .select('game_id'),
    );
  return consensusGroups(
    pending.filter(({ postedAt }) => postedAt >= since),
    pending,
  );
}

export async function slateGroups(database: Database, now: number, sport?: string): Promise<Group[]> {
  const lists = await Promise.all(
    slateParts(now).map(
      (part): Promise<MemberPick[]> => part(sharpPicks(database, sport).whereNull('p.result')),
    ),
  );
  return consensusGroups(lists.flat());
}

export async function gameGroups(database: Database, gameId: number): Promise<Group[]> {
  return consensusGroups(await sharpPicks(database, undefined).where('p.game_id', gameId));
}

export interface GroupPosition {
  resolvedAt: EpochMs;
  passed: number;
}

/** Latest first. Reads only as far back as needed. @param after the position of the last group before these */
export async function recentGroups(
  database: Database,
  now: number,
  hours: number,
  {
    sport,
    limit = Infinity,
    after,
  }: { sport?: string | undefined; limit?: number; after?: GroupPosition | undefined } = {},
): Promise<ResolvedGroup[]> {
  const earliest = now - hours * 3_600_000;
  for (let batch = Math.min(20 * limit, 100_000); ; batch *= 4) {
    const settled: { gameId: number; settledAt: number }[] = await database('board_picks')
      .where('settled_at', '>=', new Date(earliest))
      .whereNotNull('result')
      .whereIn('tier', [...sharpTiers])
      .modify((query) => {
        if (sport !== undefined) query.where('sport', sport);
        if (after !== undefined) query.where('settled_at', '<=', new Date(after.resolvedAt));
      })
      .orderBy('settled_at', 'desc')
      .limit(batch)
      .select({ gameId: 'game_id', settledAt: 'settled_at' });
    const complete = settled.length < batch;
    const games = [...new Set(settled.map(({ gameId }) => gameId))];
    const picks = await sharpPicks(database, sport).whereRaw('p.game_id = any(?::bigint[])', [games]);
    // Groups resolved at or before the last instant read can be incomplete.
    const oldest = complete ? earliest - 1 : settled.at(-1)!.settledAt;
    const groups = resolvedGroups(picks).filter(({ resolvedAt }) => Date.parse(resolvedAt) > oldest);
    const rest = after === undefined ? groups : groupsAfter(groups, after);
    if (complete || rest.length >= limit) return rest.slice(0, limit);
  }
}

function groupsAfter(
  groups: readonly ResolvedGroup[],
  { resolvedAt, passed }: GroupPosition,
): ResolvedGroup[] {
  const at = (group: ResolvedGroup) => Date.parse(group.resolvedAt);
  const same = groups.filter((group) => at(group) === resolvedAt);
  return [...same.slice(passed), ...groups.filter((group) => at(group) < resolvedAt)];
}

const { uuid, handle: _, tier, ...others } = sealedSources;
const memberSources = { ...others, pickUuid: uuid, capperTier: tier };

function sharpPicks(
  database: Database,
  sport: string | undefined,
): Knex.QueryBuilder<MemberPick, MemberPick[]> {
  return database('board_picks as p')
    .join('games as g', 'g.id', 'p.game_id')
    .join('cappers as c', 'c.id', 'p.capper_id')
    .whereIn('p.tier', [...sharpTiers])
    .whereRaw(countsSql('p'))
    .modify((query) => sport !== undefined && query.where('p.sport', sport))
    .select({
      ...memberSources,
      capperHandle: 'c.handle',
      capperVerified: 'c.verified',
      announcedStart: 'g.announced_start',
    });
}
