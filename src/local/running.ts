import { spawn } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import type { Login } from '../../migrations/rights.ts';
import { endInOrder, isAlive, markOf, type ProcessMark, type StartedProcess } from './processes.ts';
import { Refusal, reasonOf, type Say } from './terminal.ts';

/** Contents of `DATA_DIR/running.json` while a launcher runs on that folder. It has secrets: mode 600. */
export interface Running {
  launcher: ProcessMark;
  started: StartedProcess[];
  /** Folders outside the data folder to remove when the processes end. */
  folders?: string[];
  /** Environment of the service's processes; absent until they can start. */
  environment?: Record<string, string>;
  /** Database URLs by login; absent until the processes can start. */
  databaseUrls?: Record<string, string>;
}

export type Claim = Awaited<ReturnType<typeof claim>>;

export class InUse extends Refusal {}

/**
 * Takes a data folder for this process, creating it if missing. Ends what a killed launcher left running there. A second process then
 * watches this one: if this one is killed, it ends everything this one started.
 * @throws InUse if another launcher runs on the folder; Refusal if the folder cannot be used
 */
export function claim(dataDir: string, say: Say) {
  return claimed(dataDir, say).catch((error: Error) => {
    throw unusable(dataDir, error);
  });
}

/** Converts an error of the file system to a refusal; returns other errors unchanged. */
export function unusable(dataDir: string, error: Error): Error {
  const { code = '', path } = error as NodeJS.ErrnoException;
  const isThere = path !== undefined && (path.startsWith(dataDir) || dataDir.startsWith(path));
  // A failed write names no file.
  if (!isThere && !['ENOSPC', 'EDQUOT', 'EIO'].includes(code)) return error;
  return new Refusal(
    `Cannot use DATA_DIR ${dataDir}: ${reasonOf(error)}. Free space or permit writing there, or set DATA_DIR to another folder.`,
  );
}

async function claimed(dataDir: string, say: Say) {
  makeDataDir(dataDir);
  const file = fileIn(dataDir);
  const running: Running = { launcher: markOf(process.pid) as ProcessMark, started: [] };
  while (!create(file, running)) {
    const other = read(file);
    if (other !== undefined && isAlive(other.launcher)) {
      throw new InUse(
        `Already running on ${dataDir} (process ${other.launcher.pid}). Stop that one first, or set DATA_DIR to another folder.`,
      );
    }
    if (other?.started.some(isAlive)) say('The previous run did not end cleanly: ending its processes ...');
    if (other !== undefined) await removeLeftovers(other);
    rmSync(file, { force: true });
  }
  let retry: NodeJS.Timeout | undefined;
  /** Writes the file, retrying on failure: the service continues on a full disk. */
  const change = (next: Partial<Running>) => {
    Object.assign(running, next);
    clearTimeout(retry);
    try {
      renameSync(writeDraft(file, running), file);
    } catch {
      retry = setTimeout(change, 1_000, {}).unref();
    }
  };
  const dismiss = watch(file, running.launcher);
  return {
    note: (started: StartedProcess[]) => change({ started }),
    /** Registers a folder to remove if this process is killed. */
    own: (folder: string) => change({ folders: [...(running.folders ?? []), folder] }),
    publish: (environment: Record<string, string>, databaseUrls: Record<string, string>) =>
      change({ environment, databaseUrls }),
    release(): void {
      clearTimeout(retry);
      rmSync(file, { force: true });
      dismiss();
    },
  };
}

/** Returns the environment of the service running on this data folder; undefined if none runs. @param login for `DATABASE_URL` */
export function runningEnvironment(
  dataDir: string,
  login: Login | 'owner',
): Record<string, string> | undefined {
  const { launcher, environment, databaseUrls } = read(fileIn(dataDir)) ?? {};
  if (environment === undefined || launcher === undefined || !isAlive(launcher)) return undefined;
  const url = databaseUrls?.[login];
  return { ...environment, ...(url !== undefined && { DATABASE_URL: url }) };
}

async function removeLeftovers({ started, folders = [] }: Running): Promise<void> {
  await endInOrder(started);
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'running.json');
}

/** Creates the folder, closed to others. Under root, others may enter but not list it, because PostgreSQL's user must. */
function makeDataDir(dataDir: string): void {
  makeFolder(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700);
  if (!statSync(dataDir).isDirectory()) throw new Refusal(`DATA_DIR is not a folder: ${dataDir}`);
}

/** Creates folders one by one: `mkdirSync` with `recursive` never returns for a folder in /proc. */
function makeFolder(folder: string, mode: number): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder), mode);
  mkdirSync(folder, { mode });
}

/** Creates the file atomically. Returns false if it exists. */
function create(file: string, running: Running): boolean {
  const draft = writeDraft(file, running);
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function writeDraft(file: string, running: Running): string {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(running, null, 2)}\n`, { mode: 0o600 });
  return draft;
}

function read(file: string): Running | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Runs this file as another process, in a session out of reach of a terminal's Ctrl-C. It notices the end of this process by a closed pipe,
 * and then ends everything started unless the claim was released.
 */
function watch(file: string, { pid, birth }: ProcessMark): () => void {
  const watcher = spawn(process.execPath, [import.meta.filename, file, String(pid), birth], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.on('error', () => {});
  watcher.unref();
  const pipe = watcher.stdin;
  pipe.on('error', () => {});
  if (pipe instanceof Socket) pipe.unref();
  return () => pipe.destroy();
}

if (import.meta.main) {
  const [file = '', pid, birth] = process.argv.slice(2);
  process.stdin.resume();
  process.stdin.on('close', async () => {
    const running = read(file);
    if (running?.launcher.pid === Number(pid) && running.launcher.birth === birth)
      await removeLeftovers(running);
  });
}
