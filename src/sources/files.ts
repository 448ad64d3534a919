import { createReadStream, type ReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { RowOutcome } from '../games/row-outcome.ts';
import { schedule } from '../intake/game.ts';
import type { RowIntake, RowKind } from '../intake/kind.ts';
import { type FileKind, fileKinds, kinds } from '../intake/kinds.ts';
import { asOpenImport } from '../ledger/grading/open-imports.ts';
import { type Database, type Transaction, undone } from '../platform/database.ts';
import { ExpectedError } from '../platform/expected-error.ts';
import { type Checked, faultsText } from '../platform/schema.ts';
import { decoded, headOf } from '../sheets/csv.ts';
import {
  type CheckRow,
  csvRows,
  type FileRow,
  type SheetOptions,
  type SheetReport,
} from '../sheets/own-columns.ts';

/** Rows per transaction. Picks have a lower limit, so that workers seal and grade the first ones while the next are stored. */
const chunk: Readonly<Record<FileKind, number>> = {
  cappers: 5_000,
  games: 5_000,
  lines: 5_000,
  picks: 1_000,
  results: 5_000,
  stats: 5_000,
};

/** A refused row and the reason. */
export interface Refusal {
  file: string;
  line: number;
  reason: string;
}

export type Counts = Record<RowOutcome['outcome'], number>;

export interface RowsOfFile {
  file: string;
  kind: FileKind;
  rows?: readonly FileRow[];
}

export interface IngestReport {
  onRefusal(refusal: Refusal): void;
  /** Called after each chunk is stored, with the bytes of its file read so far. */
  onProgress(file: string, bytesDone: number, bytesTotal: number): void;
  /** Called after each transaction. */
  onChunk(kind: FileKind): void;
}

export interface Batch {
  counts: Record<FileKind, Counts>;
  /** Notes on stored rows, such as an unknown team, each with the number of rows. */
  notes: Map<string, number>;
  /** For each CSV file with odds, a sentence on their format. */
  odds: string[];
}

export interface FileIntake extends RowIntake, SheetOptions {
  /** Rolls everything back at the end. The report shows what would be stored. */
  isTrial?: boolean;
}

/** A path that cannot be ingested. The message is a sentence with the reason. */
export class IngestError extends ExpectedError {
  override name = 'IngestError';
}

/**
 * Ingests files as one batch, in the order of {@link steps}, whatever the order of files and rows. It is idempotent. A file named `.csv` or
 * `.tsv` is CSV with a header; any other is newline-delimited JSON. A bad row is reported, and the rest is stored. Games with imported
 * picks are not graded until everything is stored. Memory is bounded by two chunks, because the next one is read while one is stored, and
 * by one outcome per row of a game.
 * @param inputs files and folders, named after their kind (`picks.ndjson`, `2024-games.csv`), or rows
 * @throws IngestError if a path is missing or its kind is unknown
 */
export async function ingestFiles(
  database: Database,
  inputs: readonly (string | RowsOfFile)[],
  intake: FileIntake,
  report: IngestReport,
): Promise<Batch> {
  const paths = inputs.filter((input) => typeof input === 'string');
  const files = [...(await filesOf(paths)), ...inputs.filter((input) => typeof input !== 'string')];
  const counts = Object.fromEntries(
    fileKinds.map((kind) => [kind, { added: 0, updated: 0, unchanged: 0, 'left out': 0, refused: 0 }]),
  ) as Record<FileKind, Counts>;
  const notes = new Map<string, number>();
  const note = (text: string) => notes.set(text, (notes.get(text) ?? 0) + 1);
  const odds: string[] = [];
  async function* chunks(): AsyncGenerator<Chunk> {
    for (const step of steps)
      for (const input of files.filter(({ kind }) => kind === kindOfStep(step)))
        yield* chunksOf(input, step, intake, {
          onUnread: (header) => step !== 'endings' && note(`${input.file}: the column ${header} is not read`),
          onOdds: (text) => odds.push(`${input.file}: ${text}`),
        });
  }
  /** The outcomes of the games step by row, without refusals. */
  const scheduled = new Map<string, Applied>();
  const store = async ({ file, step, rows, bytes }: Chunk, within: Within) => {
    const kind = kindOfStep(step);
    const keyOf = (line: number) => `${line} ${file}`;
    const refuse = (line: number, reason: string) => {
      counts[kind].refused += 1;
      report.onRefusal({ file, line, reason });
    };
    const valid: { line: number; row: unknown }[] = [];
    for (const { line, checked } of rows) {
      // The games step reported its faults.
      if (step === 'endings' && !scheduled.has(keyOf(line))) continue;
      if (checked.ok) valid.push({ line, row: checked.value });
      else refuse(line, faultsText(checked.faults));
    }
    if (valid.length > 0) {
      const apply = (step === 'games' ? schedule : kinds[kind].apply) as RowKind['apply'];
      const given = valid.map(({ row }) => row);
      const outcomes = await within((transaction) =>
        apply(transaction, given, { ...intake, isSheet: isCsv(file) }),
      );
      outcomes.forEach((outcome, index) => {
        const { line } = valid[index]!;
        if (outcome.outcome === 'refused') refuse(line, outcome.reason);
        else if (step === 'games') scheduled.set(keyOf(line), outcome.outcome);
        else if (step === 'endings') counts.games[overall(scheduled.get(keyOf(line))!, outcome.outcome)] += 1;
        else counts[kind][outcome.outcome] += 1;
        if (outcome.note !== undefined && step !== 'endings') note(outcome.note);
      });
      report.onChunk(kind);
    }
    report.onProgress(file, bytes.done, bytes.total);
  };
  const storeAll = async (within: Within) => {
    for await (const chunk of readAhead(chunks())) await store(chunk, within);
  };
  if (intake.isTrial === true) await undone(database, (transaction) => storeAll((work) => work(transaction)));
  else await asOpenImport(database, () => storeAll((work) => database.transaction(work)));
  return { counts, notes, odds };
}

type Within = <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>;

/**
 * Returns the input of a path in the service's own layout: a folder, newline-delimited JSON of a known kind, CSV whose header has every
 * required field, or the rows of a JSON array. Undefined for a sheet, which src/sheets reads.
 */
export async function ownInput(path: string): Promise<string | RowsOfFile | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true) return path;
  const kind = kindOf(path);
  const type = extname(path).toLowerCase();
  if (kind === undefined) return undefined;
  if (type === '.ndjson') return path;
  if (type === '.json') return ownRows(path, kind, await readFile(path, 'utf8'));
  if (!isCsv(path)) return undefined;
  if (kind !== 'picks') return path;
  const report = { onUnread() {}, onOdds() {} };
  for await (const { checked } of csvRows(createReadStream(path), kind, checkOf(kind), {}, report))
    return checked.ok || !faultsText(checked.faults).endsWith('nothing of the file was read')
      ? path
      : undefined;
  return path;
}

