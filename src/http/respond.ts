import type { Context, Middleware } from 'koa';
import { Coded } from '../cache/representation.ts';
import { type Answer, jsonType } from './answer.ts';
import { headersFor } from './headers.ts';
import { noneMatches, preferredCoding } from './negotiation.ts';
import { requestOf } from './request.ts';
import type { Route } from './routes.ts';

/** A route's handler as Koa middleware. */
export function answering(route: Route): Middleware {
  return async (ctx) => {
    if (route.page === true) ctx.state.page = true;
    const answer = await route.handle(requestOf(ctx, route));
    await respond(ctx, { ...(route.lifetime === undefined ? {} : { lifetime: route.lifetime }), ...answer });
  };
}

/** Writes an answer: the one place that knows conditional requests and content codings. Koa leaves out the body of a HEAD. */
export async function respond(ctx: Context, { status = 200, body, source, ...about }: Answer): Promise<void> {
  const { type = jsonType, etag } = about;
  if (source !== undefined) ctx.state.cache = source;
  ctx.set(headersFor(about, body instanceof Coded));
  if (etag !== undefined && noneMatches(ctx.get('If-None-Match') || undefined, etag)) {
    ctx.status = 304;
    return;
  }
  ctx.status = status;
  if (body === undefined) return;
  ctx.body = await bytesOf(ctx, body);
  // After the body, for which Koa would choose a type.
  ctx.set('Content-Type', type);
}

async function bytesOf(ctx: Context, body: NonNullable<Answer['body']>): Promise<string | Buffer> {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body;
  if (typeof body === 'function') return body();
  if (!(body instanceof Coded)) return JSON.stringify(body);
  const coding = preferredCoding(ctx.get('Accept-Encoding') || undefined);
  const bytes = await body.in(coding);
  if (coding !== 'identity') ctx.set('Content-Encoding', coding);
  return bytes;
}
