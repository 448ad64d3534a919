// The operator's port: `node src/operator.ts`. Never to be reachable from outside.

import { createServer } from 'node:http';
import { openQueues } from './jobs/runtime/enqueue.ts';
import { createOperator } from './operator/app.ts';
import { createClock } from './platform/clock.ts';
import { openDatabase } from './platform/database.ts';
import { createLogger } from './platform/logger.ts';
import { openRedis } from './platform/redis.ts';
import { settingsOrExit } from './platform/settings.ts';
import { closeServer, onSignal } from './platform/shutdown.ts';

const settings = settingsOrExit();
const { OPERATOR_HOST, OPERATOR_PORT } = settings;
const log = createLogger('operator', settings.LOG_LEVEL);
const clock = createClock(settings.SERVICE_CLOCK);
const database = openDatabase(settings.DATABASE_URL, { name: 'public-picks operator', connections: 5 });
const redis = openRedis(settings.REDIS_URL, log);
const enqueue = openQueues(redis, log);
const answer = createOperator({ settings, database, redis, clock, enqueue, log }).callback();
let shuttingDown = false;
const server = createServer((req, res) => {
  // A connection kept open would hold up the closing.
  if (shuttingDown) res.setHeader('Connection', 'close');
  void answer(req, res);
});

server.once('error', (error: NodeJS.ErrnoException) => {
  process.stderr.write(`Cannot listen on ${OPERATOR_HOST}:${OPERATOR_PORT}: ${error.message}\n`);
  process.exit(1);
});
server.listen(OPERATOR_PORT, OPERATOR_HOST, () => log.info({ address: server.address() }, 'listening'));

onSignal(
  log,
  {
    requests: () => {
      shuttingDown = true;
      return closeServer(server);
    },
    queues: () => enqueue.close(),
    redis: async () => redis.disconnect(),
    database: () => database.destroy(),
  },
  settings.SHUTDOWN_SECONDS,
);
