// The public port, in one process.

import { setTimeout as sleep } from 'node:timers/promises';
import { expectLogin } from '../migrations/expected-login.ts';
import { createAnswers } from './answers/answers.ts';
import { subscribeToChanges } from './answers/changes.ts';
import { createApi } from './api.ts';
import { boards } from './boards/index.ts';
import { ledgerAvailable } from './http/api/record-export.ts';
import { createBoundedServer, listen } from './http/transport/bounded-server.ts';
import { seal } from './jobs/declared.ts';
import { openQueues } from './jobs/runtime/enqueue.ts';
import { publishMetrics } from './jobs/runtime/process-metrics.ts';
import { logKindOrExit } from './ledger/log-kind.ts';
import { createAvailability } from './platform/availability.ts';
import { createClock } from './platform/clock.ts';
import { configOrExit } from './platform/config/config.ts';
import { awaited, openDatabase } from './platform/database.ts';
import { createLogger } from './platform/logger.ts';
import { watchLoopDelay } from './platform/loop-delay.ts';
import { keptProbe } from './platform/postgres-probe.ts';
import { cacheStore, openRedis, openSubscriber } from './platform/redis.ts';
import { openReplica, readsOf } from './platform/replica.ts';
import { closeServer, onSignal } from './platform/shutdown.ts';
import type { LogKind } from './rules/vocabulary.ts';
import { createDeliveryClient } from './webhooks/client/client.ts';
import { createResolve } from './webhooks/guard/resolve.ts';

const config = configOrExit('web');
const { host, port } = config.http;
const log = createLogger('web', config.process.logLevel);
const clock = createClock(config.process.clock);
const { pools } = config.database;
const database = openDatabase(config.database.url, {
  ...awaited,
  name: 'public-picks web',
  prepared: true,
  connections: pools.web,
  kept: 1,
  onFirst: expectLogin({
    name: 'web',
    pools,
    copies: config.http.concurrency,
    warn: (fault) => log.error(fault),
  }),
});
// Dedicated connections for first answers, so that they never take those of popular answers. Two stay open when idle, because one client
// uses two at once: on a quiet site, most readers would otherwise wait for a new connection.
const firstDatabases = [1, 1, 0, 0].map((kept) =>
  openDatabase(config.database.url, { ...awaited, name: 'public-picks web first', connections: 1, kept }),
);
const { replicaUrl } = config.database;
const replica =
  replicaUrl === undefined
    ? undefined
    : openReplica(replicaUrl, log, { name: 'public-picks web', connections: 8 });
// Dedicated connections for exports and sitemaps, because they are slow.
const buildsName = { ...awaited, name: 'public-picks web builds', connections: 2 };
const buildsDatabase = openDatabase(config.database.url, buildsName);
const buildsReplica =
  replicaUrl === undefined ? undefined : openReplica(replicaUrl, log, { ...buildsName, workMs: 60_000 });
const redis = openRedis(config.redis, log);
const cacheAt = cacheStore(config.redis);
const cacheRedis = cacheAt === config.redis ? redis : openRedis(cacheAt, log);
const subscriber = openSubscriber(cacheAt, log);
const enqueue = openQueues(redis, log, [seal.queue]);
const availability = createAvailability(keptProbe(config.database.url), log);
// Connects now, so that the first check in an outage needs no new connection.
void availability.check();
const changes = subscribeToChanges(subscriber, log, cacheRedis);
availability.onUnavailable(() => changes.change([ledgerAvailable]));
const answers = createAnswers({
  database,
  firstDatabases,
  replica,
  clock,
  log,
  availability,
  changes,
  redis: cacheRedis,
  baseUrl: config.site.baseUrl,
  helpLine: config.site.helpLine.name,
  memoryBytes: config.http.cacheMb * 2 ** 20,
});
const allowed = config.webhooks.allowedHosts;
const resolve = createResolve({ allowed });
// Only for pings: the webhooks worker delivers.
const pings = createDeliveryClient({ allowed, resolve, limits: { total: 16 } });
const metrics = publishMetrics('web', redis, log);
const { registry } = metrics;
let logKind: LogKind | undefined;
const kindKnown = logKindOrExit(database, config, log).then((kind) => {
  logKind = kind;
});
// While PostgreSQL is unavailable, Redis has boards to serve, so the start waits only this long.
await Promise.race([kindKnown, sleep(2000)]);
const api = createApi({
  config,
  database,
  redis,
  sealSoon: () => void enqueue.add(seal, {}),
  availability,
  replica,
  buildReads: readsOf(buildsDatabase, availability, buildsReplica),
  answers,
  cacheRedis,
  changes,
  clock,
  log,
  targets: { resolve, client: pings },
  logKind: () => logKind,
  metrics: registry,
  loop: watchLoopDelay(),
});
const limits = {
  connections: 8192,
  // Behind a proxy all clients share its address, so the proxy must limit them.
  ...(config.http.trustProxy === 0 ? { perAddress: 1024 } : {}),
};
// Traces start with requests that Node parsed.
const answer = config.process.tracesUrl === undefined ? api.answer : undefined;
const server = createBoundedServer(api.handle, limits, answer);

const warmingUp = new AbortController();
let listeners: Awaited<ReturnType<typeof listen>> = [];

onSignal(
  log,
  {
    requests: () => {
      warmingUp.abort();
      api.startShutdown();
      return closeServer(server, listeners);
    },
    answers: async () => {
      answers.close();
      changes.close();
      availability.close();
    },
    pings: () => pings.close(),
    redis: async () => {
      await metrics.stop();
      await enqueue.close();
      for (const connection of [subscriber, cacheRedis, redis]) connection.disconnect();
    },
    database: async () => {
      const pools = [database, ...firstDatabases, buildsDatabase];
      const replicas = [replica, buildsReplica];
      await Promise.all([...pools.map((pool) => pool.destroy()), ...replicas.map((each) => each?.close())]);
    },
  },
  config.process.shutdownSeconds,
);

listeners = await listen(server, port, host).catch((error: NodeJS.ErrnoException) => {
  const taken = error.code === 'EADDRINUSE';
  process.stderr.write(
    taken
      ? `Port ${port} is already in use: stop the program that listens there, or set PORT to another one.\n`
      : `Cannot listen on ${host}:${port}: ${error.message}\n`,
  );
  process.exit(1);
});
log.info({ address: server.address() }, 'listening');
// Other processes that start at the same time need the CPU first.
await sleep(1000, undefined, { ref: false });
await answers.warmUp(boards, 20, warmingUp.signal);
