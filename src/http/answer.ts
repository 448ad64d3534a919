import { type Coding, codings, type Rendered } from '../cache/rendered.ts';
import type { Coded } from './coded.ts';
import { corsHeaders, type FlatHeaders, flat, pagePolicy, pairs, securityHeaders } from './headers.ts';

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
} as const;

/** What a handler gives; `respond.ts` makes the response of it. */
export interface Answer {
  /** Default 200. */
  status?: number;
  /** An object is sent as JSON. A function is called only if the reader does not have the content already. */
  body?: string | Buffer | Coded | object | (() => Promise<Buffer>);
  /** The content type. Default: JSON. */
  type?: string;
  /** The entity tag with its quotes. With one, the answer is 304 for a reader who has it. */
  etag?: string;
  /** Default: the route's, or nobody may keep it. */
  lifetime?: Lifetime;
  headers?: Readonly<Record<string, string>>;
  /** Where the cache had it, for the access log and metrics. */
  source?: string;
}

export const jsonType = 'application/json; charset=utf-8';
export const pageType = 'text/html; charset=utf-8';

/** The headers by which an answer differs from others, without those of its body. */
export function headersFor(
  {
    type = jsonType,
    etag,
    lifetime = cacheControl.none,
    headers,
  }: Omit<Answer, 'body' | 'status' | 'source'>,
  isCoded: boolean,
): Record<string, string> {
  return {
    ...(type.startsWith('text/html') ? { 'Content-Security-Policy': pagePolicy } : {}),
    ...(isCoded ? { Vary: 'Accept-Encoding' } : {}),
    'Cache-Control':
      typeof lifetime === 'number'
        ? `public, max-age=${lifetime}, stale-while-revalidate=${lifetime}`
        : lifetime,
    ...(etag === undefined ? {} : { ETag: etag }),
    ...headers,
  };
}

/** A cached answer's headers, ready to be written; `X-Request-Id` is added to them. */
export interface CachedHeaders {
  notModified: FlatHeaders;
  coded: Readonly<Record<Coding, FlatHeaders>>;
}

const made = new WeakMap<Rendered, CachedHeaders>();

/** All headers of a cached answer, made once for each one. */
export function headersOf(rendered: Rendered): CachedHeaders {
  const known = made.get(rendered);
  if (known !== undefined) return known;
  const headers = make(rendered);
  made.set(rendered, headers);
  return headers;
}

function make({ contentType, lifetime, etag, bytes }: Rendered): CachedHeaders {
  const common = {
    ...Object.fromEntries(pairs([...securityHeaders, ...corsHeaders])),
    ...headersFor({ type: contentType, lifetime, etag }, true),
  };
  const entries = codings.map((coding) => [
    coding,
    flat({
      ...common,
      'Content-Type': contentType,
      'Content-Length': String(bytes[coding].length),
      ...(coding === 'identity' ? {} : { 'Content-Encoding': coding }),
    }),
  ]);
  return { notModified: flat(common), coded: Object.fromEntries(entries) };
}
