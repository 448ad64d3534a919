import { marketSchema, sportSchema } from '../../ledger/schemas.ts';
import { Field } from '../../platform/field-schemas.ts';
import { Type } from '../../platform/type.ts';
import { activeGroups, type GroupPosition, recentGroups, slateGroups } from '../../projections/groups.ts';
import { eventsOf } from '../../projections/tags.ts';
import type { Tier } from '../../rules/vocabulary.ts';
import { beyond, board } from '../board.ts';
import { capperFields } from '../cappers/capper-board.ts';
import { hotStreaks, minHotStreak } from '../cappers/streaks.ts';
import { count, optionalSport } from '../params.ts';
import { breakdown, consensusRss, groupSchema, resolvedGroupSchema, sharpTodayRss } from './groups.ts';

const everySport = {
  group: 'sharp',
  params: Type.Object({}),
  tags: () => eventsOf(undefined, ['posted', 'settled']),
  ahead: [{}],
  examples: [{}],
} as const;

const bySport = {
  group: 'sharp',
  params: Type.Object({ sport: optionalSport }),
  tags: ({ sport }: { sport?: string }) => eventsOf(sport, ['posted', 'settled']),
  ahead: [{}],
  examples: [{}, { sport: '{sport}' }],
} as const;

export const consensus = board({
  path: '/api/sharp/consensus',
  about: 'Sides that two or more elite or verified sharp cappers took in the last 6 hours.',
  ...everySport,
  body: Type.Object({ groups: Type.Array(groupSchema) }),
  collection: 'groups',
  formats: [consensusRss],
  async compute({ database, now }) {
    return { groups: await activeGroups(database, now) };
  },
});

export const sharpToday = board({
  path: '/api/sharp/today',
  about: "Consensus on today's games (ET): pending picks by sharp cappers.",
  ...bySport,
  body: Type.Object({ groups: Type.Array(groupSchema) }),
  collection: 'groups',
  formats: [sharpTodayRss],
  async compute({ database, now }, { sport }) {
    return { groups: await slateGroups(database, now, sport) };
  },
});

const groupCounts = { groupCount: Field.integer(), capperCount: Field.integer() };

export const sharpSports = board({
  path: '/api/sharp/sports',
  about: 'Active consensus groups by sport.',
  ...everySport,
  body: Type.Object({ sports: Type.Array(Type.Object({ sport: sportSchema, ...groupCounts })) }),
  collection: 'sports',
  async compute({ database, now }) {
    const parts = breakdown(await activeGroups(database, now), ({ sport }) => sport);
    return { sports: parts.map(({ first: { sport }, ...counts }) => ({ sport, ...counts })) };
  },
});

export const sharpMarkets = board({
  path: '/api/sharp/markets',
  about: 'Active consensus groups by sport and market.',
  ...everySport,
  body: Type.Object({
    markets: Type.Array(Type.Object({ sport: sportSchema, market: marketSchema, ...groupCounts })),
  }),
  collection: 'markets',
  async compute({ database, now }) {
    const parts = breakdown(await activeGroups(database, now), ({ sport, market }) => `${sport}\n${market}`);
    return {
      markets: parts.map(({ first: { sport, market }, ...counts }) => ({ sport, market, ...counts })),
    };
  },
});

export const sharpHot = board({
  path: '/api/sharp/hot',
  about: 'Cappers on a hot streak who are in an active consensus group.',
  ...everySport,
  body: Type.Object({
    cappers: Type.Array(
      Type.Object({
        ...capperFields,
        streak: Field.integer('Consecutive wins.'),
        groups: Type.Array(groupSchema),
      }),
    ),
  }),
  collection: 'cappers',
  beyondLog: { 'cappers[].tier': beyond.tier },
  async compute(context) {
    const { database, now } = context;
    const [groups, streaks] = await Promise.all([
      activeGroups(database, now),
      hotStreaks(context, { min: minHotStreak }),
    ]);
    const cappers = streaks
      .map(({ handle, tier, verified, length }) => ({
        handle,
        tier,
        verified,
        streak: length,
        groups: groups.filter(({ cappers: members }) => members.some((member) => member.handle === handle)),
      }))
      .filter((capper) => capper.groups.length > 0)
      .sort((a, b) => b.streak - a.streak || (a.handle < b.handle ? -1 : 1));
    return { cappers };
  },
});

