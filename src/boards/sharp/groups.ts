import { marketSchema, sideSchema, sportSchema, tierSchema, verifiedSchema } from '../../ledger/schemas.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { tags } from '../../projections/tags.ts';
import type { Group } from '../../rules/consensus.ts';
import { results } from '../../rules/vocabulary.ts';

const instant = Type.String({ format: 'date-time' });

const memberSchema = Type.Object(
  {
    handle: Type.String(),
    tier: { ...tierSchema, description: 'The tier when the pick was posted.' },
    verified: verifiedSchema,
    pickUuid: Type.String({ format: 'uuid' }),
    oddsAmerican: Type.Integer(),
    line: nullable(Type.Number()),
    stakeUnits: Type.Number(),
    postedAt: instant,
  },
  { title: 'GroupMember' },
);

export const groupSchema = Type.Object(
  {
    groupId: Type.String({ description: 'Derived from game, market, subject, and side; never changes.' }),
    sport: sportSchema,
    game: Type.String(),
    startsAt: nullable(instant),
    market: marketSchema,
    subject: nullable(
      Type.String({ description: 'The player, team, or question that the market is about.' }),
    ),
    side: sideSchema,
    pick: Type.String({ description: "The earliest pick's text." }),
    lineMin: nullable(Type.Number()),
    lineMax: nullable(Type.Number()),
    bestOddsAmerican: Type.Integer(),
    capperCount: Type.Integer(),
    eliteCount: Type.Integer(),
    verifiedSharpCount: Type.Integer(),
    opposingCount: Type.Integer({ description: 'Number of sharp cappers on other sides.' }),
    consensusPct: Type.Number(),
    totalStakeUnits: Type.Number(),
    firstPostedAt: instant,
    lastPostedAt: instant,
    cappers: Type.Array(memberSchema),
  },
  { title: 'Group' },
);

/** The schema of a group whose picks have all settled. */
export const resolvedGroupSchema = Type.Object(
  {
    ...groupSchema.properties,
    result: Type.Enum([...results, 'mixed'], {
      description: '`mixed`: the lines differed, and so did the results.',
    }),
    resolvedAt: instant,
    wins: Type.Integer(),
    losses: Type.Integer(),
    pushes: Type.Integer(),
    voids: Type.Integer(),
  },
  { title: 'ResolvedGroup' },
);

/** Returns the tags of boards of active consensus: they change with posted and settled picks, starts, and tiers. */
export function consensusTags(sport: string | undefined): string[] {
  return sport === undefined ? [tags.posted, tags.settled, tags.world] : [tags.sport(sport), tags.world];
}

/** Divides groups by key. The order is most groups, then most cappers, then key. */
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
