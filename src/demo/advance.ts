import { applyCappers } from '../cappers/cappers.ts';
import { applyGames } from '../games/apply-games.ts';
import { applyLines } from '../games/lines.ts';
import { applyResults } from '../games/results.ts';
import { gradeDueJob } from '../jobs/grading.ts';
import { cancelled, failed, type Outcome, ok } from '../jobs/outcome.ts';
import type { Enqueue } from '../jobs/runtime/enqueue.ts';
import { seal } from '../jobs/sealing.ts';
import { importPicks } from '../ledger/import-picks.ts';
import type { PickRow } from '../ledger/pick-row.ts';
import { postPick } from '../ledger/post-pick.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { demoCappers } from './cappers.ts';
import { type DemoRows, worldRows } from './world.ts';

const day = 86_400_000;

/** How much history the demo begins with, how much of it goes in at once, and how old a pick may be to count as posted now. */
const historyDays = 90;
const chunk = 5 * day;
const live = 60_000;

export interface DemoDeps {
  /** Whether this is the demo ledger; on the real one nothing is done. */
  demo: boolean;
  database: Database;
  clock: Clock;
  enqueue: Pick<Enqueue, 'add'>;
  /** Aborts when the process is to end: the rest is left to the next run. */
  closing?: AbortSignal;
}

/**
 * Plays the demo's world on to the present: at first the history, oldest first, then what happened since the last time. Does nothing
 * unless `DEMO` is on.
 * @returns failed where it would begin in a ledger that holds picks of another source: demo data never enters a real one
 */
export async function advanceDemo(deps: DemoDeps): Promise<Outcome> {
  const { demo, database, clock, enqueue, closing } = deps;
  if (!demo) return cancelled('DEMO is off');
  const tell = async () => {
    await enqueue.add(seal, {});
    await enqueue.add(gradeDueJob, {});
  };
  const now = clock.now();
  const played = await progress(database);
  const stranger = played === undefined ? await strangerSource(database) : undefined;
  if (stranger !== undefined)
    return failed(`the demo does not begin in a ledger that holds picks of the source ${stranger}`);
  let until = played ?? now - historyDays * day;
  const began = until;
  while (now - until > live && !closing?.aborted) {
    const to = Math.min(until + chunk, now);
    const from = until;
    await database.transaction((transaction) => playHistory(transaction, from, to));
    until = to;
    await tell();
  }
  if (closing?.aborted) return ok({ from: new Date(began).toISOString(), to: new Date(until).toISOString() });
  if (until < now && (await playLive(database, until, now))) await tell();
  return ok({ from: new Date(began).toISOString(), to: new Date(now).toISOString() });
}

async function strangerSource(database: Database): Promise<string | undefined> {
  const other: { source: string } | undefined = await database('picks')
    .whereNot('source', 'demo')
    .first('source');
  return other?.source;
}

/** How much of the demo's history has been played, from 0 to 1: all but the last day counts as 1. */
export async function demoHistoryPlayed(database: Database, clock: Clock): Promise<number> {
  const until = await progress(database);
  if (until === undefined) return 0;
  return Math.min(1, 1 - (clock.now() - until - day) / (historyDays * day));
}

async function progress(database: Database): Promise<number | undefined> {
  const row: { until: number } | undefined = await database('demo_progress').first('until');
  return row?.until;
}

async function keepProgress(transaction: Transaction, until: number): Promise<void> {
  await transaction('demo_progress')
    .insert({ id: 1, until: new Date(until) })
    .onConflict('id')
    .merge();
}

async function playHistory(transaction: Transaction, from: number, to: number): Promise<void> {
  const rows = worldRows(from, to);
  await applyWorld(transaction, rows, to, true);
  await importPicks(transaction, rowsOf(rows.picks), { now: to, imported: true });
  await applyResults(transaction, rowsOf(rows.results), { now: to, imported: true });
  await keepProgress(transaction, to);
}

/**
 * In one transaction with the progress: a killed worker has posted all of it or nothing.
 * @returns whether anything happened
 */
async function playLive(database: Database, from: number, to: number): Promise<boolean> {
  const rows = worldRows(from, to);
  await database.transaction(async (transaction) => {
    await applyWorld(transaction, rows, to, false);
    for (const { row } of rows.picks) {
      const { postedAt: _, ...pick } = row;
      await postPick(transaction, pick satisfies PickRow, undefined, to);
    }
    await applyResults(transaction, rowsOf(rows.results), { now: to, imported: false });
    await keepProgress(transaction, to);
  });
  return Object.values(rows).some((list) => list.length > 0);
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
  await applyLines(transaction, rowsOf(rows.lines), intake);
}

function rowsOf<T>(timed: readonly { row: T }[]): T[] {
  return timed.map(({ row }) => row);
}
