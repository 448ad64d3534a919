import type { Server } from 'node:http';
import type { Server as Listener } from 'node:net';
import { type Logger, written } from './logger.ts';

/** Functions that close things, by name. The log names the one that hangs. */
export type Closers = Readonly<Record<string, () => Promise<void>>>;

const last: Record<string, () => Promise<void>> = {};

/** Registers something that {@link onSignal} closes after everything else, such as tracing, which observes the rest. */
export function closeLast(name: string, close: () => Promise<void>): void {
  last[name] = close;
}

/**
 * Shuts this process down on SIGTERM, SIGINT, and SIGHUP. Closers run in order, one at a time; a failure is logged and the others still
 * run. A second signal is ignored, because one Ctrl-C may arrive twice. At the deadline the process logs what hung and exits with status 1.
 * Uncaught exceptions are logged before the process exits with status 1.
 * @param closeInOrder intake first, its dependencies last
 * @param seconds deadline for all closers together
 */
export function onSignal(log: Logger, closeInOrder: Closers, seconds: number): void {
  let closing = false;
  let current = '';
  const close = (signal: NodeJS.Signals) => {
    if (closing) return;
    closing = true;
    log.info({ signal }, 'closing');
    setTimeout(() => {
      log.error({ afterSeconds: seconds, hung: current }, 'did not close in time: exiting anyway');
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
 * Stops accepting connections, answers pending requests, and closes each connection once idle, because a client could keep it alive past
 * the deadline.
 * @param further listeners that pass connections to the server
 */
export async function closeServer(server: Server, further: readonly Listener[] = []): Promise<void> {
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const closed = [server, ...further].map(
    (listener) => new Promise<void>((resolve) => listener.close(() => resolve())),
  );
  await Promise.all(closed);
  clearInterval(sweep);
}

function end(log: Logger, status: number): void {
  void written(log).then(() => process.exit(status));
}

/** @returns whether any closer failed */
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
