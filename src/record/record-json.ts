import { iso, isoOrNull } from '../platform/clock.ts';
import { ByteWriter } from './byte-writer.ts';
import type { CopiedRow } from './copied-row.ts';
import { cellOf, columnNamed, jsonColumns, permalink } from './export-columns.ts';
import { type ExportFilter, rowCap } from './export-filter.ts';
import type { RecordWriter } from './export-rows.ts';
import { type Piece, pieceOf } from './pieces.ts';

const contract =
  'The ledger is append-only: rows are locked at post time, and there are no retroactive edits or deletes. ' +
  'A pick gains its closing price and its result once; nothing else about it ever changes.';

/** The address of the JSON Schema of the export. */
export function schemaUrl(baseUrl: string): string {
  return `${baseUrl}/record/export.schema.json`;
}

const [space, quote, comma, backslash, brace] = [32, 34, 44, 92, 125] as const;

const form = {
  text:
    (of: number): Piece =>
    (row, out) => {
      if (isPlain(row, of)) {
        out.byte(quote);
        out.cell(row, of);
        out.byte(quote);
      } else out.text(JSON.stringify(row.text(of)));
    },
  none: 'null',
  quote: '"',
};

/** The fields of a row, in order. */
function fields(baseUrl: string): (readonly [name: string, write: Piece])[] {
  const link = Buffer.from(JSON.stringify(`${baseUrl}/record/`).slice(0, -1));
  const id = cellOf.get('id')!;
  const sport = cellOf.get('sport')!;
  const special: Readonly<Record<string, Piece>> = {
    sport(row, out) {
      out.byte(quote);
      out.upper(row, sport);
      out.byte(quote);
    },
    [permalink](row, out) {
      out.constant(link);
      out.cell(row, id);
      out.byte(quote);
    },
  };
  return jsonColumns.map((name) => [name, special[name] ?? pieceOf(name, form)]);
}

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
  const pieces = fields(baseUrl).map(([name, write], index) => ({
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

/** The JSON Schema of a column's values. */
function valueSchema(name: string): object {
  if (name === permalink) return { type: 'string', format: 'uri', description: 'The page of the row.' };
  const { type, about } = columnNamed(name);
  const { enum: values } = type.shown as { enum?: readonly string[] };
  const kind = {
    ...{ timestamptz: 'string', text: 'string', uuid: 'string', boolean: 'boolean' },
    ...{ int: type.scaled ? 'number' : 'integer', bigint: 'integer' },
  }[type.sql];
  return {
    ...(values === undefined ? { type: kind } : { enum: values }),
    ...(type.sql === 'timestamptz' ? { format: 'date-time' } : {}),
    ...(type.nullable ? nullable(kind) : {}),
    description: about,
  };
}

/** The JSON Schema of {@link recordJson}'s text. */
export function recordJsonSchema(baseUrl: string): object {
  const row = Object.fromEntries(jsonColumns.map((name) => [name, valueSchema(name)]));
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
