import type { Logger } from './logger.ts';

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
      process.exit(1);
    }, seconds * 1000).unref();
    void closeAll(log, { ...closeInOrder, ...last }, (name) => {
      current = name;
    }).then((failed) => {
      log.info('closed');
      process.exit(failed ? 1 : 0);
    });
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, close);
  process.on('uncaughtException', (error, origin) => {
    log.fatal({ err: error, origin }, 'uncaught');
    process.exit(1);
  });
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
