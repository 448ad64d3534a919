import type { IncomingMessage } from 'node:http';
import accepts from 'accepts';
import type { Middleware } from 'koa';
import type { Coding } from '../../answers/coded.ts';
import { type CachedResponse, tagHeaders } from '../../answers/rendered.ts';
import { type Answer, cacheControl, jsonType, type Lifetime } from '../answer.ts';

export type Headers = Readonly<Record<string, string>>;

/** Headers of every answer. Pages have their own Content-Security-Policy. */
const securityHeaders: Headers = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
};

/** Policy of pages: they load only files of this site, and run no inline script or style. */
export const pagePolicy =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; " +
  "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** Headers of every public answer: scripts of any site may read the answer and these headers. */
const corsHeaders: Headers = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, Age, Retry-After, X-Ignored-Parameters, X-Request-Id',
};

/** Returns HTTP Strict Transport Security (RFC 6797) for a year, without subdomains, if the site's public address is https. */
export function transportHeaders(baseUrl: string): Headers {
  return baseUrl.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {};
}

/** Sets the headers of every answer. Handlers may replace them. @param transport see {@link transportHeaders} */
export function commonHeaders(transport: Headers): Middleware {
  return (ctx, next) => {
    ctx.set({ ...securityHeaders, ...corsHeaders, ...transport });
    return next();
  };
}

export function headersFor(
  {
    type = jsonType,
    etag,
    lifetime = cacheControl.none,
    headers,
    keep,
    tags = keep?.tags ?? [],
  }: Pick<Answer, 'type' | 'etag' | 'lifetime' | 'headers' | 'tags' | 'keep'>,
  isCoded: boolean,
): Headers {
  return {
    ...(type.startsWith('text/html') ? { 'Content-Security-Policy': pagePolicy } : {}),
    ...(isCoded ? { Vary: 'Accept-Encoding' } : {}),
    'Cache-Control':
      typeof lifetime === 'number'
        ? `public, max-age=${lifetime}, stale-while-revalidate=${lifetime}`
        : lifetime,
    ...(lifetime === cacheControl.none ? {} : tagHeaders(tags)),
    ...(etag === undefined ? {} : { ETag: etag }),
    ...headers,
  };
}

/** Returns the headers of an answer that does not pass through Koa, without the request's id and the transport headers. */
export function headersBeforeKoa(about: Parameters<typeof headersFor>[0], isCoded: boolean): Headers {
  return { ...securityHeaders, ...corsHeaders, ...headersFor(about, isCoded) };
}

/** Returns those of a kept answer. @param bytes its body in `coding`; undefined for a 304 */
export function headersOf(
  { contentType, lifetime, etag, headers = {}, tags, unsettled, body }: CachedResponse,
  coding: Coding,
  bytes: Buffer | undefined,
): Headers {
  const kept = unsettled && typeof lifetime === 'number' ? cacheControl.outdated(lifetime) : lifetime;
  const about = { type: contentType, lifetime: kept as Lifetime, etag, headers, tags };
  const all = headersBeforeKoa(about, !Buffer.isBuffer(body));
  if (bytes === undefined) return all;
  return {
    ...all,
    ...(coding === 'identity' ? {} : { 'Content-Encoding': coding }),
    'Content-Type': contentType,
    'Content-Length': String(bytes.length),
  };
}

/** `Accept-Encoding` (RFC 9110, section 12.5.3). Ties go to br, then gzip, then identity, which is also the fallback. */
export function preferredCoding(header: string | undefined): Coding {
  if (header === undefined) return 'identity';
  // The library breaks ties by the order in the header.
  const parts = header.split(',').map((part) => part.trim());
  const rank = (part: string) => (/^br\b/i.test(part) ? 0 : /^gzip\b/i.test(part) ? 1 : 2);
  const ordered = parts.sort((a, b) => rank(a) - rank(b)).join(',');
  const request = { headers: { 'accept-encoding': ordered } } as IncomingMessage;
  const chosen = accepts(request).encoding(['br', 'gzip', 'identity']);
  return chosen === false ? 'identity' : (chosen as Coding);
}

/** A list or `*`, matched weakly (RFC 9110, sections 8.8.3.2 and 13.1.2). @param header undefined if the request has none */
export function noneMatches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header === etag) return true;
  if (header.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  for (const [, tag] of header.matchAll(/(?:W\/)?("[^"]*")/g)) if (tag === opaque) return true;
  return false;
}
