import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Presets, SingleBar } from 'cli-progress';
import { Command, InvalidArgumentError, Option } from 'commander';
import { handleOf } from '../intake/cells.ts';
import { type FileKind, fileKinds } from '../intake/kinds.ts';
import { gradeDueJob, planClosings, seal } from '../jobs/declared.ts';
import { type Enqueue, openQueues } from '../jobs/runtime/enqueue.ts';
import { type MissedClosings, markNow, missedClosings } from '../ledger/closing/missed.ts';
import { isImportOpen } from '../ledger/grading/open-imports.ts';
import { suitableLogKind } from '../ledger/log-kind.ts';
import { isDone, pendingWork } from '../ledger/sealing/pending-work.ts';
import { createClock, iso } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import { type Database, openDatabase } from '../platform/database.ts';
import { createLogger } from '../platform/logger.ts';
import { openRedis } from '../platform/redis.ts';
import { gridsOf } from '../sheets/grid.ts';
import { planGrids } from '../sheets/intake.ts';
import { readMap } from '../sheets/mapping.ts';
import { type SheetOddsFormat, sheetOddsFormats } from '../sheets/odds-column.ts';
import type { SheetPlan } from '../sheets/plan.ts';
import { type Question, readAnswers, type SheetChoices } from '../sheets/sheet.ts';
import { SheetError } from '../sheets/workbook.ts';
import { type Batch, type FileIntake, ownInput, type Refusal, type RowsOfFile } from '../sources/files.ts';
import { isZone } from '../sources/schedules/zones.ts';
import { readWaiting, type WaitingGame } from '../sources/waiting.ts';
import {
  dropImport,
  ingestSheets,
  isAssumed,
  type PlannedSheet,
  type WaitingImport,
} from '../sources/waiting-imports.ts';
import { askQuestions, askToStore } from './ask-to-store.ts';
import { collect, type Output, type Say, type Verb, VerbRefused } from './verb.ts';

/** Seconds without progress after which the workers are presumed not running. */
const idleTimeoutSeconds = 20;
const pollMs = 100;
const maxPollMs = 5000;

interface IngestOptions {
  wait: boolean;
  zone?: string;
  odds?: SheetOddsFormat;
  map?: string[];
  capper?: string;
  sport?: string;
  unit?: number;
  dryRun?: true;
  json?: true;
  yes?: true;
  answer?: string[];
  now?: true;
  drop?: number;
}

/**
 * Ingests files, shows progress, and waits until the workers have updated the boards.
 * @returns the exit status: 0; 1 if the operator declined to store guesses; 2 if rows were refused; 3 if a question needs an answer, and
 * nothing was stored
 * @throws SettingsError if the settings do not suit the log
 */
