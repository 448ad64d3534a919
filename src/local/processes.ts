import { type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A process, told from a later one that happens to get the same id. */
export interface ProcessMark {
  pid: number;
  /** When it was born, in whatever form the system tells it. */
  birth: string;
}

/** A process that the launcher started, and how to end it. */
export interface StartedProcess extends ProcessMark {
  name: string;
  /** What asks it to end. */
  signal: NodeJS.Signals;
  /** PostgreSQL and Redis: ended after all others, and alone, since PostgreSQL looks after its own children. */
  store: boolean;
}

/** The mark of a running process; `undefined` where there is none (a zombie counts as none). */
export function markOf(pid: number): ProcessMark | undefined {
  const birth = process.platform === 'linux' ? birthInProc(pid) : birthByPs(pid);
  return birth === undefined ? undefined : { pid, birth };
}

export function isAlive({ pid, birth }: ProcessMark): boolean {
  return markOf(pid)?.birth === birth;
}

/** Whether a signal has stopped the process. Known on Linux only. */
export function isStopped(pid: number): boolean {
  return process.platform === 'linux' && statFields(String(pid))?.[0] === 'T';
}

/** The command line of a running process; empty where it cannot be read. */
export function commandLine(pid: number): string {
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
  return ps(pid, 'command=');
}

/**
 * Asks processes to end, waits, and kills what is still there after `grace` milliseconds. All but stores are
 * ended as groups, so that whatever they started goes with them.
 * @returns the names of those that had to be killed
 */
export async function endProcesses(started: readonly StartedProcess[], grace = 15_000): Promise<string[]> {
  for (const one of started) if (isThere(one)) send(one, one.signal);
  await allGone(started, grace);
  const stubborn = started.filter(isThere);
  for (const one of stubborn) send(one, 'SIGKILL');
  await allGone(stubborn, 2_000);
  return stubborn.map(({ name }) => name);
}

/** {@link endProcesses} in the right order: first what uses the stores, then the stores. */
export async function endInOrder(started: readonly StartedProcess[], grace = 15_000): Promise<string[]> {
  const users = await endProcesses(
    started.filter(({ store }) => !store),
    grace,
  );
  const stores = await endProcesses(
    started.filter(({ store }) => store),
    grace,
  );
  return [...users, ...stores];
}

async function allGone(started: readonly StartedProcess[], within: number): Promise<void> {
  const deadline = Date.now() + within;
  while (started.some(isThere) && Date.now() < deadline) await pause(50);
}

/**
 * Whether the process is alive, or others of its group are: while those are, no other process can get its id.
 */
function isThere(one: StartedProcess): boolean {
  const now = markOf(one.pid);
  if (now !== undefined) return now.birth === one.birth;
  return !one.store && groupLives(one.pid);
}

function groupLives(group: number): boolean {
  try {
    process.kill(-group, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  // In a container whose first process does not collect the dead, zombies stay for ever, and signals still find
  // them.
  return process.platform !== 'linux' || readdirSync('/proc').some((entry) => isMember(entry, group));
}

function isMember(entry: string, group: number): boolean {
  const fields = /^\d+$/.test(entry) ? statFields(entry) : undefined;
  return fields?.[2] === String(group);
}

function send(one: StartedProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(one.store ? one.pid : -one.pid, signal);
  } catch (error) {
    // It ended in this very moment.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function birthInProc(pid: number): string | undefined {
  return statFields(String(pid))?.[19];
}

/**
 * What /proc tells of a process from its third field, the state, on: the fifth is its group, the 22nd its
 * birth. A zombie has none.
 */
function statFields(pid: string): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before, in parentheses, may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields;
  } catch {
    return undefined;
  }
}

function birthByPs(pid: number): string | undefined {
  const [, state, birth] = /^(\S+)\s+(.+)$/.exec(ps(pid, 'stat=,lstart=')) ?? [];
  return state?.startsWith('Z') ? undefined : birth;
}

function ps(pid: number, columns: string): string {
  return spawnSync('ps', ['-o', columns, '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() ?? '';
}

/** A command failed; the message ends with what it printed last. */
class CommandFailed extends Error {
  override name = 'CommandFailed';
}

/**
 * Runs a command to its end and resolves to what it printed.
 * @throws CommandFailed when it cannot be started or ends with a status other than 0
 */
export function runCommand(command: string, args: string[], options: SpawnOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-20_000);
      });
    }
    const fail = (how: string) => {
      const last = output.trim().split('\n').slice(-8).join('\n  ');
      reject(new CommandFailed(`${command} ${how}${last === '' ? '' : `:\n  ${last}`}`));
    };
    child.on('error', (error) => fail(`could not run (${error.message})`));
    child.on('close', (code, signal) =>
      code === 0 ? resolve(output) : fail(`ended with ${signal ?? code}`),
    );
  });
}

/** The full path of a program on the PATH. */
export function onPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
