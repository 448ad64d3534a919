import type { Logger } from './logger.ts';

/** Milliseconds that closing may take in all, before the process ends regardless. */
const hardDeadline = 10_000;

/**
 * Makes SIGTERM, SIGINT and SIGHUP end this process in order: each function is awaited before the next is called, one that fails is
 * logged and does not keep the others from closing. A second signal changes nothing (one Ctrl-C may arrive twice). What
 * nobody caught is logged before the process dies of it.
 * @param closeInOrder what takes in work first, what it stands on last
 */
export function onSignal(log: Logger, closeInOrder: readonly (() => Promise<void>)[]): void {
  let closing = false;
  const close = (signal: NodeJS.Signals) => {
    if (closing) return;
    closing = true;
    log.info({ signal }, 'closing');
    setTimeout(() => {
      log.error({ afterMs: hardDeadline }, 'did not close in time: ending anyway');
      process.exit(1);
    }, hardDeadline).unref();
    void closeAll(log, closeInOrder).then((failed) => {
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
async function closeAll(log: Logger, closeInOrder: readonly (() => Promise<void>)[]): Promise<boolean> {
  let failed = false;
  for (const close of closeInOrder) {
    try {
      await close();
    } catch (error) {
      failed = true;
      log.error({ err: error }, 'could not close');
    }
  }
  return failed;
}
