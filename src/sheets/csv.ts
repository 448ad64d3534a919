import { open } from 'node:fs/promises';
import { type CsvError, parse } from 'csv-parse';
import { type Delimiter, delimiters } from '../intake/cells.ts';

/** Maximum length of a row, in characters. An unclosed quote makes one row of everything after it. */
const maxRow = 100_000;

/** Number of bytes in which the encoding and the delimiter are detected. */
const headBytes = 16_384;

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** Reads the start of a text file. */
export async function headOf(path: string): Promise<{ encoding: Encoding; text: string }> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const bytes = buffer.subarray(0, bytesRead);
    const encoding = encodingOf(bytes);
    return { encoding, text: new TextDecoder(encoding).decode(bytes) };
  } finally {
    await file.close();
  }
}

/** Detects UTF-16 by its byte order mark or by a zero byte beside the first ASCII character. */
export function encodingOf([first, second]: Buffer): Encoding {
  if (second !== undefined && ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)))
    return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== undefined && second !== 0))
    return 'utf-16be';
  return 'utf-8';
}

/** Decodes a file, without its byte order mark. Invalid bytes become U+FFFD. */
export async function* decoded(
  stream: AsyncIterable<unknown>,
  encoding: Encoding,
): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder(encoding);
  for await (const bytes of stream) yield decoder.decode(bytes as Buffer, { stream: true });
  yield decoder.decode();
}

/** Returns the delimiter that `sep=` names, or else the most frequent one in the first line that has several. */
export function delimiterOf(text: string): Delimiter {
  const lines = text.trimStart().split(/\r\n|\n|\r/, 20);
  const said = /^"?sep=(.)"?$/i.exec(lines[0]!.trim())?.[1];
  const named = delimiters.find((delimiter) => delimiter === said);
  if (named !== undefined) return named;
  const partsOf = (line: string) => delimiters.map((mark) => line.split(mark).length);
  const header = lines.find((line) => Math.max(...partsOf(line)) > 2) ?? lines.join('\n');
  const parts = partsOf(header);
  return delimiters[parts.indexOf(Math.max(...parts))]!;
}

/** A record of a file, or why the reading ended. */
export interface CsvRecord {
  line: number;
  cells: string[] | { fault: string };
}

/** Yields the records that are not blank. Writes to the parser chunk by chunk: piped, it would drop the records before an error. */
export async function* records(
  text: AsyncIterable<string> | Iterable<string>,
  delimiter: Delimiter,
): AsyncGenerator<CsvRecord> {
  let found: CsvRecord[] = [];
  let line = 1;
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: maxRow,
    on_record(record: string[], { lines }) {
      const cells = record.map((cell) => cell.trim());
      if (cells.some((cell) => cell !== '')) found.push({ line, cells });
      line = lines + 1;
      return null;
    },
  });
  let failed: CsvError | undefined;
  parser.on('error', (error: CsvError) => {
    failed = error;
  });
  parser.resume();
  const fed = (feed: (done: () => void) => void) => new Promise<void>((done) => feed(done));
  for await (const chunk of text) {
    await fed((done) => parser.write(chunk, () => done()));
    yield* found;
    found = [];
    if (failed !== undefined) break;
  }
  if (failed === undefined) {
    await fed((done) => parser.once('close', done).end());
    yield* found;
  }
  if (failed !== undefined) yield { line, cells: { fault: faultText(failed) } };
}

function faultText({ code, message }: CsvError): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'a quote is not closed; nothing after it was read';
  if (code === 'CSV_MAX_RECORD_SIZE')
    return `the row is longer than ${maxRow} characters, as when a quote is not closed; nothing after it was read`;
  return `${message}; nothing after it was read`;
}
