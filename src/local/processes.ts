import { type ExecFileException, type ExecFileOptions, execFile, spawnSync } from 'node:child_process';
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Identifies a process, even if its id is later reused. */
export interface ProcessMark {
  pid: number;
  /** Time of its start, in the system's own format. */
  birth: string;
}

export interface StartedProcess extends ProcessMark {
  name: string;
  signal: NodeJS.Signals;
  /** Set for PostgreSQL and Redis. They are ended last, and without their group, because PostgreSQL manages its children. */
  store: boolean;
}

/** Returns the mark of a running process; undefined if it does not exist or is a zombie. */
export function markOf(pid: number): ProcessMark | undefined {
  const birth = process.platform === 'linux' ? statFields(pid)?.[19] : birthByPs(pid);
  return birth === undefined ? undefined : { pid, birth };
}

export function isAlive({ pid, birth }: ProcessMark): boolean {
  return markOf(pid)?.birth === birth;
}

/** Reports whether a signal has stopped the process. Linux only; false elsewhere. */
export function isStopped(pid: number): boolean {
  return process.platform === 'linux' && statFields(pid)?.[0] === 'T';
}

/** None where they cannot be read. */
export function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** Empty if it cannot be read. */
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
 * Kills those left after `grace` milliseconds. All but stores are ended as groups, with their children.
 * @returns the names of killed ones
 */
export async function endProcesses(started: readonly StartedProcess[], grace = 15_000): Promise<string[]> {
  const target = ({ pid, store }: StartedProcess) => (store ? pid : -pid);
  for (const one of started) if (isThere(one)) send(target(one), one.signal);
  await allGone(started, grace);
  const stubborn = started.filter(isThere);
  for (const one of stubborn) send(target(one), 'SIGKILL');
  await allGone(stubborn, 2_000);
  return stubborn.map(({ name }) => name);
}

/** Like {@link endProcesses}, but first the users of the stores, then the stores. */
export async function endInOrder(started: readonly StartedProcess[], grace = 15_000): Promise<string[]> {
  const { users = [], stores = [] } = Object.groupBy(started, ({ store }) => (store ? 'stores' : 'users'));
  return [...(await endProcesses(users, grace)), ...(await endProcesses(stores, grace))];
}

async function allGone(started: readonly StartedProcess[], within: number): Promise<void> {
  const deadline = Date.now() + within;
  while (started.some(isThere) && Date.now() < deadline) await pause(50);
}

/** Reports whether the process or another one of its group is alive. While the group exists, its id is not reused. */
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
  // In a container whose init does not reap children, zombies stay forever and still receive signals.
  if (process.platform !== 'linux') return true;
  return readdirSync('/proc').some((entry) => statFields(Number(entry))?.[2] === String(group));
}

/** Sends a signal to a process, or to a group if the target is negative. It may have just ended. */
export function send(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** From the third, the state, on: the fifth is the group, the 22nd the start time. Undefined for a zombie. */
function statFields(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The process name before it, in parentheses, may contain anything.
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

/** @throws Error if it cannot be started or its status is not 0. The message ends with its last output */
export async function runCommand(
  command: string,
  args: string[],
  options: ExecFileOptions = {},
): Promise<string> {
  const running = execFileOf(command, args, { maxBuffer: 64 * 1024 * 1024, ...options, encoding: 'utf8' });
  running.child.stdin?.end();
  try {
    const { stdout, stderr } = await running;
    return stdout + stderr;
  } catch (error) {
    const { code, signal, stdout = '', stderr = '', message } = error as ExecFileException;
    const how =
      typeof code === 'number' || signal ? `ended with ${signal ?? code}` : `could not run (${message})`;
    const last = `${stdout}${stderr}`.trim().split('\n').slice(-8).join('\n  ');
    throw new Error(`${command} ${how}${last === '' ? '' : `:\n  ${last}`}`);
  }
}

const execFileOf = promisify(execFile);

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
