import type { Context } from 'koa';
import type { Board, BoardFormat } from '../boards/board.ts';
import { givenParams, InvalidParams } from '../boards/read-params.ts';
import type { Answer, BoardCache } from '../cache/board-cache.ts';
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

/**
 * The routes of all boards and of their formats.
 * @throws Error when a path has a parameter that its board does not declare
 */
export function boardRoutes(boards: readonly Board[], deps: BoardRoutesDeps): Route[] {
  return boards.flatMap((board) => [
    route(board, undefined, deps),
    ...(board.formats ?? []).map((format) => route(board, format, deps)),
  ]);
}

function route(
  board: Board,
  format: BoardFormat | undefined,
  { cache, front, clock }: BoardRoutesDeps,
): Route {
  const { path } = format ?? board;
  const inPath = new Set([...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string));
  for (const name of inPath)
    if (!Object.hasOwn(board.params.properties, name))
      throw new Error(`${path} has a parameter that its board does not declare: ${name}`);
  return {
    method: 'GET',
    path,
    async handle(ctx) {
      const given = givenParams(ctx.querystring, ctx.params);
      const answer = await cache.answer(board, given, format).catch((error: unknown) => {
        throw refusalInPath(error, inPath, ctx.params) ?? error;
      });
      send(ctx, answer, clock);
      front.learn(ctx.url, answer.rendered);
    },
  };
}

/**
 * What a path names and is none of the kind does not exist: 404 rather than 400 (decisions, section 3).
 * @returns undefined for any other error
 */
export function refusalInPath(
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
export function send(ctx: Context, { rendered, stale, source }: Answer, clock: Clock): void {
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
