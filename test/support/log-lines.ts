import { symbols } from 'pino';
import { createLogger, type Logger } from '../../src/platform/logger.ts';

/** Returns the service's own log, writing to an array. */
export function logLines(level = 'info'): { log: Logger; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger('test', level);
  Reflect.set(log, symbols.streamSym, { write: (line: string) => lines.push(JSON.parse(line)) });
  return { log, lines };
}