export async function runIngest(
  config: Config<'ingest'>,
  paths: readonly string[],
  options: IngestOptions,
  { say, warn }: Output,
): Promise<number> {
  const { wait, zone, odds, dryRun = false, json = false } = options;
  const log = createLogger('ingest', 'error');
  const database = openDatabase(config.database.url, { name: 'public-picks ingest', connections: 2 });
  const redis = openRedis(config.redis, log);
  const enqueue = openQueues(redis, log);
  try {
    if (options.drop !== undefined) return await drop(database, options.drop, say);
    if (paths.length === 0) throw new VerbRefused('Name a file or folder.');
    await redis.ping().catch(() => undefined);
    await suitableLogKind(database, config);
    const now = createClock(config.process.clock).now();
    const intake = { now, imported: true, zone, odds, isTrial: dryRun, isNow: options.now === true };
    const before = await markNow(database);
    const choices = choicesOf(options);
    let { inputs, sheets } = await inputsOf(database, paths, choices);
    const open = dryRun ? [] : openQuestions(sheets, options);
    if (open.length > 0) {
      const answers =
        isTerminal() && !json
          ? await askQuestions({ input: process.stdin, output: process.stdout }, open)
          : undefined;
      if (answers === undefined) {
        for (const line of json ? [JSON.stringify({ stored: false, questions: open }, null, 2)] : asked(open))
          say(line);
        return 3;
      }
      ({ inputs, sheets } = await inputsOf(database, paths, {
        ...choices,
        answers: new Map([...choices.answers, ...answers]),
      }));
    }
    const tell = (lines: readonly string[]) => {
      if (!json) lines.forEach(say);
    };
    tell(sheets.flatMap(({ plan }) => planned(plan, dryRun)));
    if (!dryRun && !json && !(await isWanted(sheets, options, say))) {
      say('Nothing was stored.');
      return 1;
    }
    const refusals: Refusal[] = sheets.flatMap(({ file, plan }) =>
      plan.rows.flatMap(({ line, reason }) => (reason === undefined ? [] : { file, line, reason })),
    );
    const planRefusals = refusals.length;
    const refuse = ({ file, line, reason }: Refusal) => {
      if (!json) warn(`${file}:${line}: ${reason}`);
    };
    if (!dryRun) refusals.forEach(refuse);
    const batch = await ingestWithProgress(database, { inputs, sheets }, intake, enqueue, (refusal) => {
      refusals.push(refusal);
      refuse(refusal);
    });
    const { counts, odds: found, waits } = batch;
    counts.picks.refused += planRefusals;
    const status = fileKinds.some((kind) => counts[kind].refused > 0) ? 2 : 0;
    const notes = noted(batch.notes, '');
    if (json) {
      const body = {
        stored: !dryRun,
        counts,
        sheets: sheets.map(({ plan }) => plan),
        notes: [...batch.notes].map(([note, rows]) => ({ note, rows })),
        refusals,
        waits,
      };
      say(JSON.stringify(body, null, 2));
    }
    if (dryRun) {
      tell([...summary(counts, now), ...found, ...notes, 'Nothing was stored.']);
      return status;
    }
    for (const job of [gradeDueJob, planClosings]) await enqueue.add(job, {});
    tell([...summary(counts, now), ...found, ...sharedReasons(refusals)]);
    if (!json) notes.forEach(warn);
    if (waits !== undefined)
      tell([
        `${picks(waits.picks)} wait until ${iso(waits.dueAt)} before they are public. To withdraw them: npm run ingest -- --drop ${waits.id}`,
      ]);
    if (wait && (await untilDone(database, say))) {
      const missed = await missedClosings(database, before);
      tell(outcome(await readWaiting(database, now), missed));
    }
    tell([`See ${config.site.baseUrl}`]);
    return status;
  } finally {
    await enqueue.close();
    redis.disconnect();
    await database.destroy();
  }
}

function choicesOf({ map = [], answer = [], capper, sport, zone, odds, unit }: IngestOptions): SheetChoices {
  const given = readMap(map);
  if (typeof given === 'string') throw new VerbRefused(given);
  if (capper !== undefined && handleOf(capper) === undefined)
    throw new VerbRefused(`${capper} cannot become a handle, which needs two letters or digits.`);
  const answers = readAnswers(answer);
  if (typeof answers === 'string') throw new VerbRefused(answers);
  return { map: given, capper, sport, zone, odds, unit, answers };
}

/** Separates files in the service's own layout from sheets, and plans the sheets. */
async function inputsOf(
  database: Database,
  paths: readonly string[],
  choices: SheetChoices,
): Promise<{ inputs: (string | RowsOfFile)[]; sheets: PlannedSheet[] }> {
  const inputs: (string | RowsOfFile)[] = [];
  const sheets: PlannedSheet[] = [];
  const isChosen = choices.map.size > 0 || choices.capper !== undefined;
  for (const path of paths) {
    const isFile = (await stat(path).catch(() => undefined))?.isFile() === true;
    const own = isChosen && isFile ? undefined : await ownInput(path);
    if (own !== undefined) inputs.push(own);
    else {
      const grids = await gridsOf(path, await readFile(path));
      const { plans, faults } = await planGrids(database, grids, choices);
      if (plans.length === 0) throw new SheetError(faults[0] ?? `${path} is empty.`);
      sheets.push(...plans.map((plan) => ({ file: path, plan })));
    }
  }
  return { inputs, sheets };
}

/** Returns the questions that must be answered before anything is stored. With `--yes` those that leave out rows are not asked. */
function openQuestions(sheets: readonly PlannedSheet[], { yes }: IngestOptions): Question[] {
  const questions = sheets.flatMap(({ plan }) => plan.questions);
  const open = questions.filter(({ otherwise }) => yes !== true || otherwise === undefined);
  return [...new Map(open.map((question) => [question.key, question])).values()];
}

function asked(questions: readonly Question[]): string[] {
  return [
    ...questions.map((question) => `question: ${questionText(question)}`),
    'Nothing was stored. Answer with --answer key=value; --yes leaves out the rows that depend on an answer.',
  ];
}

function questionText({
  key,
  text,
  choices,
  otherwise = 'Without an answer nothing is stored.',
}: Question): string {
  return `${text} Answer with --answer '${key}=${choices.join('|')}'. ${otherwise}`;
}

