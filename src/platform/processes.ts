import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger, written } from './logger.ts';

/** Milliseconds before a process that ended by itself is replaced. */
const replaceAfterMs = 1000;

export interface Supervised {
  /** The program of each process, absolute. It gets this process's options of Node. */
  file: string;
  count: number;
  log: Logger;
}

/**
 * Runs a server in several processes that share its ports. One that ends by itself is replaced; one that ends before it ever listened
 * ends them all with its status, since its successor would fare no better. SIGTERM, SIGINT and SIGHUP go to every process, and this one
 * exits after the last of them, with status 1 if one of them failed to close.
 */
export function superviseProcesses({ file, count, log }: Supervised): void {
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
    log.error({ pid: worker.process.pid, code, signal }, 'a process ended by itself');
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