function ownRows(file: string, kind: FileKind, text: string): RowsOfFile | undefined {
  let values: unknown;
  try {
    values = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!Array.isArray(values)) return undefined;
  const rows = values.map((value, at) => checkedRow(kind, at + 1, value));
  return kind !== 'picks' || rows.some(({ checked }) => checked.ok) ? { file, kind, rows } : undefined;
}

/** Checks a value as a row of a kind, like a row of a file. */
export function checkedRow(kind: FileKind, line: number, value: unknown): FileRow {
  return { line, checked: checkOf(kind)(value) };
}

/**
 * The steps of a batch, in order. Rows of games are applied twice: first their starts, then, after all prices and picks, their results.
 * Otherwise picks of an earlier batch would settle before their prices are stored.
 */
const steps = ['cappers', 'games', 'lines', 'picks', 'endings', 'results', 'stats'] as const;
type Step = (typeof steps)[number];

function kindOfStep(step: Step): FileKind {
  return step === 'endings' ? 'games' : step;
}

type Applied = Exclude<RowOutcome['outcome'], 'refused'>;

/** Returns the outcome of a row of a game over both steps. */
function overall(scheduled: Applied, ended: Applied): Applied {
  if (ended === 'left out') return ended;
  return scheduled === 'unchanged' ? ended : scheduled;
}

