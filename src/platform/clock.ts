/** The service's clock: the only source of the present, for rules, windows, workers, and pages. */
export interface Clock {
  /** Returns the present instant in epoch milliseconds. */
  now(): number;
}

/** The shown instant of a clock at a real instant, both in epoch milliseconds (`SERVICE_CLOCK`). */
export interface ClockSetting {
  shown: number;
  /**
   * Real instant at which the clock shows {@link shown}. With it, all processes share one clock whenever they start. Default: the clock's
   * creation.
   */
  anchor?: number | undefined;
}

/** Returns a clock that runs from a setting on, or the machine's clock. */
export function createClock(setting?: ClockSetting, real: () => number = Date.now): Clock {
  if (setting === undefined) return { now: real };
  const offset = setting.shown - (setting.anchor ?? real());
  return { now: () => real() + offset };
}

/** Formats an instant in the service's only form: `YYYY-MM-DDTHH:mm:ss.sssZ`. */
export function iso(at: number): string {
  return new Date(at).toISOString();
}

/** Like {@link iso}, passing `null` through. */
export function isoOrNull(at: number | null): string | null {
  return at === null ? null : iso(at);
}

/**
 * Parses an ISO 8601 instant to epoch milliseconds.
 * @throws RangeError if the text is not an instant
 */
export function instant(text: string): number {
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw new RangeError(`${JSON.stringify(text)} is not an ISO 8601 instant`);
  return at;
}
