import { Router } from '@koa/router';
import Koa, { type Middleware } from 'koa';
import type { Site } from '../pages/site.ts';
import type { Logger } from '../platform/logger.ts';
import { problem } from './answer.ts';
import type { FastPath } from './fast-path/fast-path.ts';
import { inOrder, type Route } from './routes.ts';
import { accessLog, type requestIds } from './transport/access-log.ts';
import { answering } from './transport/answering.ts';
import { problems } from './transport/errors.ts';
import { commonHeaders, transportHeaders } from './transport/headers.ts';

export interface AppOptions {
  routes: readonly Route[];
  trustProxy: number;
  idOf: ReturnType<typeof requestIds>;
  log: Logger;
  /** Remembers answers to give before Koa next time. Default: none. */
  fastPath?: FastPath;
  measure?: Middleware | undefined;
  /** Used for refusals as pages. Default: refusals are always JSON. */
  site?: Site;
}

/** @throws Error if two routes have the same path */
export function createApp({ routes, trustProxy, idOf, log, fastPath, measure, site }: AppOptions): Koa {
  const app = new Koa({ proxy: trustProxy > 0, maxIpsCount: trustProxy });
  const router = new Router({ sensitive: true });
  for (const route of inOrder(routes))
    router.register(route.path, [route.method], answering(route, fastPath));
  // `problems` handles errors of handlers; only broken connections get here.
  app.on('error', (error: Error) => log.debug({ err: error.message }, 'connection'));
  app.use(accessLog(idOf, log));
  if (measure !== undefined) app.use(measure);
  app.use(commonHeaders(site === undefined ? {} : transportHeaders(site.baseUrl)));
  app.use(problems(log, site?.baseUrl ?? '', site));
  app.use(otherMethods());
  app.use(router.routes());
  return app;
}

const allowedHeaders = 'Content-Type, If-None-Match, Last-Event-ID, X-Webhook-Secret, X-Push-Auth';

/** Answers requests without a route: OPTIONS of an existing path, 405 for another method of it, otherwise 404. */
function otherMethods(): Middleware {
  return async (ctx, next) => {
    await next();
    if (ctx.status !== 404 || ctx.body !== undefined) return;
    const matched = (ctx as { matched?: { methods: string[] }[] }).matched ?? [];
    const methods = [...new Set(matched.flatMap((route) => route.methods)), 'OPTIONS'].sort();
    if (methods.length === 1) throw problem(404, `There is nothing at ${ctx.path}.`);
    const allow = methods.join(', ');
    if (ctx.method !== 'OPTIONS')
      throw problem(405, `${ctx.path} only accepts ${allow}.`, { headers: { Allow: allow } });
    ctx.status = 204;
    ctx.set({
      Allow: allow,
      'Access-Control-Allow-Methods': allow,
      'Access-Control-Allow-Headers': allowedHeaders,
      'Access-Control-Max-Age': '86400',
    });
  };
}
