import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { processes } from '../platform/config/processes.ts';
import { childrenOf, endInOrder, isStopped, markOf, type StartedProcess, send } from './processes.ts';
import { Refusal, type Say } from './terminal.ts';

export interface Program {
  name: string;
  /** Starts it in its own process group (`detached`). */
  launch(): ChildProcess;
  signal: NodeJS.Signals;
  /** Set for PostgreSQL and Redis, which stop last. */
  store: boolean;
}

export interface SupervisorOptions {
  say: Say;
  onChange?(started: StartedProcess[]): void;
  onLine?(name: string, line: string): void;
  /** Delay before the first restart, in ms, doubled with each consecutive exit up to `maxPause`. */
  firstPause?: number;
  maxPause?: number;
  /** Running time after which a program counts as stable again, in ms. */
  wellAfter?: number;
  /** Interval between checks for programs stopped by SIGSTOP, in ms. A program found stopped twice is continued. Default: no checks. */
  continueStoppedMs?: number;
}

export type Supervisor = ReturnType<typeof createSupervisor>;

/** Longest restart delay of a store, in ms. Short, because everything waits for it, for example after a full disk. */
const maxStorePause = 4_000;

/** Keeps programs running: restarts one that exits unexpectedly, after a delay that grows while it keeps exiting. */
export function createSupervisor(options: SupervisorOptions) {
  const { say, onChange, onLine, firstPause = 500, maxPause = 30_000, wellAfter = 30_000 } = options;
  const { continueStoppedMs } = options;
  const running = new Map<string, StartedProcess>();
  const endings = new Map<string, number>();
  const restarts = new Set<NodeJS.Timeout>();
  const outputs = new Set<Promise<void>>();
  let stopped: Promise<string[]> | undefined;
  let found = new Set<string>();
  const timer =
    continueStoppedMs === undefined ? undefined : setInterval(continueStopped, continueStoppedMs).unref();

  function continueStopped(): void {
    // A store's children lead process groups of their own: PostgreSQL's sessions.
    const frozen = [...running.values()].filter(({ pid, store }) =>
      [pid, ...(store ? childrenOf(pid) : [])].some(isStopped),
    );
    for (const { name, pid, store } of frozen.filter(({ name }) => found.has(name))) {
      say(`${name} was stopped (SIGSTOP): continuing it`);
      for (const target of store ? [pid, ...childrenOf(pid)] : [-pid]) send(target, 'SIGCONT');
    }
    found = new Set(frozen.map(({ name }) => name));
  }

  function run(program: Program): void {
    const { name, signal, store } = program;
    const startedAt = performance.now();
    const restartAfter = (how: string) => {
      const inARow = performance.now() - startedAt >= wellAfter ? 1 : (endings.get(name) ?? 0) + 1;
      endings.set(name, inARow);
      const wait = Math.min(
        firstPause * 2 ** (inARow - 1),
        store ? Math.min(maxPause, maxStorePause) : maxPause,
      );
      say(`${name} exited unexpectedly (${how}): restarting it in ${wait / 1000} s`);
      const restart = setTimeout(() => {
        restarts.delete(restart);
        run(program);
      }, wait);
      restarts.add(restart);
    };
    let child: ChildProcess;
    try {
      child = program.launch();
    } catch (error) {
      restartAfter((error as Error).message);
      return;
    }
    const mark = child.pid === undefined ? undefined : markOf(child.pid);
    if (mark !== undefined) {
      running.set(name, { ...mark, name, signal, store });
      onChange?.([...running.values()]);
    }
    if (onLine !== undefined) printLines(child, (line) => onLine(name, line));

    let ended = false;
    const end = (how: string) => {
      if (ended) return;
      ended = true;
      if (stopped !== undefined) return;
      running.delete(name);
      onChange?.([...running.values()]);
      // Children of an ended program must not live on next to its successor.
      if (!store && child.pid !== undefined) send(-child.pid, 'SIGKILL');
      restartAfter(how);
    };
    child.on('error', (error) => end(error.message));
    child.on('exit', (code, killer) => end(killer ?? `status ${code}`));
  }

  function printLines(child: ChildProcess, print: (line: string) => void): void {
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue;
      const lines = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
      lines.on('line', print);
      const closed = new Promise<void>((resolve) => lines.once('close', resolve));
      outputs.add(closed);
      void closed.then(() => outputs.delete(closed));
    }
  }

  async function stopAll(grace?: number): Promise<string[]> {
    for (const restart of restarts) clearTimeout(restart);
    clearInterval(timer);
    const killed = await endInOrder([...running.values()], grace);
    await Promise.race([Promise.all(outputs), new Promise((resolve) => setTimeout(resolve, 1_000).unref())]);
    running.clear();
    onChange?.([]);
    return killed;
  }

  return {
    run,
    /** Number of consecutive unexpected exits of a program. */
    endings: (name: string) => endings.get(name) ?? 0,
    /** Ends all programs in order, and waits. Resolves to the names of killed ones. Further calls return the same promise. */
    stop(grace?: number): Promise<string[]> {
      stopped ??= stopAll(grace);
      return stopped;
    },
  };
}

export type Role = (typeof processes)[number];

export interface ServiceProcess {
  /** Its name in `bin/run`. */
  name: string;
  /** The Procfile processes whose work it does. */
  roles: readonly Role[];
  options?: readonly string[];
}

const apart: readonly ServiceProcess[] = processes.map((name) => ({ name, roles: [name] }));

/** Processes of `npm start`: all workers share one (docs/operations.md#run). */
export const together: readonly ServiceProcess[] = [
  { name: 'web', roles: ['web'] },
  { name: 'operator', roles: ['operator'] },
  { name: 'workers', roles: processes.filter((name) => name !== 'web' && name !== 'operator') },
];

const firstInspectorPort = 9229;

/**
 * Returns the processes of `npm run dev`, those of the Procfile. Node restarts each one when a module it imports changes.
 * @param inspect processes that open a debugger port, from 9229 up
 * @throws Refusal for an unknown process
 */
export function watched(inspect: readonly string[]): ServiceProcess[] {
  const unknown = inspect.find((name) => !apart.some((one) => one.name === name));
  if (unknown !== undefined)
    throw new Refusal(`No process ${unknown} to inspect. The processes are ${processes.join(', ')}.`);
  return apart.map((one) => {
    const port = firstInspectorPort + inspect.indexOf(one.name);
    const inspector = inspect.includes(one.name) ? [`--inspect=127.0.0.1:${port}`] : [];
    return { ...one, options: ['--watch', '--watch-preserve-output', ...inspector] };
  });
}

/** @param environment the whole environment of the process */
export function serviceProgram(
  { name, options = [] }: Pick<ServiceProcess, 'name' | 'options'>,
  root: string,
  environment: NodeJS.ProcessEnv,
): Program {
  return {
    name,
    signal: 'SIGTERM',
    store: false,
    launch: () =>
      spawn(join(root, 'bin', 'run'), [name, ...options], {
        cwd: root,
        env: environment,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
  };
}
