import { applyCappers } from '../cappers/cappers.ts';
import { applyGames } from '../games/apply-games.ts';
import { applyLines } from '../games/lines.ts';
import { applyResults } from '../games/results.ts';
import { gradeDueJob } from '../jobs/grading.ts';
import { cancelled, failed, type Outcome, ok } from '../jobs/job.ts';
import type { Enqueue } from '../jobs/runtime/enqueue.ts';
import { seal } from '../jobs/sealing.ts';
import { importPicks } from '../ledger/posting/import-picks.ts';
import type { ImportedPickRow } from '../ledger/posting/pick-row.ts';
import { type Post, postPicks } from '../ledger/posting/post-picks.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { demoCappers } from './cappers.ts';
import { historyMs, readProgress, writeProgress } from './progress.ts';
import { type DemoRows, worldRows } from './world.ts';

/** History that is imported in one transaction. */
const chunkMs = 5 * 86_400_000;
/** Longest gap that is posted live. After a longer one, as after a stop, the rows are imported as history. */
const maxLiveGapMs = 60_000;

export interface DemoDeps {
  /** Whether this is the demo ledger. */
  demo: boolean;
  database: Database;
  clock: Clock;
  enqueue: Pick<Enqueue, 'add'>;
  /** Aborts on shutdown. The next run continues from there. */
  closing?: AbortSignal;
}

/**
 * Advances the demo's world to the present: first the history, oldest first, then what happened since the last call.
 * @returns failed if the demo would start in a ledger with picks from another source: demo data never enters a real ledger
 */
export async function advanceDemo(deps: DemoDeps): Promise<Outcome> {
  const { demo, database, clock, enqueue, closing } = deps;
  if (!demo) return cancelled('DEMO is off');
  const enqueueWork = async () => {
    await enqueue.add(seal, {});
    await enqueue.add(gradeDueJob, {});
  };
  const now = clock.now();
  const reached = await readProgress(database);
  const other = reached === undefined ? await otherSource(database) : undefined;
  if (other !== undefined)
    return failed(`the demo does not start in a ledger with picks from the source ${other}`);
  let until = reached ?? now - historyMs;
  const started = until;
  while (now - until > maxLiveGapMs && !closing?.aborted) {
    const to = Math.min(until + chunkMs, now);
    const from = until;
    await database.transaction((transaction) => importHistory(transaction, from, to));
    until = to;
    await enqueueWork();
  }
  if (closing?.aborted)
    return ok({ from: new Date(started).toISOString(), to: new Date(until).toISOString() });
  if (until < now && (await postLive(database, until, now))) await enqueueWork();
  return ok({ from: new Date(started).toISOString(), to: new Date(now).toISOString() });
}

/** A source other than the demo that the ledger has picks from. */
async function otherSource(database: Database): Promise<string | undefined> {
  const pick: { source: string } | undefined = await database('picks')
    .whereNot('source', 'demo')
    .first('source');
  return pick?.source;
}

async function importHistory(transaction: Transaction, from: number, to: number): Promise<void> {
  const rows = worldRows(from, to);
  await applyWorld(transaction, rows, to, true);
  await importPicks(transaction, rowsOf(rows.picks), { now: to, imported: true });
  await applyResults(transaction, rowsOf(rows.results), { now: to, imported: true });
  await writeProgress(transaction, to);
}

/**
 * Posts rows and progress in one transaction, so a killed worker has posted all of them or none.
 * @returns whether there were any rows
 */
async function postLive(database: Database, from: number, to: number): Promise<boolean> {
  const rows = worldRows(from, to);
  await database.transaction(async (transaction) => {
    await applyWorld(transaction, rows, to, false);
    await postPicks(transaction, rows.picks.map(livePost), to);
    await applyResults(transaction, rowsOf(rows.results), { now: to, imported: false });
    await writeProgress(transaction, to);
  });
  return Object.values(rows).some((list) => list.length > 0);
}

/** The service's clock says when a live pick is posted. */
function livePost({ row: { postedAt: _, ...row } }: { row: ImportedPickRow }): Post {
  return { row };
}

async function applyWorld(
  transaction: Transaction,
  rows: DemoRows,
  now: number,
  imported: boolean,
): Promise<void> {
  const intake = { now, imported };
  const cappers = demoCappers.map(({ handle, tier, verified, displayName }) => ({
    handle,
    tier,
    verified,
    displayName,
  }));
  await applyCappers(transaction, cappers, intake);
  await applyGames(transaction, rowsOf(rows.games), intake);
  // The demo stands in for a provider.
  await applyLines(transaction, rowsOf(rows.lines), intake, 'provider');
}

function rowsOf<T>(timed: readonly { row: T }[]): T[] {
  return timed.map(({ row }) => row);
}
