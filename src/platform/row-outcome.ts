/** What became of a row that came in from outside. */
export type RowOutcome =
  | { outcome: 'added' | 'updated' | 'unchanged' }
  /** Not known yet at the service's clock: it may come again later. */
  | { outcome: 'left out'; reason: string }
  | { outcome: 'refused'; reason: string };

/** When rows are applied, and whether they tell of the past (files) or of now (the operator's port, providers). */
export interface Intake {
  /** The service's clock, epoch milliseconds. */
  now: number;
  imported: boolean;
}

export const added: RowOutcome = { outcome: 'added' };
export const updated: RowOutcome = { outcome: 'updated' };
export const unchanged: RowOutcome = { outcome: 'unchanged' };

export function refused(reason: string): RowOutcome {
  return { outcome: 'refused', reason };
}

export function leftOut(reason: string): RowOutcome {
  return { outcome: 'left out', reason };
}
