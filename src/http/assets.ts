import type { Coding } from '../cache/rendered.ts';
import { favicon } from '../pages/logo.ts';
import { fonts, stylesheet, stylesheetHash, stylesheetPath } from '../pages/stylesheet.ts';
import { compressed } from './compressed.ts';
import { noneMatches } from './conditional.ts';
import { preferredCoding } from './encoding.ts';
import type { Route } from './routes.ts';

const forEver = 'public, max-age=31536000, immutable';

/** What pages are dressed with. An address that names the content may be kept for ever, any other for five minutes. */
export function assetRoutes(): Route[] {
  return [
    route(stylesheetPath, 'text/css; charset=utf-8', stylesheet, stylesheetHash, (query) =>
      query.get('v') === stylesheetHash ? forEver : 'public, max-age=300',
    ),
    route(
      '/favicon.svg',
      'image/svg+xml',
      Buffer.from(favicon),
      stylesheetHash,
      () => 'public, max-age=86400',
    ),
    ...fonts.map(({ path, contentType, bytes, hash }) =>
      route(path, contentType, bytes, hash, () => forEver),
    ),
  ];
}

function route(
  path: string,
  contentType: string,
  bytes: Buffer,
  hash: string,
  cacheControl: (query: URLSearchParams) => string,
): Route {
  // Weak: it names the content, in whatever coding.
  const etag = `W/"${hash}"`;
  // Fonts are compressed within.
  const isText = !contentType.startsWith('font/');
  const made = new Map<Coding, Promise<Buffer>>();
  return {
    method: 'GET',
    path,
    async handle(ctx) {
      ctx.set('Cache-Control', cacheControl(new URLSearchParams(ctx.querystring)));
      ctx.set('ETag', etag);
      if (isText) ctx.set('Vary', 'Accept-Encoding');
      if (noneMatches(ctx.get('If-None-Match') || undefined, etag)) {
        ctx.status = 304;
        return;
      }
      const coding = isText ? preferredCoding(ctx.get('Accept-Encoding') || undefined) : 'identity';
      const coded = made.get(coding) ?? compressed(bytes, coding);
      made.set(coding, coded);
      if (coding !== 'identity') ctx.set('Content-Encoding', coding);
      ctx.body = await coded;
      ctx.set('Content-Type', contentType);
    },
  };
}
