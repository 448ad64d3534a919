import { applyCappers } from '../cappers/cappers.ts';
import { applyGames } from '../games/apply-games.ts';
import { applyLines } from '../games/lines.ts';
import { applyResults } from '../games/results.ts';
import { applyStats } from '../games/stats.ts';
import { cancelled, failed, type Outcome, ok } from '../jobs/job.ts';
import { postPicks } from '../ledger/posting/post-picks.ts';
import { type Clock, instant } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { demoCappers } from './cappers.ts';
import { announcedBefore } from './game.ts';
import { demoHistoryMs, readProgress, writeProgress } from './progress.ts';
import { instantsWithin, worldRows } from './world.ts';

/** How far ahead the instants of the next steps are looked up. */
const chunkMs = 5 * 86_400_000;

export interface DemoDeps {
  /** Whether this is the demo ledger. */
  demo: boolean;
  database: Database;
  clock: Clock;
  /**
   * Resolves once everything up to the instant that the demo has reached is graded, sealed, and in a checkpoint; with false if it will not
   * be, as on shutdown.
   */
  logFollows(): Promise<boolean>;
  /** Aborts on shutdown. The next run continues from there. */
  closing?: AbortSignal;
  /** How long before the present the demo begins, in milliseconds. Default: 90 days. */
  historyMs?: number;
}

/**
 * Plays the demo's world to the present, step by step: each moves the clock of the demo's log, and the next begins when the log has
 * followed. So picks of the past are posted as live ones are, and a checkpoint covers each before its game starts.
 * @returns failed if the demo would start in a ledger with picks from another source: demo data never enters a real ledger
 */
export async function advanceDemo(deps: DemoDeps): Promise<Outcome> {
  const { demo, database, clock, logFollows, closing, historyMs = demoHistoryMs } = deps;
  if (!demo) return cancelled('DEMO is off');
  const now = clock.now();
  let until = (await readProgress(database)) ?? now - historyMs;
  const from = until;
  if (!(await begin(database, until)))
    return failed('the demo does not start in a ledger with picks from another source');
  let refused = 0;
  while (until < now && !closing?.aborted) {
    const steps = instantsWithin(until, Math.min(until + chunkMs, now));
    for (const to of steps) {
      if (closing?.aborted || !(await logFollows())) break;
      refused += await playStep(database, until, to);
      until = to;
    }
    if (until !== steps.at(-1)) break;
  }
  if (!closing?.aborted) await logFollows();
  return ok({ from: new Date(from).toISOString(), to: new Date(until).toISOString(), refused });
}

/**
 * Makes the cappers and the games that are to start, and sets the clock of the demo's log, at the first start.
 * @returns whether the ledger is the demo's own
 */
async function begin(database: Database, at: number): Promise<boolean> {
  if ((await readProgress(database)) !== undefined) return true;
  const other = await database('picks').whereNot('source', 'demo').first('id');
  if (other !== undefined) return false;
  await database.transaction(async (transaction) => {
    const cappers = demoCappers.map(({ handle, tier, verified, displayName }) => ({
      ...{ handle, tier, verified, displayName },
    }));
    const intake = { now: at, imported: false };
    await applyCappers(transaction, cappers, intake);
    const announced = rowsOf(worldRows(at - announcedBefore, at).games).filter(
      ({ status, startsAt }) => status === 'scheduled' && instant(startsAt!) > at,
    );
    await applyGames(transaction, announced, intake);
    await writeProgress(transaction, at);
  });
  return true;
}

/**
 * Plays one step. Its rows and the progress are stored in one transaction, so a killed worker has stored all of them or none.
 * @returns how many picks were refused
 */
async function playStep(database: Database, from: number, to: number): Promise<number> {
  const rows = worldRows(from, to);
  return database.transaction(async (transaction) => {
    const intake = { now: to, imported: false };
    // The log says when a start was moved.
    for (const { at, row } of rows.games)
      if (row.movedTo != null) await applyGames(transaction, [row], { ...intake, now: at });
    await applyGames(transaction, rowsOf(rows.games), intake);
    // The demo stands in for a provider.
    await applyLines(transaction, rowsOf(rows.lines), intake, 'provider');
    const refused = await post(transaction, rows.picks, to);
    await applyResults(transaction, rowsOf(rows.results), intake);
    await applyStats(transaction, rowsOf(rows.stats), intake, 'demo');
    await writeProgress(transaction, to);
    return refused;
  });
}

/** Posts picks through the door of live ones, each at its own instant. */
async function post(
  transaction: Transaction,
  picks: ReturnType<typeof worldRows>['picks'],
  now: number,
): Promise<number> {
  const posts = picks.map(({ at, row: { postedAt: _, ...row } }) => ({ row, postedAt: at }));
  const posted = await postPicks(transaction, posts, now);
  return posted.filter(({ outcome }) => outcome === 'refused').length;
}

function rowsOf<T>(timed: readonly { row: T }[]): T[] {
  return timed.map(({ row }) => row);
}
