import { setTimeout as sleep } from 'node:timers/promises';
import { applyGames } from '../intake/game.ts';
import { applyLines } from '../intake/price.ts';
import { applyResults } from '../intake/result.ts';
import { applyStats } from '../intake/stats.ts';
import { gradeDueJob, publish, seal } from '../jobs/declared.ts';
import { cancelled, failed, type Job, type Outcome, ok } from '../jobs/job.ts';
import type { Enqueue } from '../jobs/runtime/enqueue.ts';
import { type Post, postPicks } from '../ledger/posting/post-picks.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { isDemoAuthor, postAsAuthor } from './authors.ts';
import { readProgress, writeProgress } from './progress.ts';
import { instantsWithin, worldRows } from './world.ts';

/** Period for which the next steps are looked up at a time, in milliseconds. */
const chunkMs = 5 * 86_400_000;

export interface DemoDeps {
  demo: boolean;
  database: Database;
  clock: Clock;
  /** Resolves to true once everything due by the demo's clock is graded, sealed, and in a checkpoint; to false on shutdown. */
  catchUp(): Promise<boolean>;
  closing?: AbortSignal;
}

/**
 * Plays the demo's world up to the present in steps. Each step moves the clock of the demo's log, and the next one begins once the log has
 * caught up. Past picks are thus posted as live ones, and a checkpoint covers each before its game starts.
 * @returns failed if the demo has not begun in this ledger: demo data never enters a real one
 */
export async function advanceDemo(deps: DemoDeps): Promise<Outcome> {
  const { demo, database, clock, catchUp, closing } = deps;
  if (!demo) return cancelled('DEMO is off');
  const now = clock.now();
  const from = await readProgress(database);
  if (from === undefined) return failed('the demo has not begun: `npm start` begins it');
  let until = from;
  let refused = 0;
  while (until < now && !closing?.aborted) {
    const steps = instantsWithin(until, Math.min(until + chunkMs, now));
    for (const to of steps) {
      if (closing?.aborted || !(await catchUp())) break;
      refused += await playStep(database, until, to);
      until = to;
    }
    if (until !== steps.at(-1)) break;
  }
  if (!closing?.aborted) await catchUp();
  return ok({ from: new Date(from).toISOString(), to: new Date(until).toISOString(), refused });
}

/** One transaction, so a killed worker has stored all of the step or none. @returns the number of refused picks */
async function playStep(database: Database, from: number, to: number): Promise<number> {
  const rows = worldRows(from, to);
  return database.transaction(async (transaction) => {
    const intake = { now: to, imported: false };
    // The log records when a start was moved.
    for (const { at, row } of rows.games)
      if (row.movedTo != null) await applyGames(transaction, [row], { ...intake, now: at });
    await applyGames(transaction, rowsOf(rows.games), intake);
    // The demo acts as a provider.
    await applyLines(transaction, rowsOf(rows.lines), intake, 'provider');
    const refused = await post(transaction, rows.picks, to);
    await applyResults(transaction, rowsOf(rows.results), intake);
    await applyStats(transaction, rowsOf(rows.stats), intake, 'demo');
    await writeProgress(transaction, to);
    return refused;
  });
}

/** Signed ones one by one, the unsigned ones between them as a batch. @returns the number of refused picks */
async function post(
  transaction: Transaction,
  picks: ReturnType<typeof worldRows>['picks'],
  now: number,
): Promise<number> {
  let refused = 0;
  const open: Post[] = [];
  const postOpen = async () => {
    if (open.length === 0) return;
    const posted = await postPicks(transaction, open.splice(0), now);
    refused += posted.filter(({ outcome }) => outcome === 'refused').length;
  };
  for (const { at, row } of picks) {
    const { postedAt: _, ...live } = row;
    if (!isDemoAuthor(row.capperHandle)) open.push({ row: live, postedAt: at });
    else {
      await postOpen();
      const { outcome } = await postAsAuthor(transaction, live, at);
      if (outcome !== 'added') refused += 1;
    }
  }
  await postOpen();
  return refused;
}

function rowsOf<T>(timed: readonly { row: T }[]): T[] {
  return timed.map(({ row }) => row);
}

/** Poll interval, and the interval for adding the missing job again, in milliseconds. */
const pollMs = 20;
const retryMs = 1_000;

interface CatchUpDeps {
  database: Database;
  enqueue: Pick<Enqueue, 'add'>;
  closing?: AbortSignal;
}

/** @returns true once everything due by the demo's clock is graded, sealed, and in a checkpoint; false on shutdown */
export async function catchUp({ database, enqueue, closing }: CatchUpDeps): Promise<boolean> {
  let added: { job: Job; at: number } | undefined;
  while (!closing?.aborted) {
    const job = await missingJob(database);
    if (job === undefined) return true;
    if (added?.job !== job || performance.now() - added.at > retryMs) {
      await enqueue.add(job, {});
      added = { job, at: performance.now() };
    }
    await sleep(pollMs);
  }
  return false;
}

async function missingJob(database: Database): Promise<Job | undefined> {
  const { rows }: { rows: { due: boolean; unsealed: boolean; unpublished: boolean }[] } = await database.raw(
    `select exists (select from due_games d join demo_progress p on d.due_at <= p.until) as due,
       exists (select from unsealed_events) as unsealed,
       coalesce((select max(seq) + 1 from ledger_entries), 0) > coalesce((select max(size) from checkpoints), 0) as unpublished`,
  );
  const { due, unsealed, unpublished } = rows[0]!;
  if (due) return gradeDueJob;
  if (unsealed) return seal;
  return unpublished ? publish : undefined;
}
