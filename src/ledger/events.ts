import { snakeCase } from '../platform/columns.ts';
import { Type } from '../platform/type.ts';
import type { Bodies } from '../proof/bodies.ts';
import type { Closing, ClosingMarket } from '../rules/closing.ts';
import { type EdgePick, edgeMethods, fairClose } from '../rules/edge.ts';
import { shownDecimal } from '../rules/odds.ts';
import { playedValues } from '../rules/played.ts';
import type { PriceCheck } from '../rules/price-check.ts';
import type { Sets } from '../rules/sets.ts';
import { bodyOf, type Field, insertOf, type StoredFields, shownBy } from './field.ts';
import { priceVerdictSchema, resultSchema } from './schemas.ts';
import {
  flag,
  instant,
  integer,
  json,
  line,
  netUnits,
  orNull,
  price,
  text,
  type ValueType,
  word,
} from './value-types.ts';

interface EventField extends Field {
  /** The name under which boards copy the field, into the column of that name in snake case. Absent: not copied. */
  copied?: string;
}

const oddsDecimal = { json: 'oddsDecimal', schema: Type.Number(), show: shownDecimal };

/** Prices of the sides of a market, in the order of the sides' names, as bodies have them. */
const sidePrices = json(Type.Array(Type.Object({ side: Type.String(), odds_american: Type.Integer() })));

export const closedFields = {
  closedAt: {
    column: 'k.closed_at',
    type: instant,
    hashed: 'closed_at',
    copied: 'closedAt',
  },
  oddsAmerican: {
    column: 'k.odds_american',
    type: price,
    hashed: 'odds_american',
    json: 'oddsAmerican',
    alsoShown: oddsDecimal,
    about: 'The closing odds. Empty if there are none.',
    copied: 'closingOdds',
    exported: 'closing_odds',
  },
  lineE3: {
    column: 'k.line_e3',
    type: orNull(line),
    hashed: 'line_e3',
    json: 'line',
    about:
      "The line of the pick's side at the close. If it differs from `line`, the CLV compares odds for different lines.",
    copied: 'closingLineE3',
    exported: 'closing_line',
  },
  book: { column: 'k.book', type: orNull(text), hashed: 'book', json: 'book' },
  capturedAt: { column: 'k.captured_at', type: instant, hashed: 'captured_at', json: 'capturedAt' },
  prices: { column: 'k.prices', type: sidePrices, hashed: 'prices' },
  clvBps: {
    column: 'k.clv_bps',
    type: integer,
    hashed: 'clv_bps',
    json: 'clvBps',
    about: 'Closing line value in basis points. Empty without closing odds.',
    copied: 'clvBps',
    exported: 'clv_bps',
  },
  /** The fair probability in billionths. The rules derive it from the prices, as sealing and the audit check. */
  fairE9: { column: 'k.fair_e9', type: orNull(integer) },
  fairBooks: { column: 'k.fair_books', type: orNull(integer) },
  edgeMethod: {
    column: 'k.edge_method',
    type: orNull(word(Type.Enum(edgeMethods))),
    about:
      'How the fair probability of `edge_bps` was computed: `power` from the closing odds at the line taken, or `margin_model` from those at another line. Empty without an edge.',
    copied: 'edgeMethod',
    exported: 'edge_method',
  },
  edgeSource: {
    column: 'k.edge_source',
    type: orNull(word(Type.Enum(['provider', 'hand']))),
    about:
      'Whether the prices of `edge_bps` came only from providers, or also from an operator or a file. Empty without an edge.',
    copied: 'edgeSource',
    exported: 'edge_source',
  },
  lastLineId: { column: 'k.last_line_id', type: integer, byDatabase: true },
} as const satisfies Record<string, EventField>;

const sets = orNull(json(Type.Array(Type.Array(Type.Integer()))) as unknown as ValueType<Sets, never>);

export const settledFields = {
  result: {
    column: 's.result',
    type: word(resultSchema),
    hashed: 'result',
    json: 'result',
    about: 'pending, win, loss, push, or void.',
    copied: 'result',
    exported: 'result',
  },
  half: {
    column: 's.half',
    type: flag,
    hashed: 'half',
    json: 'half',
    about: 'Whether only half the stake counted.',
    copied: 'half',
    exported: 'half',
  },
  settledAt: {
    column: 's.settled_at',
    type: instant,
    hashed: 'settled_at',
    about: 'When the pick settled. Empty while it is pending.',
    copied: 'settledAt',
    exported: 'graded_at',
  },
  awayScore: {
    column: 's.away_score',
    type: orNull(integer),
    hashed: 'away_score',
    json: 'awayScore',
    about: 'The score used for grading: final or first-half.',
  },
  homeScore: { column: 's.home_score', type: orNull(integer), hashed: 'home_score', json: 'homeScore' },
  sets: {
    column: 's.sets',
    type: sets,
    hashed: 'sets',
    json: 'sets',
    about: 'Games of each set, home and away.',
  },
  played: {
    column: 's.played',
    type: orNull(word(Type.Enum(playedValues))),
    hashed: 'played',
    json: 'played',
    about: 'Whether the game went its full distance, where that is known.',
  },
  statName: { column: 's.stat_name', type: orNull(text), hashed: 'stat.name', json: 'stat.name' },
  statValueE3: {
    column: 's.stat_value_e3',
    type: orNull(line),
    hashed: 'stat.value_e3',
    json: 'stat.value',
    about: 'The statistic that graded a player market.',
  },
  priceVerdict: {
    column: 's.price_verdict',
    type: orNull(word(priceVerdictSchema)),
    hashed: 'price_check.verdict',
    json: 'priceCheck.verdict',
    about:
      'Whether the odds were on offer when the pick was posted: available, above_market, unseen, or unchecked. Empty while the pick is pending, and for imported picks.',
    copied: 'priceVerdict',
    exported: 'price_verdict',
  },
  priceOdds: {
    column: 's.price_odds',
    type: orNull(price),
    hashed: 'price_check.odds_american',
    json: 'priceCheck.oddsAmerican',
    about: 'The price that the odds were compared with.',
    copied: 'priceOdds',
  },
  priceBook: {
    column: 's.price_book',
    type: orNull(text),
    hashed: 'price_check.book',
    json: 'priceCheck.book',
    about: 'The book that offered that price.',
    copied: 'priceBook',
  },
  priceCapturedAt: {
    column: 's.price_captured_at',
    type: orNull(instant),
    hashed: 'price_check.captured_at',
    json: 'priceCheck.capturedAt',
    about: 'When that price was captured.',
    copied: 'priceCapturedAt',
  },
  priceCounted: {
    column: 's.price_counted',
    type: orNull(price),
    hashed: 'price_check.counted_american',
    json: 'priceCheck.countedAmerican',
    about: 'The odds at which the pick counts: the lower of its own and that price. Null: in no figure.',
    copied: 'priceCounted',
  },
  netUnitsE4: {
    column: 's.net_units_e4',
    type: netUnits,
    hashed: 'net_units_e4',
    json: 'netUnits',
    about: 'Net units at the counted odds. Empty while the pick is pending.',
    copied: 'netUnitsE4',
    exported: 'net_units',
  },
  grader: {
    column: 's.grader',
    type: text,
    hashed: 'grader',
    json: 'grader',
    about:
      'What decided the result: `score`, `first_half_score`, `sets`, `stat`, `result`, `cancelled`, `postponed`, or `claim`.',
  },
  lastLineId: { column: 's.last_line_id', type: integer, byDatabase: true },
} as const satisfies Record<string, EventField>;

