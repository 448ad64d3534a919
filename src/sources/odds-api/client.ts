import { get } from '../http.ts';

/** Credits left, as the provider says. */
export interface Quota {
  remaining: number | null;
  used: number | null;
}

export interface OddsApi {
  /**
   * Requests a path of the API.
   * @throws Refused, Unanswered (from http.ts)
   */
  ask(path: string, query?: Record<string, string>): Promise<{ body: unknown; quota: Quota }>;
}

/**
 * Why the provider refused: `key` it does not accept the key, `credits` none are left, `rate` too many requests, `unknown` no such sport,
 * `request` the request is wrong, `server` a fault of its own, `nonsense` the answer is not what its documentation says.
 */
export type RefusalKind = 'key' | 'credits' | 'rate' | 'unknown' | 'request' | 'server' | 'nonsense';

export class Refused extends Error {
  override name = 'Refused';
  readonly kind: RefusalKind;
  /** Its Retry-After in milliseconds. */
  readonly retryAfterMs: number | null;

  constructor(kind: RefusalKind, message: string, retryAfterMs: number | null = null) {
    super(message);
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

export interface OddsApiOptions {
  url: string;
  key: string;
  /** Aborts running requests on shutdown. */
  signal: AbortSignal;
  timeoutMs?: number;
}

/** A client of The Odds API v4. The key goes into the query, as documented, and never into a message. */
export function oddsApi({ url, key, signal, timeoutMs }: OddsApiOptions): OddsApi {
  return {
    async ask(path, query = {}) {
      const address = new URL(`${url}/v4/${path}`);
      for (const [name, value] of Object.entries({ ...query, apiKey: key }))
        address.searchParams.set(name, value);
      const { status, headers, text } = await get(address, {
        signal,
        headers: { accept: 'application/json' },
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      });
      const body = json(text);
      if (status !== 200) throw refusalOf(status, body, headers['retry-after'], key);
      if (body === undefined) throw new Refused('nonsense', 'the answer is not JSON');
      const quota = {
        remaining: count(headers['x-requests-remaining']),
        used: count(headers['x-requests-used']),
      };
      return { body, quota };
    },
  };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refusalOf(status: number, body: unknown, retryAfter: string | undefined, key: string): Refused {
  const { error_code: code, message } = (typeof body === 'object' && body !== null ? body : {}) as Record<
    string,
    unknown
  >;
  const words = [code, message].filter((word) => typeof word === 'string' && word !== '').join(': ');
  const said = `${status}${words === '' ? '' : ` ${words.replaceAll(key, '[key]').slice(0, 200)}`}`;
  if (status === 401) return new Refused(code === 'OUT_OF_USAGE_CREDITS' ? 'credits' : 'key', said);
  if (status === 404) return new Refused('unknown', said);
  if (status === 429) return new Refused('rate', said, seconds(retryAfter));
  if (status >= 500) return new Refused('server', said, seconds(retryAfter));
  return new Refused('request', said);
}

/** Parses Retry-After in seconds, at most an hour; a date is ignored. */
function seconds(retryAfter: string | undefined): number | null {
  if (retryAfter === undefined || !/^\d{1,6}$/.test(retryAfter)) return null;
  return Math.min(Number(retryAfter), 3600) * 1000;
}

/** Credits as a whole number; the header may have decimals, and may be missing. */
function count(header: string | undefined): number | null {
  if (header === undefined || !/^\d{1,9}(\.\d+)?$/.test(header)) return null;
  return Math.floor(Number(header));
}
