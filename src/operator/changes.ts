import { KeyRefusal } from '../cappers/key-changes.ts';
import { JoinRefused } from '../games/twins.ts';
import type { Action, Actions } from './actions.ts';
import type { PostingDeps } from './posting.ts';

/** Dependencies of changes that are not rows: of keys, and joins. */
export interface ChangeDeps extends PostingDeps {
  actions: Actions;
}

/** Reports whether an error says why a change is not made, in a sentence for its requester. */
export const isRefusal = (error: unknown): error is Error =>
  error instanceof KeyRefusal || error instanceof JoinRefused;

/** Records a change that is not a row, and makes it. Refusals are recorded and thrown. */
export async function recorded<T>(
  actions: Actions,
  action: Omit<Action, 'rows'>,
  work: () => Promise<T>,
): Promise<T> {
  const id = await actions.begin({ ...action, rows: 1 });
  try {
    const done = await work();
    await actions.end(id, [{ index: 0, outcome: 'added' }]);
    return done;
  } catch (error) {
    if (isRefusal(error)) await actions.end(id, [{ index: 0, outcome: 'refused', reason: error.message }]);
    throw error;
  }
}
