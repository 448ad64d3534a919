import type { Server } from 'node:http';
import { type Logger, written } from './logger.ts';

/** What is closed, by the name under which the log says that it hung. */
export type Closers = Readonly<Record<string, () => Promise<void>>>;

const last: Record<string, () => Promise<void>> = {};

/** Has something closed after everything else when {@link onSignal} closes: what watches the rest. */
export function closeLast(name: string, close: () => Promise<void>): void {
  last[name] = close;
}

/**
 * Makes SIGTERM, SIGINT and SIGHUP end this process in order: each closer is awaited before the next is called, one that fails is
 * logged and does not keep the others from closing. A second signal changes nothing (one Ctrl-C may arrive twice). A process that has not
 * closed by its deadline says what hung and ends with status 1. What nobody caught is logged before the process dies of it.
 * @param closeInOrder what takes in work first, what it stands on last
 * @param seconds the deadline, for all of it
 */
export function onSignal(log: Logger, closeInOrder: Closers, seconds: number): void {
  let closing = false;
  let current = '';
  const close = (signal: NodeJS.Signals) => {
    if (closing) return;
    closing = true;
    log.info({ signal }, 'closing');
    setTimeout(() => {
      log.error({ afterSeconds: seconds, hung: current }, 'did not close in time: ending anyway');
      end(log, 1);
    }, seconds * 1000).unref();
    void closeAll(log, { ...closeInOrder, ...last }, (name) => {
      current = name;
    }).then((failed) => {
      log.info('closed');
      end(log, failed ? 1 : 0);
    });
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, close);
  process.on('uncaughtException', (error, origin) => {
    log.fatal({ err: error, origin }, 'uncaught');
    end(log, 1);
  });
}

/**
 * Takes no further connection, answers the requests that have begun, and closes each connection once it is idle: one that is kept alive
 * would hold up the end for as long as its client likes.
 */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const sweep = setInterval(() => server.closeIdleConnections(), 50);
    server.close(() => {
      clearInterval(sweep);
      resolve();
    });
  });
}

/** Ends the process once the log's last lines are written. */
function end(log: Logger, status: number): void {
  void written(log).then(() => process.exit(status));
}

/** @returns whether any of them failed */
async function closeAll(
  log: Logger,
  closeInOrder: Closers,
  onBegin: (name: string) => void,
): Promise<boolean> {
  let failed = false;
  for (const [name, close] of Object.entries(closeInOrder)) {
    onBegin(name);
    try {
      await close();
    } catch (error) {
      failed = true;
      log.error({ err: error, closing: name }, 'could not close');
    }
  }
  return failed;
}
