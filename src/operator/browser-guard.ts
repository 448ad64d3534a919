import type { Context, Middleware } from 'koa';
import { problem } from '../http/answer.ts';
import { isJson } from '../http/transport/body.ts';

/** Of Bull Board's pages: its scripts and nothing else's. It has inline styles, and its fonts from elsewhere are not loaded. */
const boardPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'";

/** Of the operator's own page: it runs no script. */
export const pagePolicy =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const headers = Object.entries({
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
});

/**
 * Keeps other sites, open in the operator's browser, from acting there with the credentials that the browser remembers: every answer has
 * a Content-Security-Policy, and a change must come from this origin.
 * @param isBoard whether a path is Bull Board's
 */
export function browserGuard(isBoard: (path: string) => boolean): Middleware {
  return (ctx, next) => {
    for (const [name, value] of headers) ctx.res.setHeader(name, value);
    const policy = isBoard(ctx.path) ? boardPolicy : "default-src 'none'; frame-ancestors 'none'";
    ctx.res.setHeader('Content-Security-Policy', policy);
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD' && !isSameOrigin(ctx))
      throw problem(403, 'Changes must come from this origin.');
    return next();
  };
}

/**
 * By what browsers say and scripts cannot forge (Fetch Metadata, the Origin header). Other clients say nothing, but every browser that posts
 * a form does.
 */
function isSameOrigin(ctx: Context): boolean {
  const site = ctx.get('Sec-Fetch-Site');
  if (site !== '') return site === 'same-origin';
  const origin = ctx.get('Origin');
  if (origin === '') return isJson(ctx) || typeof ctx.is('urlencoded', 'multipart') !== 'string';
  return URL.canParse(origin) && new URL(origin).host === ctx.host;
}
