import type { Static } from 'typebox';
import { iso } from '../../platform/clock.ts';
import { Field } from '../../platform/field-schemas.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import type { BoardPick } from '../../projections/board-picks.ts';
import { followersOf } from '../../projections/followers.ts';
import { tags } from '../../projections/tags.ts';
import { closingRetryMs } from '../../rules/closing.ts';
import { type EdgeMethod, edgeBps, edgeMethods, lineMove } from '../../rules/edge.ts';
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
      database('closings').where('pick_id', pick.id).first<StoredClosing | undefined>(),
      pick.provenance === 'live' && pick.result !== null ? followersOf(database, pick.id) : null,
    ]);
    const posted = { ...shown(pick.oddsAmerican, pick.lineE3), at: iso(pick.postedAt) };
    if (closing === undefined) {
      const status = canStillClose(pick, now) ? 'open' : 'missing';
      return { pickUuid: pick.uuid, status, posted, ...noClosing, followers };
    }
    const counted = (pick.result === null ? null : pick.priceCounted) ?? pick.oddsAmerican;
    const { fair_e9, fair_books, edge_method } = closing;
    return {
      pickUuid: pick.uuid,
      status: 'closed',
      posted,
      closing: shownClosing(closing),
      clvBps: closing.clv_bps,
      clvPct: closing.clv_bps / 100,
      edgePct: fair_e9 === null ? null : edgeBps(counted, fair_e9) / 100,
      edgeMethod: edge_method,
      consensus: fair_e9 === null ? null : { books: fair_books!, fairPct: shownRatio(fair_e9, 1e7, 2) },
      lineMove: lineMove(pick.market, pick.side, pick.lineE3, closing.line_e3),
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
    ...shown(closing.odds_american, closing.line_e3),
    at: iso(closing.captured_at),
    source: closing.book ?? 'median',
    closedAt: iso(closing.closed_at),
  };
}

interface StoredClosing {
  closed_at: number;
  odds_american: number;
  line_e3: number | null;
  book: string | null;
  captured_at: number;
  fair_e9: number | null;
  fair_books: number | null;
  edge_method: EdgeMethod | null;
  clv_bps: number;
}
