import type { Middleware } from 'koa';
import { problem } from './problem.ts';

/** Headers that a cross-origin request may carry. */
const allowedHeaders = 'Content-Type, If-None-Match, X-Webhook-Secret';

/** What no route answered: OPTIONS on a path that exists, 405 for a method that it does not have, else 404. */
export function otherMethods(): Middleware {
  return async (ctx, next) => {
    await next();
    if (ctx.status !== 404 || ctx.body !== undefined) return;
    const matched = (ctx as { matched?: { methods: string[] }[] }).matched ?? [];
    const methods = [...new Set(matched.flatMap((route) => route.methods)), 'OPTIONS'].sort();
    if (methods.length === 1) throw problem(404, `There is nothing at ${ctx.path}.`);
    const allow = methods.join(', ');
    if (ctx.method !== 'OPTIONS')
      throw problem(405, `${ctx.path} knows only ${allow}.`, { headers: { Allow: allow } });
    ctx.status = 204;
    ctx.set({
      Allow: allow,
      'Access-Control-Allow-Methods': allow,
      'Access-Control-Allow-Headers': allowedHeaders,
      'Access-Control-Max-Age': '86400',
    });
  };
}