export const sharpRecent = board({
  path: '/api/sharp/recent',
  group: 'sharp',
  about: 'Consensus groups whose picks have all settled, newest first, in pages.',
  params: Type.Object({
    hours: count(24, 168, 'Hours back from now.'),
    sport: optionalSport,
    limit: count(100, 200, 'Maximum number of groups.'),
    cursor: Type.Optional(
      Type.String({
        pattern: '^[0-9]{1,15}-[0-9]{1,6}$',
        must: 'the `nextCursor` of the previous page',
        description: 'The `nextCursor` of the previous page.',
      }),
    ),
  }),
  tags: ({ sport }) => eventsOf(sport, ['settled']),
  ahead: [{}],
  body: Type.Object({
    groups: Type.Array(resolvedGroupSchema),
    nextCursor: Field.orNull.text('Null on the last page.'),
  }),
  collection: 'groups',
  examples: [{}, { hours: '168', sport: '{sport}' }, { limit: '2', cursor: '1767225600000-0' }],
  async compute({ database, now }, { hours, sport, limit, cursor }) {
    const after = cursor === undefined ? undefined : positionOf(cursor);
    const found = await recentGroups(database, now, hours, { sport, limit: limit + 1, after });
    const groups = found.slice(0, limit);
    return { groups, nextCursor: found.length > limit ? cursorAfter(groups, after) : null };
  },
});

/** Parses a cursor: the instant at which the last group was resolved, and the number of groups already shown for that instant. */
function positionOf(cursor: string): GroupPosition {
  const [resolvedAt, passed] = cursor.split('-').map(Number);
  return { resolvedAt: resolvedAt!, passed: passed! };
}

function cursorAfter(groups: readonly { resolvedAt: string }[], after: GroupPosition | undefined): string {
  const last = groups.at(-1)!.resolvedAt;
  const shown = groups.filter(({ resolvedAt }) => resolvedAt === last).length;
  const before = after?.resolvedAt === Date.parse(last) ? after.passed : 0;
  return `${Date.parse(last)}-${before + shown}`;
}

export const sharpTodayCappers = board({
  path: '/api/sharp/today/cappers',
  about: "Cappers in today's consensus groups, most groups first.",
  ...bySport,
  body: Type.Object({
    cappers: Type.Array(
      Type.Object({
        ...capperFields,
        groupCount: Field.integer(),
        sports: Type.Array(sportSchema),
        picks: Type.Array(Field.text(), { description: 'UUIDs, earliest pick first.' }),
      }),
    ),
  }),
  collection: 'cappers',
  beyondLog: { 'cappers[].tier': beyond.tier },
  async compute({ database, now }, { sport }) {
    const groups = await slateGroups(database, now, sport);
    const posts = groups.flatMap(({ sport, cappers }) => cappers.map((capper) => ({ ...capper, sport })));
    const byHandle = Map.groupBy(posts, ({ handle }) => handle);
    const known = new Map<string, { tier: Tier; verified: boolean }>(
      (
        await database('cappers')
          .whereIn('handle', [...byHandle.keys()])
          .select('handle', 'tier', 'verified')
      ).map(({ handle, ...capper }) => [handle, capper]),
    );
    const cappers = [...byHandle]
      .map(([handle, entries]) => ({
        handle,
        ...known.get(handle)!,
        groupCount: entries.length,
        sports: [...new Set(entries.map((each) => each.sport))].sort(),
        picks: entries.sort(byPost).map(({ pickUuid }) => pickUuid),
      }))
      .sort((a, b) => b.groupCount - a.groupCount || (a.handle < b.handle ? -1 : 1));
    return { cappers };
  },
});

type Post = { pickUuid: string; postedAt: string };

function byPost(a: Post, b: Post): number {
  if (a.postedAt !== b.postedAt) return a.postedAt < b.postedAt ? -1 : 1;
  return a.pickUuid < b.pickUuid ? -1 : 1;
}
