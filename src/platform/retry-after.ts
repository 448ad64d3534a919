import type { IncomingHttpHeaders } from 'node:http';

/**
 * The milliseconds that Retry-After asks for (RFC 9110, section 10.2.3: seconds or a date; fractions of seconds are read too), or null.
 * A date counts from the answer's own Date where it has one, so that neither clock needs to be right.
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

/** The milliseconds of a number of seconds that was sent as text, rounded up; null where it is no such number. */
export function seconds(text: string | undefined): number | null {
  if (text === undefined || !/^\d+(\.\d+)?$/.test(text)) return null;
  return Math.min(Math.ceil(Number(text) * 1000), Number.MAX_SAFE_INTEGER);
}

/** A header's value; the first where it was sent more than once. */
export function single(value: string | string[] | undefined): string | undefined {
  return (Array.isArray(value) ? value[0] : value)?.trim();
}

/** IMF-fixdate and the obsolete forms all begin with the name of a day. Whatever else `Date.parse` reads does not count. */
function httpDate(text: string): number | undefined {
  const time = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
