import { KeyRefusal } from '../cappers/key-changes.ts';
import { JoinRefused } from '../games/twins.ts';
import { type Fields, type RowOf, schemaOf } from '../intake/kind.ts';
import { checker, faultsText } from '../platform/schema.ts';
import type { Actions, By } from './actions.ts';
import type { FormKind } from './form.ts';
import type { PostingDeps } from './posting.ts';

export interface ChangeDeps extends PostingDeps {
  actions: Actions;
}

/** A change that is not a row: of keys, and joins. */
export interface Change<Row, Done> extends FormKind {
  /** The action that is recorded. */
  action: string;
  /** A short summary of its subject. */
  about(row: Row): string;
  /** @throws KeyRefusal, JoinRefused */
  make(row: Row, deps: ChangeDeps): Promise<Done>;
  /** Describes the change after it was made. */
  said(done: Done, row: Row): string;
}

/** Declares a change by its fields. */
export function changeOf<const F extends Fields, Done>(
  fields: F,
  change: Omit<Change<RowOf<F>, Done>, keyof FormKind>,
): Change<RowOf<F>, Done> {
  const schema = schemaOf(fields, { additionalProperties: false });
  return { ...change, fields, schema, check: checker(schema) };
}

/** Reports whether an error says why a change is not made, in a sentence for its requester. */
export const isRefusal = (error: unknown): error is Error =>
  error instanceof KeyRefusal || error instanceof JoinRefused;

/** Records a change, and makes it. Refusals are recorded and thrown. */
export async function makeChange<Row, Done>(
  { action, about, make }: Change<Row, Done>,
  by: By,
  row: Row,
  deps: ChangeDeps,
): Promise<Done> {
  const { actions } = deps;
  const id = await actions.begin({ ...by, action, about: about(row), rows: 1 });
  try {
    const done = await make(row, deps);
    await actions.end(id, [{ index: 0, outcome: 'added' }]);
    return done;
  } catch (error) {
    if (isRefusal(error)) await actions.end(id, [{ index: 0, outcome: 'refused', reason: error.message }]);
    throw error;
  }
}

export const byForm =
  <Row, Done>(change: Change<Row, Done>) =>
  async (by: By, value: unknown, deps: ChangeDeps): Promise<string> => {
    const checked = change.check(value);
    if (!checked.ok) throw new KeyRefusal('invalid', `${faultsText(checked.faults)}.`);
    const row = checked.value as Row;
    return change.said(await makeChange(change, by, row, deps), row);
  };
