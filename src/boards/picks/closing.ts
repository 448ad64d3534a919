import type { Static } from 'typebox';
import { closedFields, type StoredClosing } from '../../ledger/events.ts';
import { sourcesOf } from '../../ledger/field.ts';
import { iso } from '../../platform/clock.ts';
import { Field } from '../../platform/field-schemas.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import type { BoardPick } from '../../projections/board-picks.ts';
import { followersOf } from '../../projections/followers.ts';
import { tags } from '../../projections/tags.ts';
import { closingRetryMs } from '../../rules/closing.ts';
import { edgeBps, edgeMethods, lineMove } from '../../rules/edge.ts';
import { lineFromE3 } from '../../rules/fixed-point.ts';
import { shownDecimal } from '../../rules/odds.ts';
import { shownRatio } from '../../rules/rounding.ts';
import { board } from '../board.ts';
import { uuid } from '../params.ts';
import { knownPick } from '../subjects.ts';

const price = {
  oddsAmerican: Field.integer(),
  oddsDecimal: Field.number(),
  line: Field.orNull.number(),
  at: Field.instant('When the odds were posted, or seen at the book.'),
};

const body = Type.Object({
  pickUuid: Field.uuid(),
  status: Type.Union([Type.Literal('closed'), Type.Literal('open'), Type.Literal('missing')], {
    description: '`open`: the game has not closed yet. `missing`: no closing odds were available.',
  }),
  posted: Type.Object(price),
  closing: nullable(
    Type.Object({
      ...price,
      source: Field.text('The book, or `median` of all books.'),
      closedAt: Field.instant('The start of the game.'),
    }),
  ),
  clvBps: Field.orNull.integer(),
  clvPct: Field.orNull.number(),
  edgePct: Field.orNull.number(
    'Expected value against the no-vig closing probability at the line taken. Pushes on whole lines are ignored.',
  ),
  edgeMethod: nullable(
    Type.Enum(edgeMethods, {
      description:
        "`power`: from the closing odds at the line taken. `margin_model`: no book had every side there, and a model of the sport's scores converts the probability at their main lines to the line taken.",
    }),
  ),
  consensus: nullable(
    Type.Object({
      books: Field.integer('Books with closing odds for every side.'),
      fairPct: Field.number("The books' median probability for the pick's side, without their margins."),
    }),
  ),
  lineMove: Field.orNull.number("In points; positive is in the bettor's favor."),
  followers: nullable(
    Type.Array(
      Type.Object({
        delay: Field.integer('Minutes after posting.'),
        missed: Field.flag('No book that was read priced the bet then, or the game had started.'),
        oddsAmerican: Field.orNull.integer(),
        book: Field.orNull.text(),
        at: Field.orNull.instant('When the book offered it.'),
      }),
      { description: 'The best odds that followers found, once a live pick has settled. All null: unknown.' },
    ),
  ),
});

export const pickClosing = board({
  path: '/api/picks/:uuid/closing',
  group: 'picks',
  about: 'Posted and closing odds of a pick: CLV, edge, and line movement.',
  params: Type.Object({ uuid }),
  tags: (params) => [tags.pick(params.uuid), tags.world],
  body,
  examples: [{ uuid: '{uuid}' }],
  async compute(context, params): Promise<Static<typeof body>> {
    const { database, now } = context;
    const pick = await knownPick(database, params.uuid);
    const [closing, followers] = await Promise.all([
      database('closings as k')
        .where('k.pick_id', pick.id)
        .first<StoredClosing | undefined>(sourcesOf(closedFields)),
      pick.provenance === 'live' && pick.result !== null ? followersOf(database, pick.id) : null,
    ]);
    const posted = { ...shown(pick.oddsAmerican, pick.lineE3), at: iso(pick.postedAt) };
    if (closing === undefined) {
      const status = canStillClose(pick, now) ? 'open' : 'missing';
      return { pickUuid: pick.uuid, status, posted, ...noClosing, followers };
    }
    const counted = (pick.result === null ? null : pick.priceCounted) ?? pick.oddsAmerican;
    const { fairE9, fairBooks, edgeMethod, clvBps } = closing;
    return {
      pickUuid: pick.uuid,
      status: 'closed',
      posted,
      closing: shownClosing(closing),
      clvBps,
      clvPct: clvBps / 100,
      edgePct: fairE9 === null ? null : edgeBps(counted, fairE9) / 100,
      edgeMethod,
      consensus: fairE9 === null ? null : { books: fairBooks!, fairPct: shownRatio(fairE9, 1e7, 2) },
      lineMove: lineMove(pick.market, pick.side, pick.lineE3, closing.lineE3),
      followers,
    };
  },
});

const noClosing = {
  closing: null,
  clvBps: null,
  clvPct: null,
  edgePct: null,
  edgeMethod: null,
  consensus: null,
  lineMove: null,
};

/** Reports whether closing odds can still be recorded: the game has not started, or the search for them continues. */
function canStillClose({ result, startsAt }: BoardPick, now: number): boolean {
  return result === null && (startsAt === null || now < startsAt + closingRetryMs);
}

function shown(oddsAmerican: number, lineE3: number | null) {
  return {
    oddsAmerican,
    oddsDecimal: shownDecimal(oddsAmerican),
    line: lineFromE3(lineE3),
  };
}

function shownClosing(closing: StoredClosing) {
  return {
    ...shown(closing.oddsAmerican, closing.lineE3),
    at: iso(closing.capturedAt),
    source: closing.book ?? 'median',
    closedAt: iso(closing.closedAt),
  };
}
