import { type NotedOutcome, refused } from '../games/row-outcome.ts';
import type { RowKind } from '../intake/kind.ts';
import { type KindName, kinds } from '../intake/kinds.ts';
import { intakeTime } from '../ledger/log-kind.ts';
import type { PickRow } from '../ledger/posting/pick-row.ts';
import { faultsText } from '../platform/schema.ts';
import { type Action, type Actions, type Outcome, summaryOf } from './actions.ts';
import { type Acknowledged, createPosting, type PostingDeps } from './posting.ts';

/** Maximum number of rows in a request, and of characters in its Idempotency-Key. */
export const maxRows = 5_000;
export const maxKey = 180;

export type RowAnswer = { index: number; repeats?: string } & NotedOutcome & Partial<Acknowledged>;

/**
 * Stores the valid rows of a request, and records the requester and the outcome. Invalid rows are refused one by one.
 * @param by the requester
 * @param key the request's Idempotency-Key. Several picks get `<key>/<index>` each
 * @returns the outcome of each row, in order
 */
export type PostRows = (
  by: Pick<Action, 'operator' | 'requestId'>,
  kind: KindName,
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
      const checked = kinds[kind].check(given);
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
        (kinds[kind] as RowKind).apply(
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
      for (const job of kinds[kind].wakes) await enqueue.add(job, {});
    await actions.end(id, answers);
    return answers;
  };
}
