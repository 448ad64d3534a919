import { Writable } from 'node:stream';
import { createLogger, type Logger } from '../../src/logger.ts';

/** A log whose lines a test can read. */
export function logLines(level = 'info'): { log: Logger; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const write = process.stdout.write;
  const log = createLogger('test', level);
  const stream = Object.getOwnPropertySymbols(log).find((symbol) => String(symbol) === 'Symbol(pino.stream)');
  if (stream === undefined) throw new Error('pino has no stream');
  process.stdout.write = write;
  Reflect.set(
    log,
    stream,
    new Writable({
      write(chunk, _encoding, done) {
        lines.push(JSON.parse(String(chunk)));
        done();
      },
    }),
  );
  return { log, lines };
}
