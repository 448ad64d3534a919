/** The service's clock: the one source of the present instant. Rules, windows, workers and pages all follow it. */
export interface Clock {
  /** The present instant in epoch milliseconds. */
  now(): number;
}

/**
 * The clock that a `SERVICE_CLOCK` setting describes (decisions, section 2): an ISO instant from which time runs on.
 * `<instant>@<real instant>` anchors it: at that real instant the service's clock showed the first one. With an anchor all
 * processes of a service, also those started later, share one clock. Without a setting it is the machine's own.
 *
 * @throws RangeError when an instant cannot be read
 */
export function createClock(setting = '', real: () => number = Date.now): Clock {
  if (setting === '') return { now: real };
  const [shown = '', anchor] = setting.split('@');
  const offset = instant(shown) - (anchor === undefined ? real() : instant(anchor));
  return { now: () => real() + offset };
}

/** A clock that stands where it is put: for tests and for computations at one instant. */
export function fixedClock(at: number | string): Clock & { set(at: number | string): void } {
  let now = typeof at === 'number' ? at : instant(at);
  return {
    now: () => now,
    set(next) {
      now = typeof next === 'number' ? next : instant(next);
    },
  };
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
 * @throws RangeError when it is none
 */
export function instant(text: string): number {
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw new RangeError(`${JSON.stringify(text)} is not an ISO 8601 instant`);
  return at;
}
