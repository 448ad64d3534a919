// The Procfile's web process: the public port, in WEB_CONCURRENCY processes.

import cluster, { type Worker } from 'node:cluster';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { configOrExit } from './platform/config/config.ts';
import { createLogger, type Logger, written } from './platform/logger.ts';

const { http, process: ofProcess } = configOrExit('web');
if (http.concurrency === 1) await import('./server.ts');
else {
  superviseProcesses({
    file: join(import.meta.dirname, 'server.ts'),
    count: http.concurrency,
    log: createLogger('web', ofProcess.logLevel),
  });
}

/** Delay before a process that exited unexpectedly is replaced, in ms. */
const replaceAfterMs = 1000;

interface Supervised {
  /** Absolute path of each process's program. It gets this process's Node options. */
  file: string;
  count: number;
  log: Logger;
}

/**
 * Runs a server in several processes that share its ports. A process that exits unexpectedly is replaced. If one exits before it listened,
 * all are ended with its status, because its successor would fail too. SIGTERM, SIGINT, and SIGHUP are forwarded; this process exits after
 * the last one, with status 1 if any failed to close.
 */
function superviseProcesses({ file, count, log }: Supervised): void {
  const listened = new Set<Worker>();
  let closing = false;
  let status = 0;

  const closeAll = (signal: NodeJS.Signals) => {
    closing = true;
    for (const worker of running()) worker.process.kill(signal);
    endOnceEmpty();
  };
  const endOnceEmpty = () => {
    if (running().length === 0) void written(log).then(() => process.exit(status));
  };

  cluster.setupPrimary({ exec: file });
  cluster.on('listening', (worker) => listened.add(worker));
  cluster.on('exit', async (worker, code, signal) => {
    const hadListened = listened.delete(worker);
    if (closing) {
      if (code !== 0) status = 1;
      return endOnceEmpty();
    }
    log.error({ pid: worker.process.pid, code, signal }, 'a process exited unexpectedly');
    if (!hadListened) {
      status = code || 1;
      return closeAll('SIGTERM');
    }
    await sleep(replaceAfterMs);
    if (!closing) cluster.fork();
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, closeAll);
  for (let started = 0; started < count; started += 1) cluster.fork();
}

function running(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
}
