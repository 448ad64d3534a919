import { marketSchema, sideSchema, sportSchema, tierSchema, verifiedSchema } from '../../ledger/schemas.ts';
import { Field } from '../../platform/field-schemas.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import type { Group } from '../../rules/consensus.ts';
import { results } from '../../rules/vocabulary.ts';
import { oddsText } from '../formats/odds-text.ts';
import {
  marketName,
  paragraphs,
  selectionText,
  sportTag,
  standing,
  units,
  utcText,
} from '../formats/pick-text.ts';
import type { Item } from '../formats/rss.ts';
import { narrowed, rssFormat } from '../formats/rss-format.ts';
import { isolated } from '../formats/safe-text.ts';

const instant = Field.instant();

const memberSchema = Type.Object(
  {
    handle: Field.text(),
    tier: { ...tierSchema, description: 'The tier when the pick was posted.' },
    verified: verifiedSchema,
    pickUuid: Field.uuid(),
    oddsAmerican: Field.integer(),
    line: Field.orNull.number(),
    stakeUnits: Field.number(),
    postedAt: instant,
  },
  { title: 'GroupMember' },
);

export const groupSchema = Type.Object(
  {
    groupId: Field.text('Derived from game, market, subject, and side; never changes.'),
    sport: sportSchema,
    game: Field.text(),
    startsAt: nullable(instant),
    market: marketSchema,
    subject: Field.orNull.text('The player, team, or question that the market is about.'),
    side: sideSchema,
    pick: Field.text("The earliest pick's text."),
    lineMin: Field.orNull.number(),
    lineMax: Field.orNull.number(),
    bestOddsAmerican: Field.integer(),
    capperCount: Field.integer(),
    eliteCount: Field.integer(),
    verifiedSharpCount: Field.integer(),
    opposingCount: Field.integer('Number of sharp cappers on other sides.'),
    consensusPct: Field.number(),
    totalStakeUnits: Field.number(),
    firstPostedAt: instant,
    lastPostedAt: instant,
    cappers: Type.Array(memberSchema),
  },
  { title: 'Group' },
);

export const resolvedGroupSchema = Type.Object(
  {
    ...groupSchema.properties,
    result: Type.Enum([...results, 'mixed'], {
      description: '`mixed`: the lines differed, and so did the results.',
    }),
    resolvedAt: instant,
    wins: Field.integer(),
    losses: Field.integer(),
    pushes: Field.integer(),
    voids: Field.integer(),
  },
  { title: 'ResolvedGroup' },
);

/** Divides groups by key. The order is most groups, then most cappers, then key. */
export function breakdown(
  groups: readonly Group[],
  keyOf: (group: Group) => string,
): { first: Group; groupCount: number; capperCount: number }[] {
  return [...Map.groupBy(groups, keyOf)]
    .map(([key, part]) => ({
      key,
      first: part[0]!,
      groupCount: part.length,
      capperCount: new Set(part.flatMap(({ cappers }) => cappers.map(({ handle }) => handle))).size,
    }))
    .sort((a, b) => b.groupCount - a.groupCount || b.capperCount - a.capperCount || (a.key < b.key ? -1 : 1))
    .map(({ key: _, ...part }) => part);
}

const groupsRss = (path: string, title: string, about: string) =>
  rssFormat<{ groups: readonly Group[] }>({
    path,
    title: (context) => `${title}${narrowed(context)}`,
    about: () => about,
    page: () => '/sharp',
    items: ({ groups }, { baseUrl }) => groups.map((group) => groupItem(group, baseUrl)),
  });

export const consensusRss = groupsRss(
  '/sharp/consensus.rss',
  'Sharp consensus',
  'Sides that two or more elite or verified sharp cappers took within six hours.',
);

export const sharpTodayRss = groupsRss(
  '/sharp/today.rss',
  'Sharp consensus today',
  "Sides of today's games (ET) that two or more elite or verified sharp cappers took.",
);

function groupItem(group: Group, baseUrl: string): Item {
  const { sport, game, startsAt, market, capperCount, opposingCount } = group;
  const at = Date.parse(group.lastPostedAt);
  return {
    title: `${capperCount} sharp cappers on ${isolated(selectionText(group))}, ${isolated(game)}`,
    link: `${baseUrl}/sharp#${encodeURIComponent(group.groupId)}`,
    guid: group.groupId,
    description: paragraphs([
      `${capperCount} sharp cappers on ${selectionText(group)} (${marketName(market)}), ${opposingCount} against. Best odds ${oddsText(group.bestOddsAmerican)}, ${units(group.totalStakeUnits)} in total.`,
      `${sportTag(sport)}: ${game}${startsAt === null ? '' : `, starts ${utcText(startsAt)}`}`,
      ...group.cappers.map(
        ({ handle, oddsAmerican, ...capper }) =>
          `${handle} (${standing(capper)}) at ${oddsText(oddsAmerican)}`,
      ),
    ]),
    categories: [sport, market],
    creators: group.cappers.map(({ handle }) => handle),
    publishedAt: at,
    changedAt: at,
  };
}
