import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Presets, SingleBar } from 'cli-progress';
import { Command, InvalidArgumentError, Option } from 'commander';
import { gradeDueJob, planClosings } from '../jobs/grading.ts';
import { type Enqueue, openQueues } from '../jobs/runtime/enqueue.ts';
import { seal } from '../jobs/sealing.ts';
import { type MissedClosings, markNow, missedClosings } from '../ledger/closing/missed.ts';
import { isImportOpen } from '../ledger/grading/open-imports.ts';
import { suitableLogKind } from '../ledger/log-kind.ts';
import { isDone, pendingWork } from '../ledger/sealing/pending-work.ts';
import { createClock, iso } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import { type Database, openDatabase } from '../platform/database.ts';
import { createLogger } from '../platform/logger.ts';
import { openRedis } from '../platform/redis.ts';
import { type OddsFormat, oddsFormats } from '../rules/odds-format.ts';
import { type Kind, kinds } from '../sources/file-rows.ts';
import { type Batch, type FileIntake, ingestFiles, type Refusal } from '../sources/files.ts';
import { isZone } from '../sources/schedules/zones.ts';
import { readWaiting, type WaitingGame } from '../sources/waiting.ts';
import type { Output, Say, Verb } from './verb.ts';

/** Seconds without progress after which the workers count as not running. */
const idleTimeoutSeconds = 20;
const pollMs = 100;
const maxPollMs = 5000;

interface IngestOptions {
  wait: boolean;
  zone?: string;
  odds?: OddsFormat;
}

/**
 * Ingests files, shows progress, and waits until the workers have processed everything up to the boards.
 * @param options.wait if false, returns as soon as the files are stored
 * @param options.zone IANA zone of times in CSV files that have none. Default: they are refused
 * @param options.odds format of odds in CSV files that can be of several. Default: they are refused
 * @returns the exit status: 0, or 2 if rows were refused
 * @throws SettingsError when the settings do not suit the log
 */
export async function runIngest(
  config: Config<'ingest'>,
  paths: readonly string[],
  { wait, zone, odds }: IngestOptions,
  { say, warn }: Output,
): Promise<number> {
  const log = createLogger('ingest', 'error');
  const database = openDatabase(config.database.url, { name: 'public-picks ingest', connections: 2 });
  const redis = openRedis(config.redis, log);
  const enqueue = openQueues(redis, log);
  try {
    await redis.ping().catch(() => undefined);
    await suitableLogKind(database, config);
    const now = createClock(config.process.clock).now();
    const intake = { now, imported: true, zone, odds };
    const reasons = countReasons();
    const before = await markNow(database);
    const batch = await ingestWithProgress(database, paths, intake, enqueue, (refusal) => {
      reasons.add(refusal.reason);
      warn(`${refusal.file}:${refusal.line}: ${refusal.reason}`);
    });
    for (const job of [gradeDueJob, planClosings]) await enqueue.add(job, {});
    for (const line of [...summary(batch.counts, now), ...batch.odds, ...reasons.lines()]) say(line);
    for (const line of noted(batch.notes)) warn(line);
    if (wait && (await untilDone(database, say))) {
      const missed = await missedClosings(database, before);
      for (const line of outcome(await readWaiting(database, now), missed)) say(line);
    }
    say(`See ${config.site.baseUrl}`);
    return kinds.some((kind) => batch.counts[kind].refused > 0) ? 2 : 0;
  } finally {
    await enqueue.close();
    redis.disconnect();
    await database.destroy();
  }
}

