import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { processes } from '../platform/config/processes.mjs';
import { reasonOf, type Say } from './terminal.ts';

export interface ProcessLogsOptions {
  /** Where `<process>.log` is written, and `<process>.log.1`, the part before. */
  folder: string;
  say: Say;
  /** Shows every line, instead of only warnings and errors. */
  verbose: boolean;
  /** Bytes after which a log's file is put aside, in place of the one before. Default: 10 MiB. */
  maxBytes?: number;
  /** Milliseconds for which lines are dropped after one could not be written. Default: 1000. */
  retryMs?: number;
}

/**
 * Writes what the service's processes print to files and shows what a person should see of it. While files cannot be written, as on a full
 * disk, their lines are dropped.
 */
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
        say(`Logs cannot be written: ${reasonOf(error as Error)}. The service goes on without them.`);
      dropped += 1;
      retryAt = performance.now() + retryMs;
      return;
    }
    if (dropped > 0) say(`Logs are written again. Lines missing: ${dropped}.`);
    dropped = 0;
  }

  return (process, line) => {
    const entry = entryOf(line);
    // One process may run several workers: each has its own log.
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

/** A line that the service's logger wrote; undefined for any other. */
function entryOf(line: string): LogEntry | undefined {
  try {
    const entry = JSON.parse(line);
    return typeof entry?.level === 'string' && typeof entry.msg === 'string' ? entry : undefined;
  } catch {
    return undefined;
  }
}

/** What to show of an entry: the message of a warning or error, nothing of others. */
function alarming(entry: LogEntry): string | undefined {
  if (!['warn', 'error', 'fatal'].includes(entry.level)) return undefined;
  const cause = typeof entry.err === 'string' ? entry.err : entry.err?.message;
  return `${entry.level}: ${entry.msg}${cause === undefined ? '' : ` (${cause})`}`;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
