import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { processes } from '../platform/config/processes.ts';
import { reasonOf, type Say } from './terminal.ts';

export interface ProcessLogsOptions {
  /** Folder of `<process>.log` and its predecessor `<process>.log.1`. */
  folder: string;
  say: Say;
  verbose: boolean;
  /** Size at which a log is rotated, in bytes. Default: 10 MiB. */
  maxBytes?: number;
  /** How long lines are dropped after a failed write, in ms. Default: 1000. */
  retryMs?: number;
}

/** To files, and to the terminal what a person should see. While files cannot be written, as on a full disk, lines are dropped. */
export function processLogs(options: ProcessLogsOptions): (process: string, line: string) => void {
  const { folder, say, verbose, maxBytes = 10 * 1024 * 1024, retryMs = 1000 } = options;
  const sizes = new Map<string, number>();
  let dropped = 0;
  let retryAt = 0;

  function write(file: string, line: string): void {
    const bytes = Buffer.byteLength(line) + 1;
    if (sizes.size === 0) mkdirSync(folder, { recursive: true, mode: 0o700 });
    let size = sizes.get(file) ?? sizeOf(file);
    if (size > 0 && size + bytes > maxBytes) {
      renameSync(file, `${file}.1`);
      size = 0;
    }
    appendFileSync(file, `${line}\n`, { mode: 0o600 });
    sizes.set(file, size + bytes);
  }

  function keep(file: string, line: string): void {
    if (performance.now() < retryAt) {
      dropped += 1;
      return;
    }
    try {
      write(file, line);
    } catch (error) {
      if (dropped === 0)
        say(`Cannot write logs: ${reasonOf(error as Error)}. The service continues without them.`);
      dropped += 1;
      retryAt = performance.now() + retryMs;
      return;
    }
    if (dropped > 0) say(`Logs are written again; ${dropped} lines are missing.`);
    dropped = 0;
  }

  return (process, line) => {
    const entry = entryOf(line);
    // One process may run several workers, each with its own log.
    const name = processes.find((one) => one === entry?.name) ?? process;
    keep(join(folder, `${name}.log`), line);
    const shown = verbose || entry === undefined ? line : alarming(entry);
    if (shown !== undefined) say(`${name.padEnd(8)} | ${shown}`);
  };
}

interface LogEntry {
  name?: string;
  level: string;
  msg: string;
  err?: string | { message?: string };
}

function entryOf(line: string): LogEntry | undefined {
  try {
    const entry = JSON.parse(line);
    return typeof entry?.level === 'string' && typeof entry.msg === 'string' ? entry : undefined;
  } catch {
    return undefined;
  }
}

function alarming(entry: LogEntry): string | undefined {
  if (!['warn', 'error', 'fatal'].includes(entry.level)) return undefined;
  const cause = typeof entry.err === 'string' ? entry.err : entry.err?.message;
  return `${entry.level}: ${entry.msg}${cause === undefined ? '' : ` (${cause})`}`;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
