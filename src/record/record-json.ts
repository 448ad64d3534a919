import { iso, isoOrNull } from '../platform/clock.ts';
import { ByteWriter } from './byte-writer.ts';
import type { CopiedRow } from './copied-row.ts';
import { type ExportFilter, rowCap } from './export-filter.ts';
import { cellOf, type RecordWriter, recordColumns } from './export-rows.ts';
import { type Piece, result, units } from './pieces.ts';

const contract =
  'The ledger is append-only: rows are locked at post time, and there are no retroactive edits or deletes. ' +
  'A pick gains its closing price and its result once; nothing else about it ever changes.';

/** The address of the JSON Schema of the export. */
export function schemaUrl(baseUrl: string): string {
  return `${baseUrl}/record/export.schema.json`;
}

const [space, quote, comma, backslash, brace] = [32, 34, 44, 92, 125] as const;

const orNull =
  (of: number, write: Piece): Piece =>
  (row, out) => {
    if (row.isNull(of)) out.text('null');
    else write(row, out);
  };
const quoted =
  (write: Piece): Piece =>
  (row, out) => {
    out.text('"');
    write(row, out);
    out.text('"');
  };
const number = (of: number): Piece => orNull(of, (row, out) => out.cell(row, of));
const instant = (of: number): Piece =>
  orNull(
    of,
    quoted((row, out) => out.instant(row, of)),
  );
const text = (of: number): Piece => {
  const plainly = quoted((row, out) => out.cell(row, of));
  return (row, out) => {
    if (isPlain(row, of)) plainly(row, out);
    else out.text(JSON.stringify(row.text(of)));
  };
};

/** The fields of a row of version 1 (docs/decisions/0017-record-export.md): these and their order never change, new ones come at the end. */
const fields = (baseUrl: string): Readonly<Record<string, Piece>> => {
  const link = Buffer.from(JSON.stringify(`${baseUrl}/record/`).slice(0, -1));
  return {
    id: number(cellOf.id),
    sport: quoted((row, out) => out.upper(row, cellOf.sport)),
    game: text(cellOf.game),
    market: text(cellOf.market),
    pick: text(cellOf.pick),
    odds_american: number(cellOf.odds),
    stake_units: units,
    result: quoted(result),
    posted_at: instant(cellOf.postedAt),
    graded_at: instant(cellOf.gradedAt),
    closing_odds: number(cellOf.closingOdds),
    clv_bps: number(cellOf.clvBps),
    source: text(cellOf.source),
    permalink(row, out) {
      out.constant(link);
      out.cell(row, cellOf.id);
      out.byte(quote);
    },
    provenance: text(cellOf.provenance),
  };
};

/**
 * The JSON export, version 1.
 * @param now epoch milliseconds
 * @param out what it is written to, cleared first; default: room of its own
 */
export function recordJson(
  filter: ExportFilter,
  baseUrl: string,
  now: number,
  out = new ByteWriter(),
): RecordWriter {
  const pieces = Object.entries(fields(baseUrl)).map(([name, write], index) => ({
    before: Buffer.from(`${index === 0 ? '{' : ','}"${name}":`),
    write,
  }));
  const end = ']}';
  const head = (count: number) =>
    Buffer.from(envelope(filter, baseUrl, now, { count, isReachable: true }).slice(0, -end.length));
  // Known when the rows are written. Of a count that is smaller the head is shorter: what is left of the room is at its front.
  const room = head(filter.limit).length;
  let count = 0;
  out.clear();
  out.skip(room);
  return {
    columns: recordColumns.length,
    row(row) {
      if (count > 0) out.byte(comma);
      count += 1;
      for (const { before, write } of pieces) {
        out.constant(before);
        write(row, out);
      }
      out.byte(brace);
    },
    end() {
      out.text(end);
      const written = head(count);
      const start = room - written.length;
      out.bytes.set(written, start);
      return out.bytes.subarray(start);
    },
  };
}

/** The parts of an export without the instant at which it was made. */
export function untimed(content: Buffer): Buffer[] {
  const stamp = '"generated_at":"';
  const at = content.indexOf(stamp) + stamp.length;
  return [content.subarray(0, at), content.subarray(content.indexOf('"', at))];
}

/** The same while the data store is out of reach. */
export function unreachableJson(filter: ExportFilter, baseUrl: string, now: number): string {
  return envelope(filter, baseUrl, now, { count: 0, isReachable: false });
}

/** The export without its rows, which come last. */
function envelope(
  { since, sport, limit }: ExportFilter,
  baseUrl: string,
  now: number,
  { count, isReachable }: { count: number; isReachable: boolean },
): string {
  return JSON.stringify({
    schema: schemaUrl(baseUrl),
    generated_at: iso(now),
    filters: { since: isoOrNull(since), sport, limit },
    row_cap: rowCap,
    count,
    db_reachable: isReachable,
    contract,
    picks: [],
  });
}

/** Whether JSON escapes nothing of a text. */
function isPlain(row: CopiedRow, of: number): boolean {
  const { bytes } = row;
  for (let at = row.start(of); at < row.end(of); at += 1) {
    const byte = bytes[at]!;
    if (byte < space || byte === quote || byte === backslash) return false;
  }
  return true;
}

const nullable = (type: string) => ({ type: [type, 'null'] });
const timestamp = { type: 'string', format: 'date-time' };

/** The JSON Schema of {@link recordJson}'s text. */
export function recordJsonSchema(baseUrl: string): object {
  const row = {
    id: { type: 'integer' },
    sport: { type: 'string' },
    game: { type: 'string' },
    market: { type: 'string' },
    pick: { type: 'string' },
    odds_american: { type: 'integer' },
    stake_units: { type: 'number' },
    result: { enum: ['pending', 'win', 'loss', 'push', 'void'] },
    posted_at: timestamp,
    graded_at: { ...timestamp, ...nullable('string') },
    closing_odds: nullable('integer'),
    clv_bps: nullable('integer'),
    source: { type: 'string' },
    permalink: { type: 'string', format: 'uri' },
    provenance: { enum: ['live', 'imported'] },
  };
  const filters = {
    since: { ...timestamp, ...nullable('string') },
    sport: nullable('string'),
    limit: { type: 'integer', minimum: 1, maximum: rowCap },
  };
  const envelope = {
    schema: { type: 'string', format: 'uri' },
    generated_at: timestamp,
    filters: { type: 'object', properties: filters, required: Object.keys(filters) },
    row_cap: { const: rowCap },
    count: { type: 'integer', minimum: 0, maximum: rowCap },
    db_reachable: { type: 'boolean' },
    contract: { type: 'string' },
    picks: { type: 'array', items: { type: 'object', properties: row, required: Object.keys(row) } },
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: schemaUrl(baseUrl),
    title: 'Record export, version 1',
    type: 'object',
    properties: envelope,
    required: Object.keys(envelope),
  };
}
