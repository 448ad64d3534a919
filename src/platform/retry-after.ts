import type { IncomingHttpHeaders } from 'node:http';

/**
 * Returns the milliseconds that Retry-After asks for (RFC 9110, section 10.2.3: seconds or a date; fractional seconds are accepted), or
 * null. A date is compared with the answer's own Date if present, so that neither clock needs to be right.
 * @param now epoch milliseconds, for an answer without Date
 */
export function retryAfter(headers: IncomingHttpHeaders, now: number): number | null {
  const given = single(headers['retry-after']);
  if (given === undefined) return null;
  const wait = seconds(given);
  if (wait !== null) return wait;
  const until = httpDate(given);
  if (until === undefined) return null;
  return Math.max(0, until - (httpDate(single(headers.date) ?? '') ?? now));
}

/** Parses seconds to milliseconds, rounded up; null if the text is not a number of seconds. */
export function seconds(text: string | undefined): number | null {
  if (text === undefined || !/^\d+(\.\d+)?$/.test(text)) return null;
  return Math.min(Math.ceil(Number(text) * 1000), Number.MAX_SAFE_INTEGER);
}

/** The first if it was sent several times. */
export function single(value: string | string[] | undefined): string | undefined {
  return (Array.isArray(value) ? value[0] : value)?.trim();
}

/** Parses a date. IMF-fixdate and the obsolete forms begin with the name of a day; other forms that `Date.parse` accepts do not count. */
function httpDate(text: string): number | undefined {
  const time = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
