import { createServer, type Server } from 'node:http';
import type { Database } from '../../platform/database.ts';
import type { Logger } from '../../platform/logger.ts';
import { withTimeout } from '../../platform/timeout.ts';
import type { RedisProbe } from './redis-probe.ts';

interface HealthDeps {
  /** Databases of the process's workers, by worker name. */
  databases: ReadonlyMap<string, Database>;
  probe: Pick<RedisProbe, 'steady'>;
  /** Whether the process takes jobs yet. */
  started(): boolean;
  /** Aborted when the process shuts down. */
  closing: AbortSignal;
}

/** Timeout for PostgreSQL, in ms. */
const answerMs = 2000;

/**
 * Serves a worker's probes. `/healthz` is 200 while the process runs; `/readyz` while PostgreSQL answers. Redis is not required, because
 * the worker can poll.
 */
export function startHealth(port: number, deps: HealthDeps, log: Logger): Server {
  const server = createServer(async (request, response) => {
    const path = request.url?.split('?')[0];
    const [code, body] =
      path === '/healthz'
        ? [200, { status: 'live' }]
        : path === '/readyz'
          ? await readiness(deps)
          : [404, {}];
    response
      .writeHead(Number(code), {
        'content-type': 'application/json',
        'cache-control': 'no-store',
        connection: 'close',
      })
      .end(`${JSON.stringify(body)}\n`);
  });
  server.requestTimeout = 5000;
  server.once('error', (error) => {
    log.fatal({ err: error }, 'cannot listen on HEALTH_PORT: free the port or choose another');
    process.exit(1);
  });
  // Listens on all addresses, because a cluster's probes come from outside the host.
  server.listen(port, '0.0.0.0');
  return server;
}

async function readiness({ databases, probe, started, closing }: HealthDeps): Promise<[number, object]> {
  const answers = await Promise.all([...databases.values()].map(isThere));
  const postgres = answers.every((answered) => answered) ? 'ok' : 'away';
  const redis = probe.steady() ? 'ok' : 'away';
  const { aborted } = closing;
  const ready = started() && !aborted && postgres === 'ok';
  const status = aborted ? 'shutting down' : !ready ? 'not ready' : redis === 'ok' ? 'ready' : 'degraded';
  return [ready ? 200 : 503, { status, postgres, redis }];
}

function isThere(database: Database): Promise<boolean> {
  return withTimeout(
    database.raw('select 1').then(
      () => true,
      () => false,
    ),
    answerMs,
    () => false,
  );
}
