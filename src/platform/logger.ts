import { AsyncLocalStorage } from 'node:async_hooks';
import { type Logger, type LoggerOptions, pino } from 'pino';

export type { Logger } from 'pino';

/** Ids on every log line that is written while a request or job is handled. */
interface LogContext {
  requestId?: string;
  jobId?: string;
}

const context = new AsyncLocalStorage<LogContext>();

/** Runs `work`; every line that it logs, also in functions that it calls, carries these ids. */
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

/** Fields of PostgreSQL's errors that quote rows. */
const quotedRows = ['err.detail', 'err.where'];

/**
 * A process's structured log: JSON lines on standard output, with request and job ids; secrets are redacted.
 * @param name the process, such as `web` or `sealing`
 * @param level a pino level, `silent` included
 */
export function createLogger(name: string, level: string): Logger {
  const options: LoggerOptions = {
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
  };
  return pino(options, standardOutput());
}

/** Milliseconds between attempts while standard output takes no lines; other lines are dropped. */
const retryMs = 1000;

/** Standard output, which may be a file on a full disk: that costs lines, and ends no process. */
function standardOutput(): pino.DestinationStream {
  const stream = pino.destination({ dest: 1, sync: false });
  let retryAt: number | undefined;
  stream.on('error', () => {
    retryAt = performance.now() + retryMs;
  });
  stream.on('write', () => {
    retryAt = undefined;
  });
  const write = stream.write.bind(stream);
  // A line that failed stays in the stream's buffer, which would grow with each further one.
  stream.write = (line) => (retryAt === undefined || performance.now() >= retryAt ? write(line) : true);
  return stream;
}

/**
 * Resolves when the last line is written, at the latest after a second: pino writes asynchronously, and an exit in between mixes up the
 * order of lines. Call it right after logging. The time limit covers a line below the log level, and a reader that has gone.
 */
export function written(log: Logger): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, 1000);
    const stream = (log as unknown as Record<symbol, NodeJS.EventEmitter>)[pino.symbols.streamSym];
    stream?.once('drain', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
