/** The only source of the present, for rules, windows, workers, and pages. */
export interface Clock {
  now(): EpochMs;
}

/** `SERVICE_CLOCK` */
export interface ClockSetting {
  shown: EpochMs;
  /** Real instant at which the clock shows {@link shown}, for processes that share one clock. Default: the clock's creation. */
  anchor?: EpochMs | undefined;
}

/** Runs from the setting on. Default: the machine's clock. */
export function createClock(setting?: ClockSetting): Clock {
  const offset = setting === undefined ? 0 : setting.shown - (setting.anchor ?? Date.now());
  return { now: () => Date.now() + offset };
}

/** The service's only form: `YYYY-MM-DDTHH:mm:ss.sssZ`. */
export function iso(at: EpochMs): string {
  return new Date(at).toISOString();
}

export function isoOrNull(at: EpochMs | null): string | null {
  return at === null ? null : iso(at);
}

/** @throws RangeError if the text is not an ISO 8601 instant */
export function instant(text: string): EpochMs {
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw new RangeError(`${JSON.stringify(text)} is not an ISO 8601 instant`);
  return at;
}
