import type { IncomingHttpHeaders } from 'node:http';

/**
 * The milliseconds that Retry-After asks for (RFC 9110, section 10.2.3: seconds or a date; the chat platform also sends fractions), or
 * null. A date counts from the answer's own Date where it has one, so that neither clock needs to be right.
 * @param now epoch ms, for an answer without Date
 */
export function retryAfter(headers: IncomingHttpHeaders, now: number): number | null {
  const given = single(headers['retry-after']);
  if (given === undefined) return null;
  if (/^\d+(\.\d+)?$/.test(given)) return milliseconds(Number(given));
  const until = httpDate(given);
  if (until === undefined) return null;
  return Math.max(0, until - (httpDate(single(headers.date) ?? '') ?? now));
}

/** Milliseconds until the chat platform's limit is lifted, when the answer says that nothing of it remains; else null. */
export function rateLimitReset(headers: IncomingHttpHeaders): number | null {
  if (single(headers['x-ratelimit-remaining']) !== '0') return null;
  const given = single(headers['x-ratelimit-reset-after']);
  return given !== undefined && /^\d+(\.\d+)?$/.test(given) ? milliseconds(Number(given)) : null;
}

/** Of a header that came more than once, the first. */
function single(value: string | string[] | undefined): string | undefined {
  return (Array.isArray(value) ? value[0] : value)?.trim();
}

function milliseconds(seconds: number): number {
  return Math.min(Math.ceil(seconds * 1000), Number.MAX_SAFE_INTEGER);
}

/** IMF-fixdate and the obsolete forms all begin with the name of a day; other things that Date would read do not count. */
function httpDate(text: string): number | undefined {
  const time = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
