/** Numbers and remarks beside an outcome, shown with the job in Bull Board. */
export type Figures = Readonly<Record<string, number | string | boolean | null>>;

/**
 * How a job ended. A handler returns it; throwing is for surprises, and counts as failed.
 *
 * - `ok`: the work is done.
 * - `cancelled`: there is nothing to do, or it must not be done now. No fault, and no further attempt.
 * - `snoozed`: too early. The job comes again after `delayMs`, which is no attempt.
 * - `failed`: it did not work, for a reason that is known. It is tried again as the job declares.
 */
export type Outcome =
  | { outcome: 'ok'; figures: Figures }
  | { outcome: 'cancelled'; reason: string; figures: Figures }
  | { outcome: 'snoozed'; delayMs: number; figures: Figures }
  | { outcome: 'failed'; reason: string; figures: Figures };

export function ok(figures: Figures = {}): Outcome {
  return { outcome: 'ok', figures };
}

export function cancelled(reason: string, figures: Figures = {}): Outcome {
  return { outcome: 'cancelled', reason, figures };
}

/** @param delayMs milliseconds from now */
export function snoozed(delayMs: number, figures: Figures = {}): Outcome {
  return { outcome: 'snoozed', delayMs, figures };
}

export function failed(reason: string, figures: Figures = {}): Outcome {
  return { outcome: 'failed', reason, figures };
}