const isTerminal = () => process.stdin.isTTY && process.stdout.isTTY;

function planned(plan: SheetPlan, dryRun: boolean): string[] {
  const { name, mapping, unread, guesses, questions, rows } = plan;
  const columns = mapping.map(
    ({ header, field, by }) =>
      `  ${header} is ${field}${by === 'content' ? ' (guessed from its cells)' : ''}`,
  );
  const notes = new Map<string, number>();
  for (const note of rows.flatMap(({ reason, notes: own }) => (reason === undefined ? own : [])))
    notes.set(note, (notes.get(note) ?? 0) + 1);
  return [
    `${name}: ${rows.length} rows`,
    ...columns,
    ...(unread.length === 0 ? [] : [`  ignored: ${unread.join(', ')}`]),
    ...guesses.map((guess) => `guess: ${guess}`),
    ...questions.map((question) => `question: ${questionText(question)}`),
    ...(dryRun ? eachRow(plan) : noted(notes, '; --dry-run shows all')),
  ];
}

function eachRow({ rows }: SheetPlan): string[] {
  return rows.flatMap(({ line, text, reason, choices = [], notes }) => [
    `${line}: ${reason === undefined ? text : `not stored: ${reason} (${text})`}`,
    ...choices.map((choice) => `    could be ${choice}`),
    ...notes.map((note) => `    ${note}`),
  ]);
}

/** Reports whether to store the sheets. If they contain guesses, it asks on a terminal; elsewhere it mentions the dry run. */
async function isWanted(sheets: readonly PlannedSheet[], { yes }: IngestOptions, say: Say): Promise<boolean> {
  if (!sheets.some(({ plan }) => isAssumed(plan)) || yes === true) return true;
  if (!isTerminal()) {
    say('Some of this is guessed. To check each row without storing anything, use --dry-run.');
    return true;
  }
  return askToStore({ input: process.stdin, output: process.stdout }, () =>
    sheets.flatMap(({ plan }) => eachRow(plan)),
  );
}

function importId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new InvalidArgumentError('Use the id that the import was announced with.');
  return Number(text);
}

function amount(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value < 1e6)) throw new InvalidArgumentError('Use an amount above 0, such as 25.');
  return value;
}

async function ingestWithProgress(
  database: Database,
  files: Parameters<typeof ingestSheets>[1],
  intake: FileIntake & { isNow: boolean },
  enqueue: Enqueue,
  onRefusal: (refusal: Refusal) => void,
): Promise<Batch & { waits?: WaitingImport }> {
  const bar = new SingleBar(
    { format: '{file} [{bar}] {percentage}%', clearOnComplete: true, hideCursor: true },
    Presets.shades_classic,
  );
  let shown = '';
  try {
    return await ingestSheets(database, files, intake, {
      onRefusal,
      onChunk(kind) {
        if (kind === 'picks') void enqueue.add(seal, {});
      },
      onProgress(file, done, total) {
        if (shown !== file) bar.start(total, 0, { file: basename(file) });
        shown = file;
        bar.update(done);
        if (done === total) bar.stop();
      },
    });
  } finally {
    bar.stop();
  }
}

const maxNotes = 20;

/** @param how says where the others are */
function noted(notes: Batch['notes'], how: string): string[] {
  const lines = [...notes].map(([note, count]) => `note: ${note}${count === 1 ? '' : ` (${count} rows)`}`);
  const more = lines.length > maxNotes ? [`note: ${lines.length - maxNotes} more such notes${how}`] : [];
  return [...lines.slice(0, maxNotes), ...more];
}

/** Phrases for rows later than the service's clock, which are left out. Of games, only results and postponements can be. */
const after: Readonly<Record<FileKind, string>> = {
  cappers: 'lie',
  games: 'have a result or postponement',
  lines: 'were captured',
  picks: 'were posted',
  results: 'belong to games that ended',
  stats: 'belong to games that ended',
};

function summary(counts: Batch['counts'], now: number): string[] {
  return fileKinds
    .filter((kind) => Object.values(counts[kind]).some((count) => count > 0))
    .flatMap((kind) => {
      const parts = Object.entries(counts[kind]).filter(([, count]) => count > 0);
      const late = counts[kind]['left out'];
      const line = `${kind}: ${parts.map(([outcome, count]) => `${shown(count)} ${outcome}`).join(', ')}`;
      if (late === 0) return [line];
      return [line, `  left out: ${shown(late)} ${after[kind]} after the service's clock, ${iso(now)}`];
    });
}

function shown(count: number): string {
  return count.toLocaleString('en-US');
}

const maxReasons = 10;

