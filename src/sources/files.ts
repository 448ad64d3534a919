import { createReadStream, type ReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { applyCappers, checkCapper } from '../cappers/cappers.ts';
import { applyGames, applySchedule } from '../games/apply-games.ts';
import { checkGame, type GameRow, gameKey } from '../games/game.ts';
import { applyLines, checkLine, type LineRow } from '../games/lines.ts';
import { applyResolved } from '../games/resolve.ts';
import { applyResults, checkResult, type ResultRow } from '../games/results.ts';
import type { Intake, NotedOutcome, RowOutcome } from '../games/row-outcome.ts';
import { applyStats, checkStats, type StatsRow } from '../games/stats.ts';
import { asOpenImport } from '../ledger/grading/open-imports.ts';
import { importPicks } from '../ledger/posting/import-picks.ts';
import { withCorrections } from '../ledger/posting/notices.ts';
import { checkImportedPick, type ImportedPickRow } from '../ledger/posting/pick-row.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { ExpectedError } from '../platform/expected-error.ts';
import { type Checked, faultsText } from '../platform/schema.ts';
import { isAboutGame } from '../rules/markets/known.ts';
import { csvRows, type SheetOptions, type SheetReport } from './csv-rows.ts';
import { type CheckRow, type FileRow, type Kind, kinds } from './file-rows.ts';
import { decoded, headOf } from './file-text.ts';

/** Rows applied in one transaction. Fewer picks: workers seal and grade the first ones while the next are stored. */
const chunk: Readonly<Record<Kind, number>> = {
  cappers: 5_000,
  games: 5_000,
  lines: 5_000,
  picks: 1_000,
  results: 5_000,
  stats: 5_000,
};

/** A refused row, and why. */
export interface Refusal {
  file: string;
  line: number;
  reason: string;
}

/** Outcomes of the rows of a kind. */
export type Counts = Record<RowOutcome['outcome'], number>;

/** A file, or the rows of one that were read before. */
export interface RowsOfFile {
  file: string;
  kind: Kind;
  rows?: readonly FileRow[];
}

export interface IngestReport {
  onRefusal(refusal: Refusal): void;
  /** Called after bytes of a file were read. */
  onProgress(file: string, bytesDone: number, bytesTotal: number): void;
  /** Called after each transaction. */
  onChunk(kind: Kind): void;
}

export interface Batch {
  counts: Record<Kind, Counts>;
  /** What to know about rows that went in, with how many it concerns: unknown teams, games under other names. */
  notes: Map<string, number>;
  /** A sentence on the format of the odds in each CSV file that has any. */
  odds: string[];
}

/** What holds for all CSV files of a batch. */
export interface FileIntake extends Intake, SheetOptions {
  /** New games of which nothing says who is at home, by `gameKey`. */
  guessedHomes?: ReadonlySet<string>;
  /** Undoes everything at the end: what is reported is what would be stored. */
  isTrial?: boolean;
}

/** A path that cannot be ingested; the message is a sentence that says why. */
export class IngestError extends ExpectedError {
  override name = 'IngestError';
}

/**
 * Ingests files as one batch, in the order of {@link steps} whatever the order of files and rows. Files whose name ends in `.csv` or `.tsv`
 * are CSV with a header, the others newline-delimited JSON. Idempotent. Until all is stored,
 * games with imported picks are not graded. A bad row is reported and the rest goes in. Memory is bounded by two
 * chunks of rows, one read and checked while the one before is stored, and by an outcome for each row of a game.
 * @param inputs files or folders, whose names give their kind (`picks.ndjson`, `2024-games.csv`); or rows
 * @throws IngestError when a path is missing or its kind is unknown
 */
export async function ingestFiles(
  database: Database,
  inputs: readonly (string | RowsOfFile)[],
  intake: FileIntake,
  report: IngestReport,
): Promise<Batch> {
  const paths = inputs.filter((input) => typeof input === 'string');
  const files = [...(await filesOf(paths)), ...inputs.filter((input) => typeof input !== 'string')];
  const counts = Object.fromEntries(kinds.map((kind) => [kind, noCounts()])) as Record<Kind, Counts>;
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
  const scheduled = new ScheduledRows();
  const store = async ({ file, step, rows, bytes }: Chunk, within: Within) => {
    const kind = kindOfStep(step);
    const refuse = (line: number, reason: string) => {
      counts[kind].refused += 1;
      report.onRefusal({ file, line, reason });
    };
    const lines: Line[] = [];
    for (const { line, checked } of rows) {
      // The games step has reported it.
      if (step === 'endings' && scheduled.of(file, line) === undefined) continue;
      if (checked.ok) lines.push({ number: line, row: checked.value });
      else refuse(line, faultsText(checked.faults));
    }
    if (lines.length > 0) {
      const outcomes = await within((transaction) =>
        apply[step](transaction, lines, { ...intake, isSheet: isCsv(file) }),
      );
      outcomes.forEach((outcome, index) => {
        const { number } = lines[index]!;
        if (outcome.outcome === 'refused') refuse(number, outcome.reason);
        else if (step === 'games') scheduled.add(file, number, outcome.outcome);
        else if (step === 'endings') counts.games[inAll(scheduled.of(file, number)!, outcome.outcome)] += 1;
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

/** Runs work in a transaction. */
type Within = <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>;

/** Runs work in a transaction that is rolled back. */
async function undone(database: Database, work: (transaction: Transaction) => Promise<void>): Promise<void> {
  const done = new Error('the trial is over');
  await database
    .transaction(async (transaction) => {
      await work(transaction);
      throw done;
    })
    .catch((error: unknown) => {
      if (error !== done) throw error;
    });
}

/**
 * Whether the rows of a file are in the service's own layout: newline-delimited JSON of a kind, or CSV whose header has every required
 * field. Sheets of other layouts are read by src/sheets.
 */
export async function hasOwnLayout(path: string): Promise<boolean> {
  const kind = kindOf(path);
  if (!isCsv(path)) return extname(path).toLowerCase() === '.ndjson' && kind !== undefined;
  if (kind === undefined) return false;
  if (kind !== 'picks') return true;
  const report = { onUnread() {}, onOdds() {} };
  for await (const { checked } of csvRows(createReadStream(path), kind, checks[kind], {}, report))
    return checked.ok || !faultsText(checked.faults).endsWith('nothing of the file was read');
  return true;
}

/** The rows of a JSON array in the service's own layout; undefined if it is another one. */
export function ownRows(path: string, text: string): RowsOfFile | undefined {
  const kind = kindOf(path);
  let values: unknown;
  try {
    values = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (kind === undefined || !Array.isArray(values)) return undefined;
  const rows = values.map((value, at) => ({ line: at + 1, checked: checks[kind](value) }));
  return kind !== 'picks' || rows.some(({ checked }) => checked.ok) ? { file: path, kind, rows } : undefined;
}

/** Checks rows of picks and what belongs to them, as those of a file are. */
export function checkedRow(kind: Kind, line: number, value: unknown): FileRow {
  return { line, checked: checks[kind](value) };
}

/**
 * What is done with files, in order. Rows of games are applied twice: first their starts, and once all prices and picks are stored, how
 * they ended. Otherwise picks of an earlier batch would settle before their prices are stored.
 */
const steps = ['cappers', 'games', 'lines', 'picks', 'endings', 'results', 'stats'] as const;
type Step = (typeof steps)[number];

function kindOfStep(step: Step): Kind {
  return step === 'endings' ? 'games' : step;
}

type Applied = Exclude<RowOutcome['outcome'], 'refused'>;

/** What the games step did with rows that it did not refuse. */
class ScheduledRows {
  readonly #files = new Map<string, Map<number, Applied>>();

  add(file: string, line: number, outcome: Applied): void {
    const rows = this.#files.get(file);
    if (rows === undefined) this.#files.set(file, new Map([[line, outcome]]));
    else rows.set(line, outcome);
  }

  of(file: string, line: number): Applied | undefined {
    return this.#files.get(file)?.get(line);
  }
}

/** The outcome of a row of a game after both steps. */
function inAll(scheduled: Applied, ended: Applied): Applied {
  if (ended === 'left out') return ended;
  return scheduled === 'unchanged' ? ended : scheduled;
}

function noCounts(): Counts {
  return { added: 0, updated: 0, unchanged: 0, 'left out': 0, refused: 0 };
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
          `What the rows of ${path} are is unknown: its name must contain one of ${kinds.join(', ')}.`,
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

/** The kind that a file's name says last: `moneylines-picks.csv` has picks. */
function kindOf(path: string): Kind | undefined {
  const name = basename(path).toLowerCase();
  const said = kinds.filter((kind) => name.includes(kind));
  return said.sort((one, other) => name.lastIndexOf(other) - name.lastIndexOf(one))[0];
}

function isCsv(path: string): boolean {
  return ['.csv', '.tsv'].includes(extname(path).toLowerCase());
}

/** Rows of a file that are stored together. */
interface Chunk {
  file: string;
  step: Step;
  rows: FileRow[];
  /** Of the file: read so far, and in all. */
  bytes: { done: number; total: number };
}

/** The rows of a file in chunks. There is always a last one, with `bytes` in all; it may have no rows. */
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
  const read = isCsv(file) ? csvRows(stream, kind, checks[kind], options, report) : jsonRows(stream, kind);
  let rows: FileRow[] = [];
  for await (const row of read) {
    rows.push(row);
    if (rows.length < chunk[kind]) continue;
    yield { file, step, rows, bytes: { done: stream.bytesRead, total } };
    rows = [];
  }
  yield { file, step, rows, bytes: { done: total, total } };
}

/** What an iterator gives, in order; while one is worked on, the next is made ready. */
async function* readAhead<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    for (let next = source.next(); ; ) {
      const { done, value } = await next;
      if (done === true) return;
      next = source.next();
      // It is thrown when its turn has come.
      next.catch(() => {});
      yield value;
    }
  } finally {
    await source.return(undefined);
  }
}

async function* jsonRows(stream: ReadStream, kind: Kind): AsyncGenerator<FileRow> {
  let line = 0;
  const { encoding } = await headOf(stream.path as string);
  const input = Readable.from(decoded(stream, encoding));
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    line += 1;
    if (text.trim() !== '') yield { line, checked: checkText(kind, text) };
  }
}

const checks: Record<Kind, CheckRow> = {
  cappers: checkCapper,
  games: checkGame,
  lines: checkLine,
  picks: checkImportedPick,
  results: checkResult,
  stats: checkStats,
};

function checkText(kind: Kind, text: string): Checked<unknown> {
  if (text.includes('\ufffd'))
    return { ok: false, faults: [{ path: '', message: 'the text is not in UTF-8 or UTF-16' }] };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, faults: [{ path: '', message: 'the line is not JSON' }] };
  }
  return checks[kind](value);
}

interface Line {
  number: number;
  row: unknown;
}

type Apply = (
  transaction: Transaction,
  lines: readonly Line[],
  intake: FileIntake & { isSheet: boolean },
) => Promise<NotedOutcome[]>;

/** The casts are safe: each row passed the schema of its kind. */
const apply: Record<Step, Apply> = {
  cappers: (transaction, lines, intake) => applyCappers(transaction, rowsOf(lines), intake),
  games: (transaction, lines, intake) =>
    applyResolved(transaction, rowsOf<GameRow>(lines), { creates: true }, (rows) =>
      applySchedule(transaction, rows, intake, (row) => intake.guessedHomes?.has(gameKey(row)) === true),
    ),
  endings: (transaction, lines, intake) =>
    applyResolved(transaction, rowsOf<GameRow>(lines), { creates: true }, async (rows) =>
      withCorrections(transaction, await applyGames(transaction, rows, intake), intake),
    ),
  lines: (transaction, lines, intake) =>
    applyResolved(transaction, rowsOf<LineRow>(lines), {}, (rows) =>
      withSubjects(rows, intake, (about) => applyLines(transaction, about, intake)),
    ),
  picks: (transaction, lines, intake) =>
    applyResolved(transaction, rowsOf<ImportedPickRow>(lines), {}, (rows) =>
      withSubjects(rows, intake, (about) => importPicks(transaction, about, intake)),
    ),
  results: (transaction, lines, intake) =>
    applyResolved(transaction, rowsOf<ResultRow>(lines), {}, (rows) =>
      withSubjects(rows, intake, async (about) =>
        withCorrections(transaction, await applyResults(transaction, about, intake), intake),
      ),
    ),
  stats: (transaction, lines, intake) =>
    applyResolved(transaction, rowsOf<StatsRow>(lines), {}, async (rows) =>
      withCorrections(transaction, await applyStats(transaction, rows, intake), intake),
    ),
};

/**
 * Applies rows of a market. A sheet has no column of subjects: a row about a game itself gets the title of the game, and says so
 * (docs/rules/markets.md#subjects). Other files name their subjects.
 */
async function withSubjects<T extends { game: string; market: string; subject?: string | null }>(
  rows: readonly T[],
  { isSheet }: { isSheet: boolean },
  applyRows: (rows: T[]) => Promise<NotedOutcome[]>,
): Promise<NotedOutcome[]> {
  const isGuess = ({ market, subject }: T) => isSheet && subject == null && isAboutGame(market);
  const outcomes = await applyRows(rows.map((row) => (isGuess(row) ? { ...row, subject: row.game } : row)));
  return outcomes.map((outcome, at) => {
    if (!isGuess(rows[at]!) || outcome.outcome === 'refused') return outcome;
    const { market, game } = rows[at]!;
    const guess = `no column names the subject of ${market}: it is the game, ${game}`;
    return { ...outcome, note: outcome.note === undefined ? guess : `${guess}; ${outcome.note}` };
  });
}

function rowsOf<T>(lines: readonly Line[]): T[] {
  return lines.map(({ row }) => row as T);
}
