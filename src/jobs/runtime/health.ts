import { createServer, type Server } from 'node:http';
import type { Database } from '../../platform/database.ts';
import type { Logger } from '../../platform/logger.ts';
import { withTimeout } from '../../platform/timeout.ts';
import type { Pulse } from './pulse.ts';

interface HealthDeps {
  /** Of each worker of the process, by name. */
  databases: ReadonlyMap<string, Database>;
  pulse: Pick<Pulse, 'steady'>;
  /** Whether jobs are taken by now. */
  started(): boolean;
  /** Aborted when the process shuts down. */
  closing: AbortSignal;
}

/** How long PostgreSQL may take to answer, in milliseconds. */
const answerMs = 2000;

/**
 * Answers the probes of a worker process. `/healthz`: it runs. `/readyz`: it can work, which takes PostgreSQL; without Redis it looks for
 * work by itself, and is ready.
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
    log.fatal({ err: error }, 'HEALTH_PORT cannot be listened on');
    process.exit(1);
  });
  // All addresses: the probes of a cluster come from outside the host.
  server.listen(port, '0.0.0.0');
  return server;
}

async function readiness({ databases, pulse, started, closing }: HealthDeps): Promise<[number, object]> {
  const answers = await Promise.all([...databases.values()].map(isThere));
  const postgres = answers.every((answered) => answered) ? 'ok' : 'away';
  const redis = pulse.steady() ? 'ok' : 'away';
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
