import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { type Static, Type } from 'typebox';
import type { Board, BoardFormat } from '../boards/board.ts';
import { givenParams } from '../boards/read-params.ts';
import type { BoardCache } from '../cache/board-cache.ts';
import { pages as everyPage } from '../pages/index.ts';
import { layout } from '../pages/layout.ts';
import type { DataPage, FixedPage } from '../pages/page.ts';
import type { Site } from '../pages/site.ts';
import { stylesheetHash } from '../pages/stylesheet.ts';
import type { Clock } from '../platform/clock.ts';
import { refusalInPath, send } from './boards.ts';
import { compressed } from './compressed.ts';
import { noneMatches } from './conditional.ts';
import { preferredCoding } from './encoding.ts';
import type { Front } from './front.ts';
import { pagePolicy } from './headers.ts';
import type { Route } from './routes.ts';

export interface PageDeps {
  cache: BoardCache;
  front: Front;
  clock: Clock;
  site: Site;
  /** Those that need no ledger. */
  fixed: readonly FixedPage[];
  /** Default: all there are. */
  pages?: readonly DataPage[];
}

const contentType = 'text/html; charset=utf-8';

/**
 * The routes of all pages.
 * @throws Error when a path has a parameter that its page does not declare
 */
export function pageRoutes({ fixed, pages = everyPage, ...deps }: PageDeps): Route[] {
  return [...fixed.map((page) => fixedRoute(page, deps.site)), ...pages.map((page) => dataRoute(page, deps))];
}

function fixedRoute(page: FixedPage, site: Site): Route {
  const text = layout(page.render(site), site);
  const { path, lifetime } = page;
  return { method: 'GET', path, handle: (ctx) => sendPage(ctx, text, { lifetime }) };
}

function dataRoute(page: DataPage, { cache, front, clock, site }: Omit<PageDeps, 'fixed' | 'pages'>): Route {
  const { path } = page;
  const inPath = new Set([...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string));
  for (const name of inPath)
    if (!Object.hasOwn(page.params.properties, name))
      throw new Error(`${path} has a parameter that its page does not declare: ${name}`);
  const { board, format } = cached(page, site);
  return {
    method: 'GET',
    path,
    async handle(ctx) {
      // Whatever is thrown from here on is told with a page.
      ctx.state.page = true;
      const given = givenParams(ctx.querystring, ctx.params);
      const answer = await cache.answer(board, given, format).catch((error: unknown) => {
        throw refusalInPath(error, inPath, ctx.params) ?? error;
      });
      send(ctx, answer, clock);
      front.learn(ctx.url, answer.rendered);
    },
  };
}

const body = Type.Object({ text: Type.String() });

/**
 * A page in the form in which the cache of boards takes it: its body is its text, so the entity tag is over the markup. Its key names
 * the look, for what another release rendered is dressed differently.
 */
function cached(page: DataPage, site: Site): { board: Board; format: BoardFormat } {
  const { path, params, lifetime, tags, examples } = page;
  const format: BoardFormat = {
    path: `${path}#${stylesheetHash}`,
    contentType,
    lifetime,
    render: (rendered) => (rendered as Static<typeof body>).text,
  };
  const board: Board = {
    path,
    group: 'feeds',
    about: '',
    params,
    lifetime,
    tags,
    body,
    examples,
    async compute(context, given) {
      const data = await page.data(context, given);
      const { now, sports } = context;
      return { text: layout(page.render(data, { site, now, params: given, sports }), site) };
    },
  };
  return { board, format };
}

/**
 * Answers with a page that was made for this request.
 * @param options `lifetime` in seconds; without one nobody may keep it
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