function sharedReasons(refusals: readonly Refusal[]): string[] {
  return [...Map.groupBy(refusals, ({ reason }) => reason)]
    .filter(([, same]) => same.length > 1)
    .sort(([, one], [, other]) => other.length - one.length)
    .slice(0, maxReasons)
    .map(([reason, same]) => `refused: ${shown(same.length)} because ${reason}`);
}

function picks(count: number): string {
  return `${shown(count)} ${count === 1 ? 'pick' : 'picks'}`;
}

function outcome(waiting: readonly WaitingGame[], { settled, late }: MissedClosings): string[] {
  const closed = settled + late === 0 ? 'closed, ' : '';
  const done = `All finished games are ${closed}graded, sealed, and on the boards`;
  const selections = waiting.flatMap((game) => (game.over ? game.selections : []));
  const open = selections.reduce((sum, each) => sum + each.picks, 0);
  const except = `, except ${picks(open)}: \`npm run cli -- waiting\` shows what would settle them.`;
  const lines = [`${done}${open === 0 ? '.' : except}`];
  if (settled > 0) lines.push(`Settled without a closing price: ${picks(settled)}.`);
  if (late > 0)
    lines.push(
      `Settled before their closing prices came in: ${picks(late)}. Ingest prices before the scores, or with them.`,
    );
  return lines;
}

/** Prints a message and gives up if nothing changes for {@link idleTimeoutSeconds}. @returns whether all work is done */
async function untilDone(database: Database, say: Say): Promise<boolean> {
  let changedAt = performance.now();
  let previous = '';
  while (performance.now() - changedAt < idleTimeoutSeconds * 1000) {
    const asked = performance.now();
    const left = await pendingWork(database);
    const took = performance.now() - asked;
    if (isDone(left)) return true;
    const text = `${left.ungraded} to grade, ${left.unsealed} to seal, ${left.unread} to count`;
    if (process.stdout.isTTY) process.stdout.write(`\r${text.padEnd(70)}\r`);
    // Grading also waits for imports by other processes.
    if (text !== previous || (await isImportOpen(database))) changedAt = performance.now();
    previous = text;
    // The count slows with the amount of pending work and competes with it for CPU, so it takes at most a twentieth of the time.
    await sleep(Math.min(Math.max(pollMs, 20 * took), maxPollMs));
  }
  say(`Gave up waiting: the workers do not seem to be running. Pending: ${previous}.`);
  return false;
}

async function drop(database: Database, id: number, say: Say): Promise<number> {
  const isDropped = await dropImport(database, id);
  say(isDropped ? `Import ${id} is withdrawn.` : `No import ${id} waits. It is stored or withdrawn already.`);
  return isDropped ? 0 : 1;
}

function zoneNamed(text: string): string {
  if (!isZone(text)) throw new InvalidArgumentError('Use an IANA time zone, such as America/New_York.');
  return text;
}

export const ingestVerb: Verb = (config, say, warn) =>
  new Command('ingest')
    .description(
      'ingests CSV with a header, newline-delimited JSON, and sheets of bets in any layout (xlsx, csv, tsv, json). The name of a file in our own layout contains its kind: cappers, games, lines, picks, results, or stats',
    )
    .argument('[paths...]', 'files or folders')
    .option('--no-wait', 'do not wait until the workers have processed everything')
    .option('--zone <zone>', 'time zone of CSV times without one; default: refuse them', zoneNamed)
    .addOption(
      new Option(
        '--odds <format>',
        'format of CSV odds that are valid in several formats; default: refuse them',
      ).choices(sheetOddsFormats),
    )
    .option('--dry-run', 'show what each row becomes, and store nothing')
    .option('--json', 'print the outcome of each row as JSON')
    .option('--map <header=field>', 'field of a column of a sheet, or - to skip it (repeatable)', collect, [])
    .option('--capper <name>', 'capper of sheet rows that name none')
    .option('--sport <sport>', 'sport of sheet rows that name none')
    .option('--answer <key=value>', 'answer to a question about a sheet (repeatable)', collect, [])
    .option('--unit <amount>', 'money per unit in a sheet; default: the median stake', amount)
    .option('--now', 'store a sheet at once, even if something was guessed; default: after 10 minutes')
    .option('--drop <id>', 'withdraw an import that waits, by the id that it was announced with', importId)
    .option('--yes', 'store a sheet without asking, even if something was guessed')
    .action(async (paths: string[], options: IngestOptions) => {
      process.exitCode = await runIngest(config('ingest'), paths, options, { say, warn });
    });
