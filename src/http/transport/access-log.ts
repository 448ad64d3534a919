import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import { type Logger, withLogContext } from '../../platform/logger.ts';

const sane = /^[A-Za-z0-9._:-]{8,64}$/;

/** The `X-Request-Id` of a trusted proxy if it is well-formed, otherwise a new one. @param trustProxy number of trusted proxies in front */
export function requestIds(trustProxy: number): (given: string | undefined) => string {
  if (trustProxy === 0) return () => randomUUID();
  return (given) => (given !== undefined && sane.test(given) ? given : randomUUID());
}

/** Gives a request its id for all its log lines, and logs one line when it is answered. */
export function accessLog(idOf: ReturnType<typeof requestIds>, log: Logger): Middleware {
  return async (ctx, next) => {
    const requestId = idOf(ctx.get('X-Request-Id') || undefined);
    const began = performance.now();
    ctx.state.requestId = requestId;
    ctx.set('X-Request-Id', requestId);
    await withLogContext({ requestId }, async () => {
      await next();
      const { method, status } = ctx;
      const ms = Math.round((performance.now() - began) * 10) / 10;
      log.info({ method, url: loggedUrl(ctx.url), status, ms, cache: ctx.state.cache }, 'request');
    });
  };
}

/** Returns a URL without the query if it belongs to webhooks: those queries hold e-mail addresses. */
export function loggedUrl(url: string): string {
  const path = url.split('?', 1)[0] ?? '';
  return decodedLower(path).includes('/api/webhooks') ? path : url.slice(0, 500);
}

function decodedLower(path: string): string {
  try {
    return decodeURIComponent(path).toLowerCase();
  } catch {
    return path.toLowerCase();
  }
}
