import { seal } from '../jobs/sealing.ts';
import { recordNotices } from '../ledger/posting/notices.ts';
import { plainText } from '../platform/fields.ts';
import { checker, faultsText } from '../platform/schema.ts';
import { Type } from '../platform/type.ts';
import type { Action, Actions, Outcome } from './actions.ts';
import type { PostingDeps } from './posting.ts';

/** A remark by an operator. */
export const noticeRow = Type.Object({ text: plainText(1, 1000) });

export const checkNotice = checker(noticeRow);

export interface NoticeDeps extends Pick<PostingDeps, 'database' | 'clock' | 'enqueue'> {
  actions: Actions;
}

/** Adds a notice to the log, and records the requester and the outcome. */
export async function addNotice(
  by: Pick<Action, 'operator' | 'requestId'>,
  row: unknown,
  { actions, database, clock, enqueue }: NoticeDeps,
): Promise<Outcome> {
  const checked = checkNotice(row);
  const about = checked.ok ? checked.value.text : '';
  const id = await actions.begin({ ...by, action: 'notices', about, rows: 1 });
  if (checked.ok) await recordNotices(database, 'remark', [checked.value.text], clock.now());
  const outcome: Outcome = checked.ok
    ? { index: 0, outcome: 'added' }
    : { index: 0, outcome: 'refused', reason: `${faultsText(checked.faults)}.` };
  await actions.end(id, [outcome]);
  if (checked.ok) await enqueue.add(seal, {});
  return outcome;
}