async function ingestWithProgress(
  database: Database,
  paths: readonly string[],
  intake: FileIntake,
  enqueue: Enqueue,
  onRefusal: (refusal: Refusal) => void,
): Promise<Batch> {
  const bar = new SingleBar(
    { format: '{file} [{bar}] {percentage}%', clearOnComplete: true, hideCursor: true },
    Presets.shades_classic,
  );
  let shown = '';
  try {
    return await ingestFiles(database, paths, intake, {
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

/** Lines of notes that are printed. */
const maxNotes = 20;

function noted(notes: Batch['notes']): string[] {
  const lines = [...notes].map(([note, count]) => `note: ${note}${count === 1 ? '' : ` (${count} rows)`}`);
  const more = lines.length > maxNotes ? [`note: ${lines.length - maxNotes} more such notes`] : [];
  return [...lines.slice(0, maxNotes), ...more];
}

/** Why rows of a kind are left out. Of a game only what is not known yet is. */
const after: Readonly<Record<Kind, string>> = {
  cappers: 'lie',
  games: 'have a result or postponement',
  lines: 'were captured',
  picks: 'were posted',
  results: 'are of games that ended',
  stats: 'are of games that ended',
};

/** What became of the rows of each kind, and why some were left out. */
function summary(counts: Batch['counts'], now: number): string[] {
  return kinds
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

/** Distinct reasons that are counted, and those that are printed. */
const maxReasons = { counted: 1_000, printed: 10 };

/** Counts refused rows by reason, for those that have it in common. */
function countReasons() {
  const reasons = new Map<string, number>();
  return {
    add(reason: string) {
      const count = reasons.get(reason) ?? 0;
      if (count > 0 || reasons.size < maxReasons.counted) reasons.set(reason, count + 1);
    },
    lines: () =>
      [...reasons]
        .filter(([, count]) => count > 1)
        .sort(([, one], [, other]) => other - one)
        .slice(0, maxReasons.printed)
        .map(([reason, count]) => `refused: ${shown(count)} because ${reason}`),
  };
}

function picks(count: number): string {
  return `${shown(count)} ${count === 1 ? 'pick' : 'picks'}`;
}

/** What became of the picks, once no work is pending. */
function outcome(waiting: readonly WaitingGame[], { settled, late }: MissedClosings): string[] {
  const closed = settled + late === 0 ? 'closed, ' : '';
  const done = `All finished games are ${closed}graded, sealed and on the boards`;
  const selections = waiting.flatMap((game) => (game.over ? game.selections : []));
  const open = selections.reduce((sum, each) => sum + each.picks, 0);
  const except = `, except ${picks(open)}: \`npm run cli -- waiting\` says what would settle them.`;
  const lines = [`${done}${open === 0 ? '.' : except}`];
  if (settled > 0) lines.push(`Settled without a closing price: ${picks(settled)}.`);
  if (late > 0)
    lines.push(
      `Settled before their closing prices came in: ${picks(late)}. Ingest prices before the scores, or with them.`,
    );
  return lines;
}

/**
 * Waits until no work is pending. Gives up with a message if nothing changes for a while, as when no worker runs.
 * @returns whether all is done
 */
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
    // Grading waits for other calls too.
    if (text !== previous || (await isImportOpen(database))) changedAt = performance.now();
    previous = text;
    // Counting takes longer the more is pending, and takes processors from the work: a twentieth of the time at most.
    await sleep(Math.min(Math.max(pollMs, 20 * took), maxPollMs));
  }
  say(`Gave up waiting: the workers do not seem to be running. Pending: ${previous}.`);
  return false;
}

function zoneNamed(text: string): string {
  if (!isZone(text)) throw new InvalidArgumentError('It must be an IANA time zone such as America/New_York.');
  return text;
}

/** `ingest`: ingests files. */
export const ingestVerb: Verb = (config, say, warn) =>
  new Command('ingest')
    .description(
      'ingests CSV with a header or newline-delimited JSON; the file name tells the kind: cappers, games, lines, picks, results or stats',
    )
    .argument('<paths...>', 'files or folders')
    .option('--no-wait', 'do not wait until the workers have processed everything')
    .option('--zone <zone>', 'time zone of times without one in CSV; default: they are refused', zoneNamed)
    .addOption(
      new Option(
        '--odds <format>',
        'format of odds in CSV that can be of several; default: they are refused',
      ).choices(oddsFormats),
    )
    .action(async (paths: string[], options: IngestOptions) => {
      process.exitCode = await runIngest(config('ingest'), paths, options, { say, warn });
    });
