import type { Context } from 'koa';
import type { Board } from '../boards/board.ts';
import type { BoardCache } from '../boards/board-cache.ts';
import { type Endpoint, namesIn } from '../boards/endpoint.ts';
import { InvalidParams } from '../boards/read-params.ts';
import type { CacheAnswer } from '../cache/cache.ts';
import type { Clock } from '../platform/clock.ts';
import { headersOf } from './answer.ts';
import { noneMatches } from './conditional.ts';
import { preferredCoding } from './encoding.ts';
import { problem } from './errors.ts';
import type { Front } from './front.ts';
import { pairs } from './headers.ts';
import type { Route } from './routes.ts';

export interface BoardRoutesDeps {
  cache: BoardCache;
  front: Front;
  clock: Clock;
}

/** The routes of all boards and of their formats. */
export function boardRoutes(boards: readonly Board[], deps: BoardRoutesDeps): Route[] {
  return boards
    .flatMap((board) => [board, ...board.formats])
    .map((endpoint) => endpointRoute(endpoint, deps));
}

/** The route of an endpoint. With `page` errors are answered with pages too. */
export function endpointRoute(
  endpoint: Endpoint,
  { cache, front, clock }: BoardRoutesDeps,
  { page = false }: { page?: boolean } = {},
): Route {
  const { path } = endpoint;
  const inPath = new Set(namesIn(path));
  return {
    method: 'GET',
    path,
    async handle(ctx) {
      if (page) ctx.state.page = true;
      const given = { ...Object.fromEntries(new URLSearchParams(ctx.querystring)), ...ctx.params };
      const answer = await cache.read(endpoint, given).catch((error: unknown) => {
        throw refusalInPath(error, inPath, ctx.params) ?? error;
      });
      send(ctx, answer, clock);
      front.learn(ctx.url, answer.rendered);
    },
  };
}

/**
 * 404 for an invalid parameter in the path: what a path names does not exist then. In the query it is a 400.
 * @returns undefined for any other error
 */
function refusalInPath(
  error: unknown,
  inPath: ReadonlySet<string>,
  params: Record<string, string>,
): Error | undefined {
  if (!(error instanceof InvalidParams)) return undefined;
  const fault = error.faults.find(({ path }) => inPath.has(path.slice(1)));
  if (fault === undefined) return undefined;
  const name = fault.path.slice(1);
  return problem(404, `There is no ${name} ${JSON.stringify(params[name])}: it ${fault.message}.`);
}

/** Answers with what the cache gave. */
function send(ctx: Context, { rendered, stale, source }: CacheAnswer, clock: Clock): void {
  const headers = headersOf(rendered);
  const coding = preferredCoding(ctx.get('Accept-Encoding') || undefined);
  const unchanged = noneMatches(ctx.get('If-None-Match') || undefined, rendered.etag);
  ctx.state.cache = stale ? `${source}, stale` : source;
  ctx.status = unchanged ? 304 : 200;
  for (const [name, value] of pairs(unchanged ? headers.notModified : headers.coded[coding]))
    ctx.set(name, value);
  if (stale) ctx.set('Age', String(Math.max(0, Math.round((clock.now() - rendered.generatedAt) / 1000))));
  if (!unchanged) ctx.body = rendered.bytes[coding];
}
