import { copiedFields } from '../ledger/events.ts';
import type { Field } from '../ledger/field.ts';
import { pickFields } from '../ledger/pick.ts';
import { type AnyType, flag, id, integer, orNull, price, stake, word } from '../ledger/value-types.ts';
import { Type } from '../platform/type.ts';
import { results } from '../rules/vocabulary.ts';

export interface ExportColumn {
  /** The column's name in JSON, and in CSV unless `csv` is set. */
  name: string;
  csv?: string;
  /** Its SQL expression over `board_picks as p`, joined with `games as g`. */
  source: string;
  type: AnyType;
  about: string;
}

/** Columns whose source, type, or meaning differs from that in the ledger or the API. */
const changes: Readonly<Record<string, Partial<ExportColumn>>> = {
  id: { source: 'p.pick_id' },
  // Not a join: if PostgreSQL expects few rows, it joins by reading all cappers for each.
  capper: { source: '(select c.handle from cappers c where c.id = p.capper_id)' },
  sport: { source: 'p.sport', about: 'A sport key, such as nfl. In upper case in JSON.' },
  starts_at: { about: 'The start of the game as known when the pick was posted.' },
  book: { about: 'The book whose odds were taken, if the capper named one.' },
  source: { about: 'A label that says where the pick came from.' },
  provenance: { about: 'live, or imported from a file.' },
  closing_odds: { csv: 'closing_odds_american' },
  result: {
    source: "coalesce(p.result, 'pending')",
    type: word(Type.Enum(['pending', ...results])),
  },
  half: { source: 'coalesce(p.half, false)', type: flag },
  net_units: { type: orNull(stake) },
  price_verdict: { source: 'case when p.result is not null then p.price_verdict end' },
};

/** @param sourceOf returns the source of a field in `board_picks as p` */
function exportedOf(
  fields: readonly Field[],
  sourceOf: (field: Field, at: number) => string,
): ExportColumn[] {
  return fields.flatMap((field, at) => {
    const { type, exported, about = '' } = field;
    if (exported === undefined) return [];
    return { name: exported, source: sourceOf(field, at), type, about, ...changes[exported] };
  });
}

const copied = [...copiedFields.closed, ...copiedFields.settled];

/** Columns that nothing of the ledger stores as such. */
const derived: readonly ExportColumn[] = [
  {
    name: 'edge_bps',
    source: 'p.edge_bps',
    type: orNull(integer),
    about:
      'Expected value at the no-vig closing probability for the line taken, in basis points. Empty if unknown.',
  },
  {
    name: 'counted_odds',
    source: 'case when p.result is not null then p.counted_odds end',
    type: orNull(price),
    about:
      'The odds at which the pick counts: the lower of its own and the price that could be had. Empty while the pick is pending, and if it counts in no figure.',
  },
  {
    name: 'counted_clv_bps',
    source: 'case when p.result is not null then p.clv_counted_bps end',
    type: orNull(integer),
    about: 'Closing line value of the counted odds, in basis points. Empty without closing odds.',
  },
  {
    name: 'game_id',
    source: 'p.game_id',
    type: id,
    about: 'The number of the game: its page is `/game/<game_id>`.',
  },
  {
    name: 'author_signed',
    source: 'p.author_key is not null',
    type: flag,
    about: "Whether the capper's own key signed the pick.",
  },
];

export const exportColumns: readonly ExportColumn[] = [
  ...exportedOf(Object.values<Field>(pickFields), ({ column }) => column),
  ...exportedOf(
    // Null until the event has happened.
    copied.map(({ field }) => ({ ...field, type: orNull(field.type as never) })),
    (_, at) => `p.${copied[at]!.column}`,
  ),
  ...derived,
];

export type ExportRow = Readonly<Record<string, string | number | boolean | null>>;

export const permalink = 'permalink';

export function permalinkOf({ id }: ExportRow, baseUrl: string): string {
  return `${baseUrl}/record/${id}`;
}

/** The columns of the specified interface, in JSON order. */
const interfaceJson =
  `id sport game market pick odds_american stake_units result posted_at graded_at closing_odds clv_bps source
${permalink}`.split(/\s/);

/** The columns of the specified interface, in CSV order, without the source. */
const interfaceCsv =
  `id sport game market pick odds_american closing_odds clv_bps stake_units result posted_at graded_at
${permalink}`.split(/\s/);

/** Further columns, sufficient to recompute every record, streak, and leaderboard. Add new columns at the end. */
const appended =
  `uuid capper capper_tier subject side line starts_at book provenance half closing_line edge_bps net_units price_verdict author_signed
counted_odds counted_clv_bps edge_method edge_source game_id`.split(/\s/);

/** The column names of each format, in order (docs/rules/answers.md#the-record-export). */
export const jsonColumns: readonly string[] = [...interfaceJson, ...appended];
export const csvColumns: readonly string[] = [...interfaceCsv, ...appended];

export function csvName(name: string): string {
  return name === permalink ? name : (columnNamed(name).csv ?? name);
}

/** @throws RangeError if no column has the name */
export function columnNamed(name: string): ExportColumn {
  const column = exportColumns.find((each) => each.name === name);
  if (column === undefined) throw new RangeError(`the export has no column ${name}`);
  return column;
}
