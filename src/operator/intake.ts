import { checkCapper } from '../cappers/cappers.ts';
import { applyGames } from '../games/apply-games.ts';
import { checkGame, type GameName } from '../games/game.ts';
import { applyLines, checkLine } from '../games/lines.ts';
import { applyResults, checkResult } from '../games/results.ts';
import { type Intake, type NotedOutcome, type RowOutcome, refused } from '../games/row-outcome.ts';
import { applyStats, checkStats } from '../games/stats.ts';
import { applyResolved, type Door, doors } from '../games/which-game.ts';
import { followLogJob } from '../jobs/boards.ts';
import { gradeDueJob, planClosings } from '../jobs/grading.ts';
import type { Job } from '../jobs/job.ts';
import { seal } from '../jobs/sealing.ts';
import { intakeTime } from '../ledger/log-kind.ts';
import { storeCappers, withCorrections } from '../ledger/posting/notices.ts';
import { checkPick, type PickRow } from '../ledger/posting/pick-row.ts';
import type { Transaction } from '../platform/database.ts';
import { type Checked, faultsText } from '../platform/schema.ts';
import { type Action, type Actions, type Outcome, summaryOf } from './actions.ts';
import { type Acknowledged, createPosting, type PostingDeps } from './posting.ts';

/** Kinds of rows. Each has a path of the same name. */
export const rowKinds = ['picks', 'games', 'lines', 'results', 'stats', 'cappers'] as const;
export type RowKind = (typeof rowKinds)[number];

/** Maximum number of rows in a request, and of characters in its Idempotency-Key. */
export const maxRows = 5_000;
export const maxKey = 180;

/** The outcome of a row. */
export type RowAnswer = { index: number; repeats?: string } & NotedOutcome & Partial<Acknowledged>;

/**
 * Stores the valid rows of a request, and records the requester and the outcome. Invalid rows are refused one by one.
 * @param by the requester
 * @param key the request's Idempotency-Key. Several picks get `<key>/<index>` each
 * @returns the outcome of each row, in order
 */
export type PostRows = (
  by: Pick<Action, 'operator' | 'requestId'>,
  kind: RowKind,
  rows: readonly unknown[],
  key: string | undefined,
) => Promise<RowAnswer[]>;

export function createIntake(deps: PostingDeps, actions: Actions): PostRows {
  const { database, clock, enqueue } = deps;
  const post = createPosting(deps);

  return async (by, kind, rows, key) => {
    const action = { ...by, action: kind, about: summaryOf(rows[0]), rows: rows.length };
    const answers: RowAnswer[] = [];
    const valid: { index: number; row: unknown }[] = [];
    rows.forEach((given, index) => {
      const checked = checks[kind](given);
      if (checked.ok) valid.push({ index, row: checked.value });
      else answers[index] = { index, ...refused(faultsText(checked.faults)) };
    });
    if (kind === 'picks') {
      const rowKey = (index: number) => (key === undefined || rows.length === 1 ? key : `${key}/${index}`);
      const posts = valid.map(({ index, row }) => ({ index, row: row as PickRow, key: rowKey(index) }));
      const refused = answers.filter((answer) => answer !== undefined) as Outcome[];
      for (const answer of await post({ action, posts, refused })) answers[answer.index] = answer;
      return answers;
    }
    const id = await actions.begin(action);
    if (valid.length > 0) {
      const outcomes = await database.transaction(async (transaction) =>
        apply[kind](
          transaction,
          valid.map(({ row }) => row),
          { now: await intakeTime(transaction, clock), imported: false },
        ),
      );
      valid.forEach(({ index }, at) => {
        answers[index] = { index, ...outcomes[at]! };
      });
    }
    if (answers.some(({ outcome }) => outcome === 'added' || outcome === 'updated'))
      for (const job of followUps[kind]) await enqueue.add(job, {});
    await actions.end(id, answers);
    return answers;
  };
}

const checks: Record<RowKind, (value: unknown) => Checked<unknown>> = {
  picks: checkPick,
  games: checkGame,
  lines: checkLine,
  results: checkResult,
  stats: checkStats,
  cappers: checkCapper,
};

type Apply = (transaction: Transaction, rows: never[], intake: Intake) => Promise<RowOutcome[]>;

/** `never` is safe, because the rows have passed the check of their kind. */
const apply: Record<
  Exclude<RowKind, 'picks'>,
  (transaction: Transaction, rows: unknown[], intake: Intake) => Promise<NotedOutcome[]>
> = {
  cappers: storeCappers as Apply as never,
  lines: resolved(applyLines as never),
  games: resolved(corrected(applyGames as never), doors.operator),
  results: resolved(corrected(applyResults as never)),
  stats: resolved(corrected(applyStats as never)),
};

/** Returns a function that first resolves the games of rows, however they are named. */
function resolved(
  applied: (transaction: Transaction, rows: GameName[], intake: Intake) => Promise<RowOutcome[]>,
  door: Door = doors.row,
) {
  return (transaction: Transaction, rows: unknown[], intake: Intake) =>
    applyResolved(transaction, rows as GameName[], door, (named) => applied(transaction, named, intake));
}

function corrected(
  applied: (
    transaction: Transaction,
    rows: unknown[],
    intake: Intake,
  ) => Promise<{ outcomes: RowOutcome[]; corrections: string[] }>,
) {
  return async (transaction: Transaction, rows: unknown[], intake: Intake) =>
    withCorrections(transaction, await applied(transaction, rows, intake), intake);
}

/** Jobs that process new rows of a kind. They only save time: scheduled runs do the same work a little later. */
const followUps: Record<Exclude<RowKind, 'picks'>, readonly Job[]> = {
  games: [gradeDueJob as Job, planClosings as Job, followLogJob as Job],
  lines: [gradeDueJob as Job],
  results: [gradeDueJob as Job],
  stats: [gradeDueJob as Job],
  cappers: [seal as Job, followLogJob as Job],
};
