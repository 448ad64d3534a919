import { Readable } from 'node:stream';
import type { Context, Middleware } from 'koa';
import { Coded } from '../../answers/coded.ts';
import { givenParams, paramsReader } from '../../boards/endpoint.ts';
import { DatabaseUnavailable } from '../../platform/availability.ts';
import { lazy } from '../../platform/once.ts';
import { checker, faultsText } from '../../platform/schema.ts';
import { withTimeout } from '../../platform/timeout.ts';
import { type Answer, jsonType, problem } from '../answer.ts';
import type { FastPath } from '../fast-path/fast-path.ts';
import type { Request, Route } from '../routes.ts';
import { readForm, readJson } from './body.ts';
import { headersFor, noneMatches, preferredCoding } from './headers.ts';

/** Time for an answer, in ms: shorter than any connection without progress stays open (`stallMs`), so that nobody is cut off. */
const answerMs = 45_000;

/** @param fastPath remembers answers that it may give next time */
export function answering(route: Route, fastPath?: FastPath): Middleware {
  const requestOf = requestsFor(route);
  return async (ctx) => {
    ctx.state.page = route.page === true;
    const asOf = fastPath?.now();
    const given = await withTimeout(Promise.resolve(route.handle(requestOf(ctx))), answerMs, () => {
      throw new DatabaseUnavailable();
    });
    const answer: Answer = { lifetime: route.lifetime, ...given };
    const body = await respond(ctx, answer);
    if (asOf !== undefined) fastPath?.learn(ctx.url, { ...answer, body }, asOf);
  };
}

type Content = string | Buffer | Coded | Readable;

/**
 * Writes an answer. Conditional requests and content codings are handled only here. Koa omits the body of a HEAD.
 * @returns the body with all its codings; undefined if there is none
 */
export async function respond(ctx: Context, answer: Answer): Promise<Content | undefined> {
  const { status = 200, body, source, type = jsonType, etag } = answer;
  if (source !== undefined) ctx.state.cache = source;
  ctx.set(headersFor(answer, body instanceof Coded));
  if (etag !== undefined && noneMatches(ctx.get('If-None-Match') || undefined, etag)) {
    ctx.status = 304;
    return undefined;
  }
  ctx.status = status;
  if (body === undefined) return undefined;
  const content = await contentOf(body);
  // Must come before the body: Koa guesses a missing type.
  ctx.set('Content-Type', type);
  if (content instanceof Coded) {
    const coding = preferredCoding(ctx.get('Accept-Encoding') || undefined);
    ctx.body = await content.in(coding);
    if (coding !== 'identity') ctx.set('Content-Encoding', coding);
  } else ctx.body = content;
  return content;
}

async function contentOf(body: NonNullable<Answer['body']>): Promise<Content> {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body;
  if (body instanceof Coded || body instanceof Readable) return body;
  return typeof body === 'function' ? body() : JSON.stringify(body);
}

/** Returns a function that reads requests for a route's handler. Query and body are checked when the handler reads them. */
function requestsFor({
  path,
  query,
  body,
  bodyLimit,
  checksRows,
}: Route): (ctx: Context) => Request<never, never> {
  const queryReader = lazy(() => {
    if (query === undefined) throw new Error(`${path} declares no query`);
    return paramsReader(query);
  });
  const check = lazy(() => {
    if (body === undefined) throw new Error(`${path} declares no body`);
    return checker(body);
  });
  return (ctx) => {
    const given = givenParams(ctx.querystring, {});
    return {
      path: ctx.path,
      url: ctx.url,
      ip: ctx.ip,
      params: (ctx.params ?? {}) as Record<string, string>,
      search: new URLSearchParams(ctx.querystring),
      given,
      header: (name) => ctx.get(name),
      query: (sports) => queryReader()(given, sports) as never,
      async body() {
        const given = await readJson(ctx, bodyLimit);
        if (checksRows) return given as never;
        const checked = check()(given);
        if (checked.ok) return checked.value as never;
        throw problem(400, `${faultsText(checked.faults)}.`, { errors: checked.faults });
      },
      form: () => readForm(ctx),
    };
  };
}
