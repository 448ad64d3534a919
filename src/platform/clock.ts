/** The service's clock: the only source of the present instant, for rules, windows, workers and pages. */
export interface Clock {
  /** The present instant in epoch milliseconds. */
  now(): number;
}

/** What a clock showed at a real instant, both in epoch milliseconds (`SERVICE_CLOCK`). */
export interface ClockSetting {
  shown: number;
  /** With an anchor every process of a service, also one started later, shares one clock. Default: when the clock is made. */
  anchor?: number | undefined;
}

/** A clock that runs on from what a setting says; without one the machine's own. */
export function createClock(setting?: ClockSetting, real: () => number = Date.now): Clock {
  if (setting === undefined) return { now: real };
  const offset = setting.shown - (setting.anchor ?? real());
  return { now: () => real() + offset };
}

/** An instant as the service writes it everywhere: `YYYY-MM-DDTHH:mm:ss.sssZ`. */
export function iso(at: number): string {
  return new Date(at).toISOString();
}

/** {@link iso}, passing `null` through. */
export function isoOrNull(at: number | null): string | null {
  return at === null ? null : iso(at);
}

/**
 * Reads an ISO 8601 instant to epoch milliseconds.
 * @throws RangeError when the text is not an instant
 */
export function instant(text: string): number {
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw new RangeError(`${JSON.stringify(text)} is not an ISO 8601 instant`);
  return at;
}
