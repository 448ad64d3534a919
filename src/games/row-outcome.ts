/** What was done with a row from outside. */
export type RowOutcome =
  | { outcome: 'added' | 'updated' | 'unchanged' }
  /** In the future of the service's clock: it may be sent again later. */
  | { outcome: 'left out'; reason: string }
  | { outcome: 'refused'; reason: string };

/** An outcome with what the sender of the row should know. */
export type NotedOutcome = RowOutcome & { note?: string };

/** When rows are applied, and whether they describe the past (files) or the present (the operator's port, providers). */
export interface Intake {
  /** Epoch milliseconds; nothing from after it is taken. */
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
