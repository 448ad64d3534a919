import type { Static } from 'typebox';
import { iso } from '../../platform/clock.ts';
import { Field } from '../../platform/field-schemas.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import type { BoardPick } from '../../projections/board-picks.ts';
import { confidenceInputs } from '../../projections/confidence-inputs.ts';
import { bestOffer, offersOn } from '../../projections/offers.ts';
import { pastPicksOfTheDay, pickOfTheDay, picksOfTheDayTally } from '../../projections/pick-of-the-day.ts';
import { everyEvent, tags } from '../../projections/tags.ts';
import { confidence } from '../../rules/confidence.ts';
import { etDay } from '../../rules/et-day.ts';
import { shownDecimal } from '../../rules/odds.ts';
import { recordOf } from '../../rules/tally.ts';
import { beyond, board } from '../board.ts';
import { type BoardContext, lifetimes } from '../endpoint.ts';
import { count, uuid } from '../params.ts';
import { pickSchema, publicPick } from '../pick.ts';
import { recordSchema } from '../record.ts';
import { knownPick } from '../subjects.ts';

const confidenceSchema = Type.Object({
  pickUuid: Field.uuid(),
  version: Type.Literal('R24'),
  index: Type.Number({ minimum: 0, maximum: 100 }),
  components: Type.Array(
    Type.Object({
      name: Field.text(),
      value: Type.Number({ minimum: 0, maximum: 1 }),
      weight: Field.number(),
      contribution: Field.number(),
      sample: Field.integer('Sample size: settled picks, cappers, or books.'),
      note: Field.text(),
    }),
  ),
});

export const pickConfidence = board({
  path: '/api/picks/:uuid/confidence',
  group: 'picks',
  about: 'The Confidence Index (version R24) of a pick, 0 to 100, with the points of each component.',
  params: Type.Object({ uuid }),
  // The pick's game and market are known only after the pick is read.
  tags: () => everyEvent,
  body: confidenceSchema,
  examples: [{ uuid: '{uuid}' }],
  async compute({ database, now }, params) {
    const pick = await knownPick(database, params.uuid);
    const [inputs] = await confidenceInputs(database, [pick], now);
    return { pickUuid: pick.uuid, ...confidence(inputs!) };
  },
});

export const offerSchema = Type.Object({
  oddsAmerican: Field.integer(),
  oddsDecimal: Field.number(),
  book: Field.text(),
  seenAt: Field.instant(),
});

/** Null without odds, or once the game has started. */
export async function bestOffers(
  { database, now }: Pick<BoardContext, 'database' | 'now'>,
  rows: readonly BoardPick[],
): Promise<(Static<typeof offerSchema> | null)[]> {
  const open = rows.filter(
    ({ startsAt, result }) => result === null && (startsAt === null || startsAt > now),
  );
  const offers = await offersOn(database, open, now);
  const best = new Map(open.map(({ uuid }, at) => [uuid, bestOffer(offers[at]!)]));
  return rows.map(({ uuid }) => {
    const offer = best.get(uuid);
    if (offer == null) return null;
    const { oddsAmerican, book, seenAt } = offer;
    return { oddsAmerican, oddsDecimal: shownDecimal(oddsAmerican), book, seenAt: iso(seenAt) };
  });
}

export const podBoard = board({
  path: '/api/pod',
  group: 'picks',
  about:
    'The Pick of the Day. It is chosen at 9 AM ET, or when the first eligible pick is posted after that.',
  params: Type.Object({}),
  lifetime: lifetimes.feed,
  tags: () => [tags.pickOfTheDay, ...everyEvent],
  ahead: [{}],
  body: Type.Object({
    day: Field.day(),
    pick: nullable(pickSchema),
    confidence: nullable(confidenceSchema),
    now: nullable({
      ...offerSchema,
      description: "The best current odds at the pick's line; null once the game has started.",
    }),
  }),
  beyondLog: { '': beyond.choice },
  examples: [{}],
  async compute({ database, now, baseUrl }) {
    const day = etDay(now);
    const row = await pickOfTheDay(database, day);
    if (row === undefined) return { day, pick: null, confidence: null, now: null };
    const [[inputs], [best = null]] = await Promise.all([
      confidenceInputs(database, [row], now),
      bestOffers({ database, now }, [row]),
    ]);
    return {
      day,
      pick: publicPick(row, baseUrl),
      confidence: { pickUuid: row.uuid, ...confidence(inputs!) },
      now: best,
    };
  },
});

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
    days: Type.Array(Type.Object({ day: Field.day(), pick: pickSchema })),
    nextBefore: Field.orNull.day('Null on the last page.'),
  }),
  collection: 'days',
  beyondLog: { '': beyond.choice },
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
