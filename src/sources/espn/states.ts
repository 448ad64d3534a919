import type { EventState } from '../verdict.ts';

/** The parts of ESPN's status of a game that tell its state. */
export interface Status {
  period?: number;
  type: { name: string; state: string; completed: boolean; detail?: string };
}

/**
 * What a status says. A state `final` with a note is over without a score to grade by.
 * @returns undefined for one that is not known
 */
export function stateOf({ type }: Status): { state: EventState; note?: string } | undefined {
  // Postponed and cancelled games have the state `post` as well, so the name is read first.
  const named = names.find(([pattern]) => pattern.test(type.name));
  if (named !== undefined) return named[1];
  if (type.state === 'in') return { state: 'in_progress' };
  if (type.state === 'pre') return { state: 'scheduled' };
  return undefined;
}

const names: readonly (readonly [RegExp, { state: EventState; note?: string }])[] = [
  [/CANCEL|ABANDON/, { state: 'cancelled' }],
  [/POSTPONED|RESCHEDULED/, { state: 'postponed' }],
  [/SUSPENDED/, { state: 'suspended' }],
  [/DELAY/, { state: 'delayed' }],
  [/FORFEIT|UNCONTESTED|WALKOVER/, { state: 'final', note: 'forfeited' }],
  [/NO_CONTEST/, { state: 'final', note: 'no contest' }],
  [/^STATUS_(FINAL|FULL_TIME)/, { state: 'final' }],
];

/** Whether a soccer match went beyond the 90 minutes: its score then counts more than they do. */
export function wentBeyond90({ period = 2, type: { name, detail = '' } }: Status): boolean {
  return /_(AET|PEN)/.test(name) || /\b(AET|ET|pens?|penalties)\b/i.test(detail) || period > 2;
}
