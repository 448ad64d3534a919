import { Readable } from 'node:stream';
import type { Context, Middleware } from 'koa';
import { Coded } from '../cache/representation.ts';
import { type Answer, jsonType } from './answer.ts';
import type { Front } from './front.ts';
import { headersFor } from './headers.ts';
import { noneMatches, preferredCoding } from './negotiation.ts';
import { requestOf } from './request.ts';
import type { Route } from './routes.ts';

/** A route's handler as Koa middleware. @param front learns which answers it may give itself next time */
export function answering(route: Route, front?: Front): Middleware {
  return async (ctx) => {
    if (route.page === true) ctx.state.page = true;
    const asOf = front?.now();
    const given = await route.handle(requestOf(ctx, route));
    const answer = { ...(route.lifetime === undefined ? {} : { lifetime: route.lifetime }), ...given };
    const body = await respond(ctx, answer);
    if (asOf !== undefined) front?.learn(ctx.url, { ...answer, body }, asOf);
  };
}

type Content = string | Buffer | Coded | Readable;

/**
 * Writes an answer: the one place that knows conditional requests and content codings. Koa leaves out the body of a HEAD.
 * @returns the body that was written, all codings of it; undefined where there is none
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
  if (content instanceof Coded) {
    const coding = preferredCoding(ctx.get('Accept-Encoding') || undefined);
    ctx.body = await content.in(coding);
    if (coding !== 'identity') ctx.set('Content-Encoding', coding);
  } else ctx.body = content;
  // After the body, for which Koa would choose a type.
  ctx.set('Content-Type', type);
  return content;
}

async function contentOf(body: NonNullable<Answer['body']>): Promise<Content> {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body;
  if (body instanceof Coded || body instanceof Readable) return body;
  return typeof body === 'function' ? body() : JSON.stringify(body);
}
