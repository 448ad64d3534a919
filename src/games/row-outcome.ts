export type RowOutcome =
  | { outcome: 'added' | 'updated' | 'unchanged' }
  /** The row is dated after the service's clock. Its sender can send it again later. */
  | { outcome: 'left out'; reason: string }
  | { outcome: 'refused'; reason: string };

export type NotedOutcome = RowOutcome & { note?: string };

/** The time of applying rows, and whether they describe the past (files) or the present (the operator's port, providers). */
export interface Intake {
  /** Later events are left out. */
  now: EpochMs;
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
