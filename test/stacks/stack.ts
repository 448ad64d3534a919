import type { StartedProcess } from '../../src/local/processes.ts';
import type { Supervisor } from '../../src/local/supervisor.ts';
import type { Say } from '../../src/local/terminal.ts';

export interface StackContext {
  root: string;
  /** An empty folder, removed after the stack. */
  folder: string;
  /** The folder for programs fetched from the system's packages. */
  packagesDir: string;
  /** Runs programs, and ends the remaining ones after the stack. */
  supervisor: Supervisor;
  /** Returns the supervisor's running programs, by name. */
  running(): ReadonlyMap<string, StartedProcess>;
  /** Whether a process of the service has started: it takes jobs, or listens. */
  isWorking(name: string): boolean;
  /** The arguments after the stack's name on the command line. */
  args: readonly string[];
  say: Say;
  aborted: AbortSignal;
}

/**
 * Starts an engine and the service on it, and drives a load.
 * @returns the outcome as a line
 * @throws Error if a promise of the service was broken
 */
export type Stack = (context: StackContext) => Promise<string>;