async function filesOf(paths: readonly string[]): Promise<RowsOfFile[]> {
  const files: RowsOfFile[] = [];
  for (const path of paths) {
    const found = await stat(path).catch(() => undefined);
    if (found === undefined) throw new IngestError(`There is no file or folder ${path}.`);
    if (!found.isDirectory()) {
      const kind = kindOf(path);
      if (kind === undefined)
        throw new IngestError(
          `The kind of the rows in ${path} is unknown. Put one of these words in the file's name: ${fileKinds.join(', ')}.`,
        );
      files.push({ file: path, kind });
      continue;
    }
    const inside = (await readdir(path))
      .sort()
      .filter((name) => (name.endsWith('.ndjson') || isCsv(name)) && kindOf(name) !== undefined);
    if (inside.length === 0)
      throw new IngestError(`The folder ${path} has no file such as picks.ndjson or picks.csv.`);
    files.push(...inside.map((name) => ({ file: join(path, name), kind: kindOf(name)! })));
  }
  return files;
}

/** Returns the kind that a file's name contains last: `moneylines-picks.csv` has picks. */
function kindOf(path: string): FileKind | undefined {
  const name = basename(path).toLowerCase();
  const named = fileKinds.filter((kind) => name.includes(kind));
  const [last] = named.sort((one, other) => name.lastIndexOf(other) - name.lastIndexOf(one));
  // The record export has picks in the service's own columns.
  return last ?? (isCsv(path) && name.includes('export') ? 'picks' : undefined);
}

function isCsv(path: string): boolean {
  return ['.csv', '.tsv'].includes(extname(path).toLowerCase());
}

/** Rows of a file that are stored in one transaction. */
interface Chunk {
  file: string;
  step: Step;
  rows: FileRow[];
  /** Bytes of the file: read so far, and in total. */
  bytes: { done: number; total: number };
}

/** Yields the rows of a file in chunks. If the file is read here, the last chunk reports all its bytes, even without rows. */
async function* chunksOf(
  { file, rows: given }: RowsOfFile,
  step: Step,
  options: SheetOptions,
  report: SheetReport,
): AsyncGenerator<Chunk> {
  const kind = kindOfStep(step);
  if (given !== undefined) {
    for (let at = 0; at < given.length; at += chunk[kind])
      yield { file, step, rows: given.slice(at, at + chunk[kind]), bytes: { done: at, total: given.length } };
    return;
  }
  const { size: total } = await stat(file);
  const stream = createReadStream(file);
  const read = isCsv(file) ? csvRows(stream, kind, checkOf(kind), options, report) : jsonRows(stream, kind);
  let rows: FileRow[] = [];
  for await (const row of read) {
    rows.push(row);
    if (rows.length < chunk[kind]) continue;
    yield { file, step, rows, bytes: { done: stream.bytesRead, total } };
    rows = [];
  }
  yield { file, step, rows, bytes: { done: total, total } };
}

/** Yields the values of a generator in order, and produces the next one while the caller works on the last. */
async function* readAhead<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    for (let next = source.next(); ; ) {
      const { done, value } = await next;
      if (done === true) return;
      next = source.next();
      // Its error is thrown once it is awaited.
      next.catch(() => {});
      yield value;
    }
  } finally {
    await source.return(undefined);
  }
}

async function* jsonRows(stream: ReadStream, kind: FileKind): AsyncGenerator<FileRow> {
  let line = 0;
  const { encoding } = await headOf(stream.path as string);
  const input = Readable.from(decoded(stream, encoding));
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    line += 1;
    if (text.trim() !== '') yield { line, checked: checkText(kind, text) };
  }
}

export function checkOf(kind: FileKind): CheckRow {
  const { check, checkInFile = check }: RowKind = kinds[kind];
  return checkInFile;
}

function checkText(kind: FileKind, text: string): Checked<unknown> {
  if (text.includes('\ufffd'))
    return { ok: false, faults: [{ path: '', message: 'the text is not in UTF-8 or UTF-16' }] };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, faults: [{ path: '', message: 'the line is not JSON' }] };
  }
  return checkOf(kind)(value);
}
