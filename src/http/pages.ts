import { type Static, Type } from 'typebox';
import type { Board, BoardFormat } from '../boards/board.ts';
import type { BoardCache } from '../cache/board-cache.ts';
import { pages as everyPage } from '../pages/index.ts';
import { layout } from '../pages/layout.ts';
import type { DataPage, FixedPage } from '../pages/page.ts';
import type { Site } from '../pages/site.ts';
import { stylesheetHash } from '../pages/stylesheet.ts';
import type { Clock } from '../platform/clock.ts';
import { type Answer, type Lifetime, pageType } from './answer.ts';
import { cachedAnswer, refusalInPath } from './boards.ts';
import { compressible } from './coded.ts';
import { weakEntityTag } from './conditional.ts';
import type { Front } from './front.ts';
import { namesInPath, type Route } from './routes.ts';

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

/**
 * The routes of all pages.
 * @throws Error when a path has a parameter that its page does not declare
 */
export function pageRoutes({ fixed, pages = everyPage, ...deps }: PageDeps): Route[] {
  const { site } = deps;
  return [
    ...fixed.map((page) => fixedPage(page.path, layout(page.render(site), site), page.lifetime)),
    ...pages.map((page) => dataRoute(page, deps)),
  ];
}

function dataRoute(page: DataPage, { cache, front, clock, site }: Omit<PageDeps, 'fixed' | 'pages'>): Route {
  const { path } = page;
  const inPath = namesInPath(path);
  for (const name of inPath)
    if (!Object.hasOwn(page.params.properties, name))
      throw new Error(`${path} has a parameter that its page does not declare: ${name}`);
  const { board, format } = cached(page, site);
  return {
    method: 'GET',
    path,
    page: true,
    async handle({ url, given, params }) {
      const answer = await cache.answer(board, { ...given, ...params }, format).catch((error: unknown) => {
        throw refusalInPath(error, inPath, params) ?? error;
      });
      front.learn(url, answer.rendered);
      return cachedAnswer(answer, clock);
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
    contentType: pageType,
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

/** The route of a page that is the same for everyone until the service starts again. */
export function fixedPage(path: string, text: string, lifetime: Lifetime): Route {
  const etag = weakEntityTag(text);
  const body = compressible(text);
  return { method: 'GET', path, lifetime, handle: () => ({ type: pageType, etag, body }) };
}

/** A page that was made for this request alone. */
export function freshPage(text: string, status: number): Answer {
  return { status, type: pageType, body: compressible(text) };
}
