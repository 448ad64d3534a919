import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { type GroupPosition, recentGroups } from '../../projections/groups.ts';
import { tags } from '../../projections/tags.ts';
import { board } from '../board.ts';
import { count, optionalSport } from '../params.ts';
import { resolvedGroupSchema } from './groups.ts';

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
  tags: ({ sport }) => [sport === undefined ? tags.settled : tags.sport(sport), tags.world],
  ahead: [{}],
  body: Type.Object({
    groups: Type.Array(resolvedGroupSchema),
    nextCursor: nullable(Type.String({ description: 'Null on the last page.' })),
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
