import type { Knex } from 'knex';
import { Type } from 'typebox';
import type { Database } from '../platform/database.ts';
import { consensusGroups, consensusWindowMs, type Group } from '../rules/consensus.ts';
import { addDays, etDay, etDayStart } from '../rules/et-day.ts';
import { type MemberPick, type ResolvedGroup, resolvedGroups } from '../rules/resolved-groups.ts';
import { results, sharpTiers } from '../rules/vocabulary.ts';
import { marketSchema, sideSchema, sportSchema, tierSchema } from './fields.ts';
import { nullable } from './record.ts';

const instant = Type.String({ format: 'date-time' });

/** A consensus group as boards show it. */
export const groupSchema = Type.Object(
  {
    groupId: Type.String({ description: 'Stable for ever: of the game, market and side.' }),
    sport: sportSchema,
    game: Type.String(),
    startsAt: nullable(instant),
    market: marketSchema,
    side: sideSchema,
    pick: Type.String({ description: "The earliest pick's text." }),
    lineMin: nullable(Type.Number()),
    lineMax: nullable(Type.Number()),
    bestOddsAmerican: Type.Integer(),
    capperCount: Type.Integer(),
    eliteCount: Type.Integer(),
    verifiedSharpCount: Type.Integer(),
    opposingCount: Type.Integer({ description: 'Different sharp cappers on the other sides.' }),
    consensusPct: Type.Number(),
    totalStakeUnits: Type.Number(),
    firstPostedAt: instant,
    lastPostedAt: instant,
    cappers: Type.Array(
      Type.Object(
        {
          handle: Type.String(),
          tier: tierSchema,
          pickUuid: Type.String({ format: 'uuid' }),
          oddsAmerican: Type.Integer(),
          line: nullable(Type.Number()),
          stakeUnits: Type.Number(),
          postedAt: instant,
        },
        { title: 'GroupMember' },
      ),
    ),
  },
  { title: 'Group' },
);

/** A group whose picks have all settled. */
export const resolvedGroupSchema = Type.Object(
  {
    ...groupSchema.properties,
    result: Type.Enum([...results, 'mixed'], { description: '`mixed` where lines differed.' }),
    resolvedAt: instant,
    wins: Type.Integer(),
    losses: Type.Integer(),
    pushes: Type.Integer(),
    voids: Type.Integer(),
  },
  { title: 'ResolvedGroup' },
);

/**
 * The groups active now: pending sharp picks posted within the last six hours (decisions: Consensus group), most cappers first.
 * @param now epoch milliseconds
 */
export async function activeGroups(database: Database, now: number, sport?: string): Promise<Group[]> {
  return consensusGroups(
    await sharpPicks(database, sport)
      .whereNull('p.result')
      .where('p.posted_at', '>=', new Date(now - consensusWindowMs)),
  );
}

/** The groups of the pending sharp picks on games of today's ET slate, however old (decisions: ET day). */
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

/** Groups by a part of what they are about, the most groups first, then the most cappers, then by name. */
export function breakdown(
  groups: readonly Group[],
  keyOf: (group: Group) => string,
): { first: Group; groupCount: number; capperCount: number }[] {
  const parts = new Map<string, Group[]>();
  for (const group of groups) {
    const part = parts.get(keyOf(group));
    if (part === undefined) parts.set(keyOf(group), [group]);
    else part.push(group);
  }
  return [...parts]
    .map(([key, part]) => ({
      key,
      first: part[0]!,
      groupCount: part.length,
      capperCount: new Set(part.flatMap(({ cappers }) => cappers.map(({ handle }) => handle))).size,
    }))
    .sort((a, b) => b.groupCount - a.groupCount || b.capperCount - a.capperCount || (a.key < b.key ? -1 : 1));
}
