import { spawn } from 'node:child_process';
import { Refusal } from './refusal.ts';
import type { Program } from './supervisor.ts';

/** One line of a Procfile. */
export interface ProcfileEntry {
  name: string;
  /** A shell command. */
  command: string;
  /** The workers that the process runs, where it runs several; the others run what they are named after. */
  workers?: readonly string[];
}

/** Has V8 leave the heap little room: 25 to 45 MB less of a web process or of all workers, for a fifth of the speed of posts and imports. */
export const smallHeap = '--optimize-for-size';

const workerFile = / workers\/([a-z]+)\.ts$/;

/**
 * The entries with all workers in one process, `workers`, with a small heap: six of them alone cost more to start and to keep than what they do in a small
 * installation (docs/decisions/0024-running-it.md).
 */
export function workersTogether(entries: readonly ProcfileEntry[]): ProcfileEntry[] {
  const isWorker = ({ command }: ProcfileEntry) => workerFile.test(command);
  const workers = entries.filter(isWorker);
  const [first] = workers;
  if (first === undefined) return [...entries];
  const command = first.command
    .replace(workerFile, ' workers/all.ts')
    .replace(/^node /, `node ${smallHeap} `);
  return [
    ...entries.filter((entry) => !isWorker(entry)),
    { name: 'workers', command, workers: workers.map(({ name }) => name) },
  ];
}

/**
 * Reads a Procfile: lines `name: command`; blank lines and those that begin with `#` are skipped.
 * @throws Refusal on any other line, and on a name that comes twice
 */
export function parseProcfile(text: string): ProcfileEntry[] {
  const entries: ProcfileEntry[] = [];
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const [, name, command] = /^([A-Za-z0-9_-]+):\s*(.+)$/.exec(line) ?? [];
    if (name === undefined || command === undefined) {
      throw new Refusal(
        `Procfile, line ${index + 1}: expected "name: command", found ${JSON.stringify(line)}`,
      );
    }
    if (entries.some((entry) => entry.name === name)) {
      throw new Refusal(`Procfile, line ${index + 1}: there are two processes named ${name}`);
    }
    entries.push({ name, command });
  }
  return entries;
}

/** The program of a Procfile's line, run in `folder` with exactly this environment. */
export function procfileProgram(
  entry: ProcfileEntry,
  folder: string,
  environment: NodeJS.ProcessEnv,
): Program {
  return {
    name: entry.name,
    signal: 'SIGTERM',
    store: false,
    launch: () =>
      spawn('/bin/sh', ['-c', entry.command], {
        cwd: folder,
        env: environment,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
  };
}
