import { lifetimes } from '../../cache/lifetimes.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { pastPicksOfTheDay, picksOfTheDayTally } from '../../projections/pick-of-the-day.ts';
import { everyEvent, tags } from '../../projections/tags.ts';
import { recordOf } from '../../rules/tally.ts';
import { board } from '../board.ts';
import { count } from '../params.ts';
import { pickSchema, publicPick } from '../pick.ts';
import { recordSchema } from '../record.ts';

export const podArchive = board({
  path: '/api/pod/archive',
  group: 'picks',
  about: 'Every Pick of the Day, newest first, in pages, and their combined record.',
  params: Type.Object({
    limit: count(30, 200, 'Maximum number of days.'),
    before: Type.Optional(
      Type.String({
        pattern: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$',
        must: 'a date: YYYY-MM-DD',
        description: 'Only days before this one: the `nextBefore` of the previous page.',
      }),
    ),
  }),
  lifetime: lifetimes.feed,
  tags: () => [tags.pickOfTheDay, ...everyEvent],
  body: Type.Object({
    record: recordSchema,
    days: Type.Array(Type.Object({ day: Type.String({ format: 'date' }), pick: pickSchema })),
    nextBefore: nullable(Type.String({ format: 'date', description: 'Null on the last page.' })),
  }),
  collection: 'days',
  examples: [{}, { limit: '1', before: '2100-01-01' }],
  async compute({ database, baseUrl }, { limit, before }) {
    const [tally, rows] = await Promise.all([
      picksOfTheDayTally(database),
      pastPicksOfTheDay(database, { before, limit: limit + 1 }),
    ]);
    const shown = rows.slice(0, limit);
    return {
      record: recordOf(tally),
      days: shown.map(({ day, ...row }) => ({ day, pick: publicPick(row, baseUrl) })),
      nextBefore: rows.length > limit ? shown.at(-1)!.day : null,
    };
  },
});
