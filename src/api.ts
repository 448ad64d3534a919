import type { RequestListener } from 'node:http';
import type { Redis } from 'ioredis';
import type { Registry } from 'prom-client';
import type { Board } from './boards/board.ts';
import type { BoardCache } from './boards/board-cache.ts';
import { boards as everyBoard } from './boards/index.ts';
import { createApp } from './http/app.ts';
import { assetRoutes } from './http/assets.ts';
import { boardRoutes } from './http/boards.ts';
import { cardRoutes } from './http/cards.ts';
import { embedRoutes } from './http/embed.ts';
import { createFront } from './http/front.ts';
import { healthRoutes } from './http/health.ts';
import { httpMetrics } from './http/http-metrics.ts';
import { ledgerRoutes } from './http/ledger.ts';
import { oembedRoute } from './http/oembed.ts';
import { openApi, openApiRoute } from './http/openapi.ts';
import { pageRoutes } from './http/pages.ts';
import { receiptRoute } from './http/receipt.ts';
import { recordExportRoutes } from './http/record-export.ts';
import { requestIds } from './http/request-id.ts';
import type { Route } from './http/routes.ts';
import { scriptRoutes } from './http/scripts.ts';
import { statusRoutes } from './http/status.ts';
import { packageVersion, versionRoute } from './http/version.ts';
import { createWebhookDesk, type WebhookDeps } from './http/webhook-desk.ts';
import { webhookPageRoutes } from './http/webhook-pages.ts';
import { webhookRoutes } from './http/webhooks.ts';
import { type ApiDocument, docsPages } from './pages/docs/page.ts';
import { ledgerPage } from './pages/ledger/page.ts';
import { recordExportPage } from './pages/record-export/page.ts';
import { verifyPage } from './pages/verify/page.ts';
import type { Availability } from './platform/availability.ts';
import type { Clock } from './platform/clock.ts';
import type { Config } from './platform/config/config.ts';
import type { Database } from './platform/database.ts';
import type { Logger } from './platform/logger.ts';

export interface ApiDeps {
  config: Pick<Config, 'deployment' | 'http' | 'ledger' | 'site' | 'status' | 'webhooks'>;
  database: Database;
  /** A connection that fails fast. */
  redis: Redis;
  availability: Availability;
  cache: BoardCache;
  clock: Clock;
  log: Logger;
  /** How webhooks' targets are looked up and pinged. */
  targets: Pick<WebhookDeps, 'client' | 'resolve'>;
  /** Where requests are counted. */
  metrics?: Registry;
  /** Default: all there are. */
  boards?: readonly Board[];
  /** What else is on the public port. */
  routes?: readonly Route[];
}

export interface Api {
  /** Answers a request of the public port. */
  handle: RequestListener;
  /** Requests that were answered straight from memory: these have no line in the access log. */
  answeredFromMemory(): number;
  /** From now on it says that it is not ready, and every answer closes its connection. */
  startShutdown(): void;
}

/**
 * The public site and API, without a port.
 * @throws Error when two routes have one path, or a board's path has a parameter that it does not declare
 */
export function createApi(deps: ApiDeps): Api {
  const {
    config,
    database,
    redis,
    availability,
    cache,
    clock,
    log,
    metrics,
    boards = everyBoard,
    routes = [],
  } = deps;
  const idOf = requestIds(config.http.trustProxy);
  const desk = createWebhookDesk({
    config: config.webhooks,
    database,
    redis,
    availability,
    clock,
    ...deps.targets,
  });
  const front = createFront(cache.memory, idOf, log);
  const { site } = config;
  const document = openApi(boards, site.baseUrl, packageVersion) as ApiDocument;
  let shuttingDown = false;
  const app = createApp({
    routes: [
      ...boardRoutes(boards, { cache, front, clock }),
      ...healthRoutes({ database, redis, availability, isShuttingDown: () => shuttingDown }),
      ...recordExportRoutes({ database, availability, clock, baseUrl: site.baseUrl }),
      ...pageRoutes({
        cache,
        front,
        clock,
        site,
        fixed: [recordExportPage, ledgerPage, verifyPage, ...docsPages(document)],
      }),
      oembedRoute({ cache, baseUrl: site.baseUrl }),
      ...assetRoutes(),
      ...scriptRoutes(),
      ...cardRoutes({ cache, site }),
      ...embedRoutes({ cache, site }),
      receiptRoute({ database, availability }),
      ...statusRoutes({ checkThresholds: config.status.checks, database, redis, availability, clock, site }),
      ...ledgerRoutes({ database, availability }),
      ...webhookRoutes(desk),
      ...webhookPageRoutes(desk, site),
      openApiRoute(document),
      versionRoute(config.deployment, config.ledger.key, clock.now()),
      ...routes,
    ],
    trustProxy: config.http.trustProxy,
    idOf,
    log,
    ...(metrics === undefined ? {} : { measure: httpMetrics(metrics, front.answered) }),
    site,
  });
  const koa = app.callback();
  return {
    handle(req, res) {
      if (shuttingDown) res.setHeader('Connection', 'close');
      else if (front.answer(req, res)) return;
      void koa(req, res);
    },
    answeredFromMemory: front.answered,
    startShutdown() {
      shuttingDown = true;
    },
  };
}
