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
