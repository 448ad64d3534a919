import type { Middleware } from 'koa';
import type { Rendered } from '../cache/rendered.ts';
import { type Coding, codings } from '../cache/representation.ts';
import { type Answer, cacheControl, jsonType } from './answer.ts';

/** Headers in the flat form that `writeHead` takes: name, value, name, value. */
export type FlatHeaders = readonly string[];

/** On every answer. A page sets a Content-Security-Policy of its own. */
export const securityHeaders: FlatHeaders = [
  'X-Content-Type-Options',
  'nosniff',
  'Referrer-Policy',
  'strict-origin-when-cross-origin',
  'Content-Security-Policy',
  "default-src 'none'; frame-ancestors 'none'",
];

/** Of pages: they load what is ours and nothing else, and run no inline script or style. */
export const pagePolicy =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** On every answer of a public endpoint: any site's script may read it, these headers included. */
export const corsHeaders: FlatHeaders = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'ETag, Age, Retry-After, X-Ignored-Parameters, X-Request-Id',
];

/** HTTP Strict Transport Security (RFC 6797) for a year, where the site's public address is https. Its subdomains are not spoken for. */
export function transportHeaders(baseUrl: string): FlatHeaders {
  return baseUrl.startsWith('https:') ? ['Strict-Transport-Security', 'max-age=31536000'] : [];
}

/**
 * Sets the headers that every answer has; what answers may replace them.
 * @param transport see {@link transportHeaders}
 */
export function commonHeaders(transport: FlatHeaders): Middleware {
  return (ctx, next) => {
    for (const [name, value] of pairs([...securityHeaders, ...corsHeaders, ...transport]))
      ctx.set(name, value);
    return next();
  };
}

/** Headers by name in the flat form. */
export function flat(headers: Readonly<Record<string, string>>): FlatHeaders {
  return Object.entries(headers).flat();
}

export function* pairs(headers: FlatHeaders): Generator<[name: string, value: string]> {
  for (let at = 0; at < headers.length; at += 2) yield [headers[at] as string, headers[at + 1] as string];
}

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