export type StoredClosing = StoredFields<typeof closedFields>;
export type StoredSettlement = StoredFields<typeof settledFields>;

const pick = {
  pickId: { column: 'p.pick_id', type: integer },
  uuid: { column: 'p.uuid', type: text, hashed: 'uuid' },
} as const;

export const closingInsert = insertOf({ pickId: pick.pickId, ...closedFields });
export const settlementInsert = insertOf({ pickId: pick.pickId, ...settledFields });

/** The bodies of events, without the link to the event before. `uuid` names their pick. */
export const closedBody = bodyOf<
  StoredClosing & { uuid: string },
  Omit<Bodies['closed'], 'prev' | 'prices_to'>
>({
  uuid: pick.uuid,
  ...closedFields,
});
export const settledBody = bodyOf<
  StoredSettlement & { uuid: string },
  Omit<Bodies['settled'], 'prev' | 'prices_to'>
>({
  uuid: pick.uuid,
  ...settledFields,
});

/** A closing or settlement as the timeline and the stream show it, without its time. */
export const shownClosing = shownBy<StoredClosing, ShownClosing>(closedFields);
export const shownSettlement = shownBy<StoredSettlement, ShownSettlement>(settledFields);

export interface ShownClosing {
  oddsAmerican: number;
  oddsDecimal: number;
  line: number | null;
  book: string | null;
  capturedAt: string;
  clvBps: number;
}

export interface ShownSettlement
  extends Pick<
    StoredSettlement,
    'result' | 'half' | 'awayScore' | 'homeScore' | 'sets' | 'played' | 'grader'
  > {
  stat: { name: string; value: number } | null;
  priceCheck: Record<string, string | number | null> | null;
  netUnits: number;
}

export function closingFields(
  { prices, ...closing }: Closing,
  closedAt: number,
  { snapshots, byHand }: ClosingMarket,
  pick: EdgePick,
) {
  const { oddsAmerican, lineE3, book, capturedAt, clvBps } = closing;
  const sides = prices.map(({ side, oddsAmerican: odds }) => ({ side, odds_american: odds }));
  const fair = fairClose(pick, snapshots.values());
  return {
    closedAt,
    oddsAmerican,
    lineE3,
    book,
    capturedAt,
    clvBps,
    prices: sides,
    fairE9: fair?.chanceE9 ?? null,
    fairBooks: fair?.books ?? null,
    edgeMethod: fair?.method ?? null,
    edgeSource: fair === null ? null : byHand ? ('hand' as const) : ('provider' as const),
  };
}

export function priceFields(check: PriceCheck | null) {
  return {
    priceVerdict: check?.verdict ?? null,
    priceOdds: check?.oddsAmerican ?? null,
    priceBook: check?.book ?? null,
    priceCapturedAt: check?.capturedAt ?? null,
    priceCounted: check?.countedAmerican ?? null,
  };
}

type CopiedName<F> = {
  [Name in keyof F]: F[Name] extends { copied: string } ? Name : never;
}[keyof F];
type Copied<F extends Record<string, EventField>> = {
  [Name in CopiedName<F> as F[Name] extends { copied: infer As extends string } ? As : never]: ReturnType<
    F[Name]['type']['read']
  > | null;
};

/** The fields of a closing and settlement that boards copy. Null while there is none. */
export type CopiedEvents = Copied<typeof closedFields> & Copied<typeof settledFields>;

export interface CopiedField {
  name: keyof CopiedEvents;
  column: string;
  source: string;
  field: EventField;
}

export const copiedFields = { closed: copiedOf(closedFields), settled: copiedOf(settledFields) };

function copiedOf(fields: Readonly<Record<string, EventField>>): CopiedField[] {
  return Object.values(fields).flatMap((field) =>
    field.copied === undefined
      ? []
      : {
          name: field.copied as keyof CopiedEvents,
          column: snakeCase(field.copied),
          source: field.column,
          field,
        },
  );
}
