import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { anyFreePort } from '../../src/local/ports.ts';
import { runningEnvironment } from '../../src/local/running.ts';
import { discardPostgres } from '../support/discard-postgres.ts';

const root = resolve(import.meta.dirname, '..', '..');

/** A data folder on which `npm start` runs the empty ledger. */
export interface ServiceFolder {
  /** Starts the service and waits for the last line of its banner. @param more settings for this start */
  start(more?: Readonly<Record<string, string>>): Promise<RunningService>;
  /** Removes the folder after the service has stopped. */
  remove(): void;
}

export interface RunningService {
  /** Milliseconds from the command to the banner. */
  readyMs: number;
  /** CPU seconds of all its processes so far, including the launcher and PostgreSQL. Linux only. */
  cpuSeconds(): number;
  /** The settings of its processes; `DATABASE_URL` is the owner's. */
  environment: Record<string, string>;
  /** Resident memory of its Node processes, in bytes, by the file that they run, without folder and extension. */
  resident(): Map<string, number>;
  stop(): Promise<void>;
}

/** Runs work against `npm start`. */
export type OnService = (work: (service: RunningService) => Promise<void>) => Promise<void>;

/** Returns a function that runs work against `npm start` on an empty ledger. */
export function onService(settings: Readonly<Record<string, string>> = {}): OnService {
  return async (work) => {
    const folder = await serviceFolder(settings);
    try {
      const service = await folder.start();
      try {
        await work(service);
      } finally {
        await service.stop();
      }
    } finally {
      folder.remove();
    }
  };
}

export async function serviceFolder(settings: Readonly<Record<string, string>> = {}): Promise<ServiceFolder> {
  const dataDir = mkdtempSync(join(root, '.data', 'bench-'));
  const environment = {
    ...process.env,
    DATA_DIR: dataDir,
    DEMO: '0',
    ...settings,
    PORT: String(await anyFreePort()),
    OPERATOR_PORT: String(await anyFreePort()),
  };
  for (const store of ['DATABASE_URL', 'REDIS_URL']) Reflect.deleteProperty(environment, store);
  return {
    start: (more = {}) => start(dataDir, { ...environment, ...more }),
    remove() {
      discardPostgres(dataDir);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function start(dataDir: string, environment: NodeJS.ProcessEnv): Promise<RunningService> {
  const began = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // Also runs if the bench itself is interrupted.
  const end = () => child.kill('SIGTERM');
  process.once('exit', end);
  await banner(child);
  const readyMs = performance.now() - began;
  return {
    readyMs,
    environment: { ...environment, ...runningEnvironment(dataDir, 'owner') } as Record<string, string>,
    cpuSeconds: () => descendants(child.pid as number).reduce((sum, { cpu }) => sum + cpu, 0),
    resident: () =>
      new Map(
        descendants(child.pid as number)
          .filter(({ command }) => /^\S*node /.test(command) && command.includes('telemetry'))
          .map(({ command, resident }) => [/\w+\/\w+(?=\.ts$)/.exec(command)?.[0] ?? command, resident]),
      ),
    async stop() {
      const ended = once(child, 'exit');
      end();
      await ended;
      process.off('exit', end);
    },
  };
}

/** Resolves at the banner's last line. */
function banner(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const lines: string[] = [];
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      lines.push(line);
      if (line.includes('Ctrl-C')) resolve();
    });
    child.once('exit', () => reject(new Error(`the service did not start:\n${lines.join('\n')}`)));
  });
}

interface Descendant {
  pid: number;
  command: string;
  cpu: number;
  resident: number;
}

/** Returns a process and its descendants, with their usage so far. */
function descendants(ancestor: number): Descendant[] {
  const ticks = 100;
  const page = 4096;
  const all = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        const fields = stat
          .slice(stat.lastIndexOf(')') + 2)
          .split(' ')
          .map(Number);
        const [parent, own, system, ended, endedSystem] = [1, 11, 12, 13, 14].map((at) => fields[at] ?? 0);
        return {
          pid: Number(pid),
          parent: parent as number,
          command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim(),
          cpu: ((own as number) + (system as number) + (ended as number) + (endedSystem as number)) / ticks,
          resident: (fields[21] ?? 0) * page,
        };
      } catch {
        return [];
      }
    });
  const found = new Set([ancestor]);
  for (let before = 0; before !== found.size; ) {
    before = found.size;
    for (const { pid, parent } of all) if (found.has(parent)) found.add(pid);
  }
  return all.filter(({ pid }) => found.has(pid));
}
