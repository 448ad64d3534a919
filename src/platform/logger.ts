import { AsyncLocalStorage } from 'node:async_hooks';
import { type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/** What every log line written while one request or job is handled carries: its id. */
interface LogContext {
  requestId?: string;
  jobId?: string;
}

const context = new AsyncLocalStorage<LogContext>();

/** Runs `work`; whatever it logs, however deep, carries the ids given. */
export function withLogContext<T>(ids: LogContext, work: () => T): T {
  return context.run(ids, work);
}

const secretKeys = [
  'secret',
  'token',
  'password',
  'authorization',
  'cookie',
  'x-webhook-secret',
  'ledgerKey',
  'secretKey',
];

/** Where PostgreSQL's errors quote the rows that they are about. */
const quotedRows = ['err.detail', 'err.where'];

/**
 * A process's structured log: JSON lines on standard output, with request and job ids; secrets are redacted.
 * @param name the process, such as `web` or `sealing`
 * @param level a pino level, `silent` included
 */
export function createLogger(name: string, level: string): Logger {
  return pino({
    name,
    level,
    base: { pid: process.pid },
    mixin: () => ({ ...context.getStore() }),
    redact: {
      paths: [...secretKeys.flatMap((key) => [`["${key}"]`, `*["${key}"]`, `*.*["${key}"]`]), ...quotedRows],
      censor: '[redacted]',
    },
    formatters: { level: (label) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
  });
}

/**
 * Resolves when what was logged last is written: it is written behind the back of the process, and an end in between mixes up the
 * order of the lines. To be called right after a line; not later than a moment from now, should it not have been of a level that is
 * logged, or should nobody read.
 */
export function written(log: Logger): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, 200);
    const stream = (log as unknown as Record<symbol, NodeJS.EventEmitter>)[pino.symbols.streamSym];
    stream?.once('drain', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
