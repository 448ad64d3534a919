import type { RequestListener } from 'node:http';
import type { Registry } from 'prom-client';
import type { Answers } from './answers/answers.ts';
import type { Changes } from './answers/changes.ts';
import type { Board } from './boards/board.ts';
import { boards as everyBoard } from './boards/index.ts';
import { authorRoutes } from './http/api/authors/routes.ts';
import { createAuthorService } from './http/api/authors/service.ts';
import { boardRoutes } from './http/api/boards.ts';
import { healthRoutes, statusRoutes } from './http/api/health.ts';
import { ledgerRoutes, receiptRoute } from './http/api/ledger.ts';
import { openApi, openApiRoute } from './http/api/openapi.ts';
import { exportPaths, recordExportRoutes } from './http/api/record-export.ts';
import { createStreamHub, streamRoute } from './http/api/stream.ts';
import { followVaultRing, packageVersion, versionRoute } from './http/api/version.ts';
import { pushRoutes, webhookRoutes } from './http/api/webhooks/routes.ts';
import { createWebhookService, type WebhookDeps } from './http/api/webhooks/service.ts';
import { createApp } from './http/app.ts';
import { createFastPath, type FastPath, give } from './http/fast-path/fast-path.ts';
import { plainRequestOf } from './http/fast-path/plain-request.ts';
import { mcpRoute } from './http/mcp/route.ts';
import type { Route } from './http/routes.ts';
import { assetRoutes, scriptRoutes, viewerRoute } from './http/site/assets.ts';
import { cardRoutes } from './http/site/cards.ts';
import { dataRoutes } from './http/site/data.ts';
import { embedRoutes, oembedRoute } from './http/site/oembed.ts';
import { pageRoutes } from './http/site/pages.ts';
import { webhookFormRoutes, webhookManageRoutes } from './http/site/webhook-pages.ts';
import { sitemapRoutes, wellKnownRoutes } from './http/site/well-known.ts';
import { requestIds } from './http/transport/access-log.ts';
import { transportHeaders } from './http/transport/headers.ts';
import { httpMetrics } from './http/transport/http-metrics.ts';
import { limitInFlight } from './http/transport/in-flight.ts';
import { authorPages } from './pages/authors/pages.ts';
import { type ApiDocument, docsPage } from './pages/docs/page.ts';
import { pages } from './pages/index.ts';
import { ledgerPage } from './pages/ledger/page.ts';
import { privacyPage } from './pages/privacy.ts';
import { problemPages } from './pages/problems.ts';
import { recordExportPage } from './pages/record-export/page.ts';
import { rulesPages } from './pages/rules/pages.ts';
import type { Site } from './pages/site.ts';
import { verifyPage } from './pages/verify/page.ts';
import type { Availability } from './platform/availability.ts';
import type { Clock } from './platform/clock.ts';
import type { Config } from './platform/config/config.ts';
import type { Database } from './platform/database.ts';
import type { Logger } from './platform/logger.ts';
import type { LoopDelay } from './platform/loop-delay.ts';
import { lazy } from './platform/once.ts';
import type { RedisClient } from './platform/redis.ts';
import { type Read, type Replica, readsOf } from './platform/replica.ts';
import type { LogKind } from './rules/vocabulary.ts';
import type { Hub } from './stream/hub.ts';

type SiteSettings = Site & Config['site'];

export interface ApiDeps {
  config: Omit<Config<'web'>, 'database' | 'redis' | 'process'>;
  database: Database;
  redis: RedisClient;
  /** Wakes the sealing of a stored pick. Default: no-op; sealing polls. */
  sealSoon?: () => void;
  /** Like {@link redis}, for the Redis of rendered boards. Default: {@link redis}. */
  cacheRedis?: RedisClient;
  availability: Availability;
  /** A standby for reads of the published log and of receipts while it keeps up. Default: the database. */
  replica?: Replica | undefined;
  /** Runs reads of exports and sitemaps. Default: like reads of receipts. */
  buildReads?: Read;
  answers: Answers;
  /** Reports that the log may have grown. Default: `/api/stream` polls it every few seconds. */
  changes?: Pick<Changes, 'onChange'>;
  clock: Clock;
  /** Undefined until known. */
  logKind(): LogKind | undefined;
  log: Logger;
  targets: Pick<WebhookDeps, 'client' | 'resolve'>;
  metrics?: Registry;
  /** Limits requests in progress further while the event loop is late. Default: never late. */
  loop?: Pick<LoopDelay, 'isLate'>;
  boards?: readonly Board[];
  /** Default: none. */
  routes?: readonly Route[];
}

export interface Api {
  handle: RequestListener;
  /** Answers from memory before Node parses the request (`http/fast-path/`); undefined if `FAST_PATH` is off. */
  answer: FastPath['answer'] | undefined;
  /** Number of requests answered from memory, without Koa and without a line in the access log. */
  answeredFromMemory(): number;
  /** Makes `/readyz` answer 503 and every answer close its connection, and ends event streams. */
  startShutdown(): void;
}

