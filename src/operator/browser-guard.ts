import type { Context, Middleware } from 'koa';
import { problem } from '../http/answer.ts';
import { isJson } from '../http/transport/body.ts';

/** Policy of Bull Board's pages. They need inline styles. Their external fonts stay blocked. */
const boardPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'";

/** Policy of the operator's pages, which run no scripts. */
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
 * Prevents other sites in the operator's browser from using its stored credentials. Every answer has a Content-Security-Policy, and a
 * change must come from this origin.
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
 * Reports whether a request comes from this origin, by headers that scripts cannot forge (Fetch Metadata, Origin). Clients that send
 * neither are accepted unless they post a form, because every browser sends one with forms.
 */
function isSameOrigin(ctx: Context): boolean {
  const site = ctx.get('Sec-Fetch-Site');
  if (site !== '') return site === 'same-origin';
  const origin = ctx.get('Origin');
  if (origin === '') return isJson(ctx) || typeof ctx.is('urlencoded', 'multipart') !== 'string';
  return URL.canParse(origin) && new URL(origin).host === ctx.host;
}
