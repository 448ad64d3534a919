import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { processes } from '../platform/config/processes.mjs';
import type { Program } from './supervisor.ts';
import { Refusal } from './terminal.ts';

/** A process of the Procfile. */
export type Role = (typeof processes)[number];

/** A process of the service as it is run here. */
export interface ServiceProcess {
  /** What `bin/run` calls it. */
  name: string;
  /** Whose work it does. */
  roles: readonly Role[];
  /** Options of Node beside those of `bin/run`. */
  options?: readonly string[];
}

const apart: readonly ServiceProcess[] = processes.map((name) => ({ name, roles: [name] }));

/** What `npm start` runs: all workers share a process (docs/operations.md#run). */
export const together: readonly ServiceProcess[] = [
  { name: 'web', roles: ['web'] },
  { name: 'operator', roles: ['operator'] },
  { name: 'workers', roles: processes.filter((name) => name !== 'web' && name !== 'operator') },
];

const firstInspectorPort = 9229;

/**
 * What `npm run dev` runs: the processes of the Procfile, each of which Node restarts when a module that it imports changes.
 * @param inspect processes that open a debugger's port, in order from 9229 up
 * @throws Refusal when there is no such process
 */
export function watched(inspect: readonly string[]): ServiceProcess[] {
  const unknown = inspect.find((name) => !apart.some((one) => one.name === name));
  if (unknown !== undefined)
    throw new Refusal(`There is no process ${unknown} to inspect; there are ${processes.join(', ')}.`);
  return apart.map((one) => {
    const port = firstInspectorPort + inspect.indexOf(one.name);
    const inspector = inspect.includes(one.name) ? [`--inspect=127.0.0.1:${port}`] : [];
    return { ...one, options: ['--watch', '--watch-preserve-output', ...inspector] };
  });
}

/** @param environment all that the process gets */
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
