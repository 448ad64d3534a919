import { retryAfter } from '../../platform/retry-after.ts';
import { ownValue } from '../../rules/own-value.ts';
import { get, Unanswered } from '../http.ts';

/** Credits, as the provider reports them. */
export interface Quota {
  remaining: number | null;
  used: number | null;
  last: number | null;
}

export interface OddsApi {
  /**
   * Requests a path of the API.
   * @throws Refused, Unanswered (from http.ts)
   */
  ask(path: string, query?: Record<string, string>): Promise<{ body: unknown; quota: Quota }>;
}

/**
 * Reason for a refusal.
 * - `key`: the key is not accepted.
 * - `credits`: none are left.
 * - `plan`: the key's plan does not include this.
 * - `rate`: too many requests.
 * - `unknown`: no such sport or event.
 * - `request`: the request is wrong.
 * - `server`: an internal error.
 * - `nonsense`: the answer does not match the documentation.
 */
export type RefusalKind = 'key' | 'credits' | 'plan' | 'rate' | 'unknown' | 'request' | 'server' | 'nonsense';

export class Refused extends Unanswered {
  override name = 'Refused';
  readonly kind: RefusalKind;

  constructor(kind: RefusalKind, message: string, awayMs = 0) {
    super(message, awayMs);
    this.kind = kind;
  }
}

export interface OddsApiOptions {
  url: string;
  key: string;
  /** Aborts running requests on shutdown. */
  signal: AbortSignal;
  timeoutMs?: number;
}

/** Creates a client of The Odds API v4. The key goes into the query, as documented, and never into a message. */
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
      if (status !== 200) throw refusalOf(status, body, retryAfter(headers, Date.now()) ?? 0, key);
      if (body === undefined) throw new Refused('nonsense', 'the answer is not JSON');
      const quota = {
        remaining: count(headers['x-requests-remaining']),
        used: count(headers['x-requests-used']),
        last: count(headers['x-requests-last']),
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

/** Error codes of the provider that call for action, with sentences. https://the-odds-api.com/liveapi/guides/v4/api-error-codes.html */
const meanings: Readonly<Record<string, readonly [RefusalKind, string]>> = {
  MISSING_KEY: ['key', 'no key arrived: check whether a proxy at ODDS_API_URL drops it'],
  INVALID_KEY: ['key', 'the key is not valid'],
  DEACTIVATED_KEY: ['key', 'the key is deactivated, usually because its subscription ended'],
  OUT_OF_USAGE_CREDITS: [
    'credits',
    'no credits are left: prices and scores wait for new ones, schedules continue',
  ],
  EXCEEDED_FREQ_LIMIT: ['rate', 'too many requests at once'],
  HISTORICAL_UNAVAILABLE_ON_FREE_USAGE_PLAN: ['plan', "past prices are not in the key's plan"],
  UNKNOWN_SPORT: ['unknown', 'unknown sport'],
  EVENT_NOT_FOUND: ['unknown', 'unknown event, or the event is over'],
  INVALID_REGION: ['request', 'unknown region: check ODDS_API_REGIONS'],
  INVALID_BOOKMAKERS: ['request', 'unknown bookmaker: check ODDS_API_BOOKMAKERS'],
  INVALID_MARKET: ['request', 'this market is not available here'],
  INVALID_MARKET_COMBO: ['request', 'the sport has only outrights'],
};

function refusalOf(status: number, body: unknown, retryMs: number, key: string): Refused {
  const { error_code: code, message } = (typeof body === 'object' && body !== null ? body : {}) as Record<
    string,
    unknown
  >;
  const known = typeof code === 'string' ? ownValue(meanings, code) : undefined;
  const words = [code, known?.[1] ?? message]
    .filter((word) => typeof word === 'string' && word !== '')
    .join(': ');
  const reply = `${status}${words === '' ? '' : ` ${words.replaceAll(key, '[key]').slice(0, 200)}`}`;
  const awayMs = Math.min(retryMs, 3_600_000);
  if (known !== undefined) return new Refused(known[0], reply, awayMs);
  if (status === 401 || status === 403) return new Refused('key', reply);
  if (status === 404) return new Refused('unknown', reply);
  if (status === 429) return new Refused('rate', reply, awayMs);
  if (status >= 500) return new Refused('server', reply, awayMs);
  return new Refused('request', reply);
}

/** Parses credits; the header may have decimals and may be missing. */
function count(header: string | undefined): number | null {
  if (header === undefined || !/^\d{1,9}(\.\d+)?$/.test(header)) return null;
  return Math.floor(Number(header));
}
