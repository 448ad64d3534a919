import type { Server } from 'node:http';
import type { Server as Listener } from 'node:net';
import { type Logger, written } from './logger.ts';

/** What is closed, by name. The log names the one that hangs. */
export type Closers = Readonly<Record<string, () => Promise<void>>>;

const last: Record<string, () => Promise<void>> = {};

/** Registers something to close after all else when {@link onSignal} closes: what observes the rest, such as tracing. */
export function closeLast(name: string, close: () => Promise<void>): void {
  last[name] = close;
}

/**
 * Shuts this process down on SIGTERM, SIGINT and SIGHUP: closers run in order, each awaited before the next; one that fails is logged
 * and does not keep the others from closing. A second signal is ignored, since one Ctrl-C may arrive twice. At the deadline the process
 * logs what hung and exits with status 1. Uncaught exceptions are logged before the process exits with status 1.
 * @param closeInOrder what takes in work first, what it depends on last
 * @param seconds the deadline for all of them
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
 * Accepts no further connection, answers the requests that have begun, and closes each connection once it is idle: a client could
 * otherwise keep one alive past the deadline.
 * @param further listeners that give the server their connections
 */
export async function closeServer(server: Server, further: readonly Listener[] = []): Promise<void> {
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const closed = [server, ...further].map(
    (listener) => new Promise<void>((resolve) => listener.close(() => resolve())),
  );
  await Promise.all(closed);
  clearInterval(sweep);
}

/** Exits once the last log line is written. */
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
