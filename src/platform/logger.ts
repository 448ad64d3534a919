import { AsyncLocalStorage } from 'node:async_hooks';
import { type Logger, type LoggerOptions, pino } from 'pino';

export type { Logger } from 'pino';

/** Ids added to every log line written while a request or job is handled. */
interface LogContext {
  requestId?: string;
  jobId?: string;
}

const context = new AsyncLocalStorage<LogContext>();

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

const quotedRows = ['err.detail', 'err.where'];

/** JSON lines on standard output, with request and job ids, and secrets redacted. @param level a pino level, including `silent` */
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

/** Interval between attempts while standard output fails, in ms. Lines in between are dropped. */
const retryMs = 1000;

/** Opens standard output. If it is a file on a full disk, lines are lost but the process survives. */
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
  // pino buffers failed lines; the buffer would grow with every further line.
  stream.write = (line) => (retryAt === undefined || performance.now() >= retryAt ? write(line) : true);
  return stream;
}

/**
 * Resolves when the last line is written, or after a second. pino writes asynchronously, and exiting earlier loses or reorders lines. Call
 * it right after logging. The time limit covers a line below the log level and a closed reader.
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
