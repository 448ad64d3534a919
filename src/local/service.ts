import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { processes } from '../platform/config/processes.ts';
import type { Program } from './supervisor.ts';
import { Refusal } from './terminal.ts';

export type Role = (typeof processes)[number];

/** A process of the service on this machine. */
export interface ServiceProcess {
  /** Its name in `bin/run`. */
  name: string;
  /** The Procfile processes whose work it does. */
  roles: readonly Role[];
  /** Further Node options. */
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
