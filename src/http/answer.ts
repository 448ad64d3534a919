import type { Readable } from 'node:stream';
import type { Coded } from '../cache/representation.ts';
import type { Fault } from '../platform/schema.ts';

/**
 * How long caches may keep an answer: seconds, after which they may serve it for as long again while they fetch a new one; or a
 * `Cache-Control` of its own, see {@link cacheControl}.
 */
export type Lifetime = number | `public, ${string}` | 'no-store';

/** The rarer values of `Cache-Control`. */
export const cacheControl = {
  /** For what must not be kept: secrets, and states of an outage. */
  none: 'no-store',
  /** For an address that names its content. */
  immutable: 'public, max-age=31536000, immutable',
  /** Kept for some seconds and then asked for again, never served stale. */
  exactly: (seconds: number) => `public, max-age=${seconds}` as const,
  /** For an answer that may be outdated already: a cache in front, which was told of the change before it has this, keeps it for a second. */
  outdated: (seconds: number) => `public, max-age=${seconds}, s-maxage=1` as const,
} as const;

/** What a handler gives; `transport/answering.ts` makes the response of it. */
export interface Answer {
  /** Default 200. */
  status?: number;
  /**
   * An object is sent as JSON, a stream as it comes. A function is called only if the reader does not have the content already.
   */
  body?: string | Buffer | Coded | Readable | object | (() => Promise<Buffer>) | undefined;
  /** The content type. Default: JSON. */
  type?: string;
  /** The entity tag with its quotes. With one, the answer is 304 for a reader who has it. */
  etag?: string;
  /** Default: the route's, or nobody may keep it. */
  lifetime?: Lifetime;
  headers?: Readonly<Record<string, string>>;
  /** What it depends on, for caches in front (`projections/tags.ts`). Default: {@link Keep.tags}. */
  tags?: readonly string[];
  /** Where the cache had it, for the access log and metrics. */
  source?: string;
  /** The key under which the fast path may find it again in memory. Default: each request comes to the handler. */
  key?: string;
  /** Makes the fast path put it into memory under that key; boards and pages are there already. It must have an entity tag and a body. */
  keep?: Keep;
}

/** Until when, and on what, an answer holds. */
export interface Keep {
  /** What it depends on, see `projections/tags.ts`; default: nothing that changes. */
  tags?: readonly string[];
  /** The instant until which it is good, in epoch milliseconds. Default: it never ends. */
  goodUntil?: number;
  /** Milliseconds after which the handler is asked again whatever does not change; default: no limit. */
  maxAgeMs?: number;
}

export const jsonType = 'application/json; charset=utf-8';
export const pageType = 'text/html; charset=utf-8';

/** What a problem may carry beside its sentence. */
export interface ProblemOptions {
  /** One for each wrong field or parameter. */
  errors?: readonly Fault[];
  headers?: Readonly<Record<string, string>>;
}

/** A refusal (RFC 9457): a handler throws it, and the reader gets it. */
export class Problem extends Error {
  override name = 'Problem';
  readonly status: number;
  readonly options: ProblemOptions;

  constructor(status: number, detail: string, options: ProblemOptions) {
    super(detail);
    this.status = status;
    this.options = options;
  }
}

/**
 * @param status the HTTP status
 * @param detail a sentence that helps the reader; it is public, so nothing internal belongs in it
 */
export function problem(status: number, detail: string, options: ProblemOptions = {}): Problem {
  return new Problem(status, detail, options);
}
