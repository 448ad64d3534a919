import { symbols } from 'pino';
import { createLogger, type Logger } from '../../src/platform/logger.ts';

/** The service's own log, writing to where a test can read it. */
export function logLines(level = 'info'): { log: Logger; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger('test', level);
  Reflect.set(log, symbols.streamSym, { write: (line: string) => lines.push(JSON.parse(line)) });
  return { log, lines };
}
