import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { baseEnvironment } from './base-environment.ts';
import { asLogin } from './database.ts';
import { tether } from './tether.ts';

export const workerNames = ['sealing', 'grading', 'boards', 'ingest', 'webhooks', 'status'] as const;
export type WorkerName = (typeof workerNames)[number];

/** A test's worker processes. */
export interface WorkerProcesses {
  /**
   * @param name a process of the Procfile, or `workers`: all workers in one process, as under `npm start`
   * @param settings in addition to those of every worker
   */
  start(name: WorkerName | 'web' | 'operator' | 'workers', settings?: Record<string, string>): void;
  /** Kills a worker (SIGKILL). */
  kill(name: WorkerName | 'workers'): Promise<void>;
  /** Freezes a worker (SIGSTOP), and thaws it. */
  freeze(name: WorkerName | 'workers'): void;
  thaw(name: WorkerName | 'workers'): void;
  /** Ends all workers as an operator would (SIGTERM). @returns their exit codes */
  stop(): Promise<(number | null)[]>;
  /** Returns their output, for the message of a failing test. */
  output(): string;
}

const root = resolve(import.meta.dirname, '..', '..');

/**
 * @param stores the only settings of the service in the environment
 * @param environment additional variables
 * @param through a command that starts them
 */
export function workerProcesses(
  stores: { databaseUrl: string; redisUrl: string },
  environment: Record<string, string> = {},
  through: readonly string[] = [],
): WorkerProcesses {
  const running = new Map<string, ChildProcess>();
  const addresses = Object.fromEntries(
    workerNames.map((name) => [`DATABASE_URL_${name.toUpperCase()}`, asLogin(stores.databaseUrl, name)]),
  );
  let output = '';
  const end = async (child: ChildProcess, signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  return {
    start(name, settings = {}) {
      const [program, ...args] = [...through, resolve(root, 'bin', 'run'), name];
      const child = spawn(program!, args, {
        env: {
          ...baseEnvironment,
          ...(name === 'workers' ? addresses : { DATABASE_URL: asLogin(stores.databaseUrl, name) }),
          REDIS_URL: stores.redisUrl,
          OPERATOR_TOKEN: 'a-token-for-tests',
          SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
          LEDGER_KEY: Buffer.alloc(32, 2).toString('base64'),
          LOG_LEVEL: 'warn',
          ...environment,
          ...settings,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      tether(child);
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', (text) => {
          output = `${output}${name}: ${text}`.slice(-20_000);
        });
      running.set(name, child);
    },
    async kill(name) {
      const child = running.get(name);
      if (child !== undefined) await end(child, 'SIGKILL');
    },
    freeze: (name) => void running.get(name)?.kill('SIGSTOP'),
    thaw: (name) => void running.get(name)?.kill('SIGCONT'),
    async stop() {
      await Promise.all([...running.values()].map((child) => end(child, 'SIGTERM')));
      return [...running.values()].map(({ exitCode }) => exitCode);
    },
    output: () => output,
  };
}
