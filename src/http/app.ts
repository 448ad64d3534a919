import { Router } from '@koa/router';
import Koa, { type Middleware } from 'koa';
import type { Site } from '../pages/site.ts';
import type { Logger } from '../platform/logger.ts';
import { accessLog } from './access-log.ts';
import { problems } from './errors.ts';
import { commonHeaders, transportHeaders } from './headers.ts';
import { otherMethods } from './methods.ts';
import type { requestIds } from './request-id.ts';
import { answering } from './respond.ts';
import { inOrder, type Route } from './routes.ts';

export interface AppOptions {
  routes: readonly Route[];
  /** How many proxies stand in front. */
  trustProxy: number;
  idOf: ReturnType<typeof requestIds>;
  log: Logger;
  /** Measures answers. */
  measure?: Middleware;
  /** What pages of refusals are made with. Default: none are made. */
  site?: Site;
}

/**
 * The public site and API as a Koa application.
 * @throws Error when two routes have one path
 */
export function createApp({ routes, trustProxy, idOf, log, measure, site }: AppOptions): Koa {
  const app = new Koa({ proxy: trustProxy > 0, maxIpsCount: trustProxy });
  const router = new Router({ sensitive: true });
  for (const route of inOrder(routes)) router.register(route.path, [route.method], answering(route));
  // Errors of handlers are answered by `problems`: what is left is a connection that broke.
  app.on('error', (error: Error) => log.debug({ err: error.message }, 'connection'));
  app.use(accessLog(idOf, log));
  if (measure !== undefined) app.use(measure);
  app.use(commonHeaders(site === undefined ? [] : transportHeaders(site.baseUrl)));
  app.use(problems(log, site));
  app.use(otherMethods());
  app.use(router.routes());
  return app;
}
