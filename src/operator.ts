// The operator's port: `node src/operator.ts`. It must never be reachable from outside.

import { expectLogin } from '../migrations/expected-login.ts';
import { createBoundedServer } from './http/transport/bounded-server.ts';
import { openQueues } from './jobs/runtime/enqueue.ts';
import { logKindOrExit, newLogKind } from './ledger/log-kind.ts';
import { createOperator } from './operator/app.ts';
import { forgetFiles } from './operator/imports/kept-files.ts';
import { createAvailability } from './platform/availability.ts';
import { createClock } from './platform/clock.ts';
import { configOrExit } from './platform/config/config.ts';
import { awaited, openDatabase } from './platform/database.ts';
import { createLogger } from './platform/logger.ts';
import { keptProbe } from './platform/postgres-probe.ts';
import { openRedis } from './platform/redis.ts';
import { closeServer, onSignal } from './platform/shutdown.ts';

const config = configOrExit('operator');
const { host, port } = config.operator;
const log = createLogger('operator', config.process.logLevel);
const clock = createClock(config.process.clock);
const { pools } = config.database;
const database = openDatabase(config.database.url, {
  silentMs: awaited.silentMs,
  // Imports may have longer statements than readers.
  statementMs: 120_000,
  name: 'public-picks operator',
  prepared: true,
  connections: pools.operator,
  onFirst: expectLogin({ name: 'operator', pools, warn: (fault) => log.error(fault) }),
});
const redis = openRedis(config.redis, log);
const enqueue = openQueues(redis, log);
const availability = createAvailability(keptProbe(config.database.url), log);
const answer = createOperator({ config, database, availability, redis, clock, enqueue, log }).callback();
let shuttingDown = false;
const server = createBoundedServer(
  (req, res) => {
    // A persistent connection would delay the shutdown.
    if (shuttingDown) res.setHeader('Connection', 'close');
    void answer(req, res);
  },
  // Bodies may have 8 MiB, and storing thousands of picks takes a while.
  { connections: 256, perAddress: 64, requestMs: 60_000, stallMs: 300_000 },
);

server.once('error', (error: NodeJS.ErrnoException) => {
  process.stderr.write(`Cannot listen on ${host}:${port}: ${error.message}\n`);
  process.exit(1);
});
// As in workers, a simulated clock must not post into a live log.
if (newLogKind(config) !== 'live') await logKindOrExit(database, config, log);
const stopForgetting = forgetFiles(database, log);
server.listen(port, host, () => log.info({ address: server.address() }, 'listening'));

onSignal(
  log,
  {
    requests: () => {
      shuttingDown = true;
      return closeServer(server);
    },
    queues: () => {
      stopForgetting();
      return enqueue.close();
    },
    redis: async () => redis.disconnect(),
    database: () => {
      availability.close();
      return database.destroy();
    },
  },
  config.process.shutdownSeconds,
);