/** @throws Error if a board's path has an undeclared parameter */
export function apiRoutes(
  deps: Omit<ApiDeps, 'changes' | 'loop'> & {
    site: SiteSettings;
    hub: Hub;
    isFull?: (() => boolean) | undefined;
    isShuttingDown(): boolean;
  },
): Route[] {
  const { config, database, redis, availability, replica, answers, clock, logKind, site } = deps;
  const { hub, isFull, isShuttingDown, log } = deps;
  const read = readsOf(database, availability, replica);
  const { boards = everyBoard, routes = [], targets, buildReads = read, sealSoon = () => {} } = deps;
  const { baseUrl } = site;
  const webhooks = createWebhookService({
    config: config.webhooks,
    baseUrl,
    database,
    redis,
    availability,
    clock,
    log,
    ...targets,
  });
  const authors = createAuthorService({ database, redis, sealSoon, availability, clock, baseUrl });
  const described = [
    ...boardRoutes(boards, { answers, clock }),
    receiptRoute({ read }),
    ...recordExportRoutes({
      database,
      availability,
      clock,
      answers,
      baseUrl,
      log,
      isFull,
      read: buildReads,
      helpLine: site.helpLine.name,
    }),
    streamRoute({ hub, answers, database, availability }),
    oembedRoute({ answers, baseUrl }),
    ...statusRoutes({ checkOverrides: config.status.checks, database, redis, availability, clock, site }),
    versionRoute(config.deployment, logKind, followVaultRing({ database, availability }), clock.now()),
    ...ledgerRoutes({ read, publishPrices: config.ledger.publishPrices }),
    ...authorRoutes(authors, deps.metrics),
    ...webhookRoutes(webhooks),
    ...pushRoutes(webhooks),
    ...routes,
  ];
  const document = lazy(() => openApi(described, baseUrl, packageVersion) as ApiDocument);
  const fixed = [
    recordExportPage,
    ledgerPage,
    verifyPage,
    privacyPage,
    ...authorPages,
    docsPage(document),
    ...problemPages(),
    ...rulesPages(),
  ];
  const listed = [
    '/data',
    '/webhooks/manage',
    ...[...fixed, ...pages.filter((page) => page.listed !== false)].map(({ path }) => path),
  ];
  return [
    ...described,
    openApiRoute(document),
    ...healthRoutes({
      database,
      availability,
      isShuttingDown,
      redis: deps.cacheRedis ?? redis,
      remembers: () => !answers.memory.isEmpty(),
    }),
    ...pageRoutes({ answers, clock, site, fixed }),
    mcpRoute({ answers, read, redis, log, baseUrl, version: packageVersion }),
    ...dataRoutes(site, config.ledger.dataFiles),
    ...webhookFormRoutes(webhooks, site),
    ...webhookManageRoutes(webhooks, site),
    ...assetRoutes(),
    ...scriptRoutes(),
    viewerRoute(),
    ...cardRoutes({ answers, site }),
    ...embedRoutes({ answers, site }),
    ...wellKnownRoutes(site, clock),
    ...sitemapRoutes({
      baseUrl,
      answers,
      read: buildReads,
      pages: listed.filter((path) => !path.includes(':')),
    }),
  ];
}

/** @throws Error if two routes have the same path, or a board's path has an undeclared parameter */
export function createApi(deps: ApiDeps): Api {
  const { config, answers, changes, database, availability, log, metrics, loop } = deps;
  const { baseUrl } = config.site;
  const hub = createStreamHub({
    database,
    availability,
    baseUrl,
    log,
    changes,
    metrics,
  });
  const idOf = requestIds(config.http.trustProxy);
  const transport = transportHeaders(baseUrl);
  const fastPath = createFastPath(answers.memory, deps.clock, idOf, log, transport);
  let shuttingDown = false;
  const site: SiteSettings = {
    ...config.site,
    get logKind() {
      return deps.logKind();
    },
  };
  const inFlight = limitInFlight({
    idOf,
    site,
    transport,
    accepted: exportPaths,
    loop,
  });
  const app = createApp({
    fastPath,
    routes: apiRoutes({ ...deps, site, hub, isFull: inFlight.isFull, isShuttingDown: () => shuttingDown }),
    trustProxy: config.http.trustProxy,
    idOf,
    log,
    measure: metrics && httpMetrics(metrics, fastPath.answered, inFlight.refused),
    site,
  });
  const koa = app.callback();
  return {
    handle(req, res) {
      if (shuttingDown) res.setHeader('Connection', 'close');
      else {
        const plain = plainRequestOf(req);
        const known = plain && fastPath.answer(plain);
        if (known !== undefined) {
          give(known, res);
          return;
        }
        if (inFlight.refuse(req, res)) return;
      }
      inFlight.count(koa(req, res));
    },
    answer: config.http.fastPath
      ? (request) => (shuttingDown ? undefined : fastPath.answer(request))
      : undefined,
    answeredFromMemory: fastPath.answered,
    startShutdown() {
      shuttingDown = true;
      hub.close();
    },
  };
}
