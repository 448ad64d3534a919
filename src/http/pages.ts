import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { pages as everyPage } from '../pages/index.ts';
import { layout } from '../pages/layout.ts';
import type { DataPage, FixedPage } from '../pages/page.ts';
import type { Site } from '../pages/site.ts';
import { type BoardRoutesDeps, endpointRoute } from './boards.ts';
import { compressed } from './compressed.ts';
import { noneMatches } from './conditional.ts';
import { preferredCoding } from './encoding.ts';
import { pagePolicy } from './headers.ts';
import type { Route } from './routes.ts';

export interface PageDeps extends BoardRoutesDeps {
  site: Site;
  /** The pages that need no ledger. */
  fixed: readonly FixedPage[];
  /** The pages over the ledger; default: all. */
  pages?: readonly DataPage[];
}

const contentType = 'text/html; charset=utf-8';

/** The routes of all pages. */
export function pageRoutes({ fixed, pages = everyPage, site, ...deps }: PageDeps): Route[] {
  return [
    ...fixed.map((page) => fixedRoute(page, site)),
    ...pages.map((page) => endpointRoute(page.on(site), deps, { page: true })),
  ];
}

function fixedRoute(page: FixedPage, site: Site): Route {
  const text = layout(page.render(site), site);
  const { path, lifetime } = page;
  return { method: 'GET', path, handle: (ctx) => sendPage(ctx, text, { lifetime }) };
}

/**
 * Answers with a page made for this request.
 * @param options `lifetime` in seconds; default: it may not be kept
 */
export async function sendPage(
  ctx: Context,
  text: string,
  { status = 200, lifetime }: { status?: number; lifetime?: number } = {},
): Promise<void> {
  ctx.set('Content-Security-Policy', pagePolicy);
  ctx.set('Vary', 'Accept-Encoding');
  ctx.status = status;
  if (lifetime === undefined) ctx.set('Cache-Control', 'no-store');
  else {
    ctx.set('Cache-Control', `public, max-age=${lifetime}, stale-while-revalidate=${lifetime}`);
    const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
    ctx.set('ETag', etag);
    if (noneMatches(ctx.get('If-None-Match') || undefined, etag)) {
      ctx.status = 304;
      return;
    }
  }
  const coding = preferredCoding(ctx.get('Accept-Encoding') || undefined);
  if (coding !== 'identity') ctx.set('Content-Encoding', coding);
  ctx.body = await compressed(Buffer.from(text), coding);
  ctx.set('Content-Type', contentType);
}
