import { applyCappers, checkCapper } from '../cappers/cappers.ts';
import { applyGames } from '../games/apply-games.ts';
import { checkGame, type GameName } from '../games/game.ts';
import { applyLines, checkLine } from '../games/lines.ts';
import { applyResolved, type NotedOutcome } from '../games/resolve.ts';
import { applyResults, checkResult } from '../games/results.ts';
import { followLogJob } from '../jobs/boards.ts';
import { gradeDueJob, planClosings } from '../jobs/grading.ts';
import type { Job } from '../jobs/job.ts';
import type { Enqueue } from '../jobs/runtime/enqueue.ts';
import { seal } from '../jobs/sealing.ts';
import { acknowledge } from '../ledger/acknowledge.ts';
import { recordNotices } from '../ledger/notices.ts';
import { checkPick } from '../ledger/pick-row.ts';
import { postPick } from '../ledger/post-pick.ts';
import { SignerError } from '../ledger/signer/remote-signer.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { type Intake, type RowOutcome, refused } from '../platform/row-outcome.ts';
import { type Checked, faultsText } from '../platform/schema.ts';

/** Kinds of rows, each with a path of the same name. */
export const postable = ['picks', 'games', 'lines', 'results', 'cappers'] as const;
export type Postable = (typeof postable)[number];

/** The outcome of a row. An accepted pick has the log's signed promise to seal it. */
export type RowAnswer = NotedOutcome & {
  index: number;
  pickUuid?: string;
  postedAt?: string;
  acknowledgement?: string;
  /** Why an accepted pick has no acknowledgement: the same pick again under its Idempotency-Key gets one. */
  unacknowledged?: string;
};

export interface IntakeDeps {
  config: Pick<Config<'operator'>, 'ledger' | 'site'>;
  database: Database;
  clock: Clock;
  enqueue: Pick<Enqueue, 'add'>;
}

/**
 * Stores the valid rows of a request. Other rows are refused one by one, and the rest is stored all the same.
 * @param key the request's Idempotency-Key. Each pick of several gets `<key>/<index>`
 * @returns the outcome of each row, in order
 */
export async function postRows(
  kind: Postable,
  rows: readonly unknown[],
  key: string | undefined,
  { config, database, clock, enqueue }: IntakeDeps,
): Promise<RowAnswer[]> {
  const answers: RowAnswer[] = [];
  const valid: { index: number; row: unknown }[] = [];
  rows.forEach((given, index) => {
    const checked = checks[kind](given);
    if (checked.ok) valid.push({ index, row: checked.value });
    else answers[index] = { index, ...refused(faultsText(checked.faults)) };
  });
  if (kind === 'picks') {
    let unacknowledged: string | undefined;
    for (const { index, row } of valid) {
      const rowKey = key === undefined || rows.length === 1 ? key : `${key}/${index}`;
      const now = clock.now();
      const posted = await postPick(database, row as Parameters<typeof postPick>[1], rowKey, now);
      if (posted.outcome === 'refused') {
        answers[index] = { index, ...posted };
        continue;
      }
      const { outcome, pickUuid, postedAt } = posted;
      const answer: RowAnswer = { index, outcome, pickUuid, postedAt };
      answers[index] = answer;
      // The pick is stored: that its signer is away must not look like a refusal. One timeout a request is enough.
      if (unacknowledged === undefined) {
        try {
          const signing = { ...config.site, ...config.ledger };
          answer.acknowledgement = await acknowledge(database, signing, pickUuid, now);
        } catch (error) {
          if (!(error instanceof SignerError)) throw error;
          unacknowledged = error.message;
        }
      }
      if (unacknowledged !== undefined) answer.unacknowledged = unacknowledged;
    }
  } else if (valid.length > 0) {
    const outcomes = await database.transaction((transaction) =>
      apply[kind](
        transaction,
        valid.map(({ row }) => row),
        { now: clock.now(), imported: false },
      ),
    );
    valid.forEach(({ index }, at) => {
      answers[index] = { index, ...outcomes[at]! };
    });
  }
  if (answers.some(({ outcome }) => outcome === 'added' || outcome === 'updated'))
    for (const job of followUps[kind]) await enqueue.add(job, {});
  return answers;
}

const checks: Record<Postable, (value: unknown) => Checked<unknown>> = {
  picks: checkPick,
  games: checkGame,
  lines: checkLine,
  results: checkResult,
  cappers: checkCapper,
};

type Apply = (transaction: Transaction, rows: never[], intake: Intake) => Promise<RowOutcome[]>;

/** `never` is safe here: the rows have passed the check of their kind. */
const apply: Record<
  Exclude<Postable, 'picks'>,
  (transaction: Transaction, rows: unknown[], intake: Intake) => Promise<NotedOutcome[]>
> = {
  cappers: applyCappers as Apply as never,
  lines: resolved(applyLines as never),
  games: resolved(withCorrections(applyGames as never), { creates: true, strict: true }),
  results: resolved(withCorrections(applyResults as never)),
};

/** Applies rows to the games that they speak of, in whatever words. */
function resolved(
  applied: (transaction: Transaction, rows: GameName[], intake: Intake) => Promise<RowOutcome[]>,
  options: { creates?: boolean; strict?: boolean } = {},
) {
  return (transaction: Transaction, rows: unknown[], intake: Intake) =>
    applyResolved(transaction, rows as GameName[], options, (named) => applied(transaction, named, intake));
}

function withCorrections(
  applied: (
    transaction: Transaction,
    rows: unknown[],
    intake: Intake,
  ) => Promise<{ outcomes: RowOutcome[]; corrections: string[] }>,
) {
  return async (transaction: Transaction, rows: unknown[], intake: Intake) => {
    const { outcomes, corrections } = await applied(transaction, rows, intake);
    await recordNotices(transaction, 'correction', corrections, intake.now);
    return outcomes;
  };
}

/** Jobs that process new rows of a kind. Only a shortcut: their scheduled runs find the same work, a little later. */
const followUps: Record<Postable, readonly Job[]> = {
  picks: [seal as Job, planClosings as Job],
  games: [gradeDueJob as Job, planClosings as Job, followLogJob as Job],
  lines: [gradeDueJob as Job],
  results: [gradeDueJob as Job],
  cappers: [followLogJob as Job],
};
