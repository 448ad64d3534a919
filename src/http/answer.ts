import type { Readable } from 'node:stream';
import type { Coded } from '../answers/coded.ts';
import { type ProblemName, problemOfStatus } from '../pages/problems.ts';
import type { RateLimit } from '../platform/rate-limit.ts';
import type { Fault } from '../platform/schema.ts';
import { patterns } from '../rules/vocabulary.ts';

/**
 * How long caches may keep an answer, in seconds; they may then serve it stale for as long again while they revalidate. Or another
 * `Cache-Control`, see {@link cacheControl}.
 */
export type Lifetime = number | `public, ${string}` | 'no-store';

export const cacheControl = {
  /** For secrets, and for answers during an outage. */
  none: 'no-store',
  /** For a URL that names its content. */
  immutable: 'public, max-age=31536000, immutable',
  /** Never served stale. */
  exactly: (seconds: number) => `public, max-age=${seconds}` as const,
  /** For an answer that may be outdated. Caches in front keep it for only a second, because they may have been purged before it arrives. */
  outdated: (seconds: number) => `public, max-age=${seconds}, s-maxage=1` as const,
} as const;

export interface Answer {
  /** Default 200. */
  status?: number;
  /** An object is sent as JSON, a stream as it arrives. A function is called only if the client does not have the content yet. */
  body?: string | Buffer | Coded | Readable | object | (() => Promise<Buffer>) | undefined;
  /** Default: JSON. */
  type?: string;
  /** With quotes. */
  etag?: string;
  /** Default: the route's, or `no-store`. */
  lifetime?: Lifetime | undefined;
  headers?: Readonly<Record<string, string>>;
  /** Tags that the answer depends on, for caches in front (`projections/tags.ts`). Default: {@link Keep.tags}. */
  tags?: readonly string[];
  /** The store in which the cache found the answer, for the access log and metrics. */
  source?: string;
  /** The key under which the fast path may find the answer in memory. Default: the handler sees each request. */
  key?: string;
  /** Makes the fast path keep the answer under that key. Needs an entity tag and a body. Boards and pages are kept anyway. */
  keep?: Keep;
}

/** How long a kept answer is valid, and what it depends on. */
export interface Keep {
  /** Tags that the answer depends on (`projections/tags.ts`). Default: none. */
  tags?: readonly string[];
  /** Default: never stale. */
  goodUntil?: EpochMs;
  /** Time after which it becomes stale even if no tag changed, in ms. Default: no limit. */
  maxAgeMs?: number;
}

export const jsonType = 'application/json; charset=utf-8';
export const pageType = 'text/html; charset=utf-8';

export interface ProblemOptions {
  /** Kind of the problem. Default: `invalid-parameters` with errors and 400, otherwise by the status. */
  type?: ProblemName;
  errors?: readonly Fault[];
  headers?: Readonly<Record<string, string>>;
  /** Seconds until a client may retry. */
  retryAfter?: number | undefined;
}

/** A refusal (RFC 9457). Handlers throw it, and the client receives it. */
export class Problem extends Error {
  override name = 'Problem';
  readonly status: number;
  readonly type: ProblemName;
  readonly errors: readonly Fault[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, detail: string, { type, errors, headers, retryAfter }: ProblemOptions) {
    super(detail);
    this.status = status;
    this.errors = errors;
    this.headers = { ...headers, ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }) };
    this.type =
      type ?? (status === 400 && errors !== undefined ? 'invalid-parameters' : problemOfStatus(status));
  }
}

/** @param detail a sentence that helps the client. It is public, so it must not contain internals */
export function problem(status: number, detail: string, options: ProblemOptions = {}): Problem {
  return new Problem(status, detail, options);
}

/** Counts an action. @param why describes the limit in a sentence. @throws Problem 429 */
export async function take(limit: RateLimit, key: string, why: string): Promise<void> {
  const wait = await limit.take(key);
  if (wait !== undefined) throw problem(429, `${why} Try again in ${wait} s.`, { retryAfter: wait });
}

const forms = { pick: new RegExp(patterns.uuid), capper: new RegExp(patterns.handle) };

/** Returns the UUID or handle in a path, in lower case. @throws Problem 404 for what cannot be one */
export function nameIn(given: unknown, what: keyof typeof forms): string {
  const name = String(given).toLowerCase();
  if (!forms[what].test(name)) throw problem(404, `There is no ${what} ${JSON.stringify(name)}.`);
  return name;
}
