import type { StartedProcess } from '../../src/local/processes.ts';
import type { Supervisor } from '../../src/local/supervisor.ts';
import type { Say } from '../../src/local/terminal.ts';

/** What a stack works with. */
export interface StackContext {
  /** The project's folder. */
  root: string;
  /** An empty folder, removed after the stack. */
  folder: string;
  /** Where programs fetched from the system's packages are kept. */
  packagesDir: string;
  /** Runs programs; what still runs is ended after the stack. */
  supervisor: Supervisor;
  /** What the supervisor runs now, by name. */
  running(): ReadonlyMap<string, StartedProcess>;
  /** Whether a process of the service is past its start: it takes jobs, or listens. */
  isWorking(name: string): boolean;
  /** What followed the stack's name on the command line. */
  args: readonly string[];
  say: Say;
  aborted: AbortSignal;
}

/**
 * Brings up an engine and the service on it, and drives a load.
 * @returns the line of outcome
 * @throws Error when a promise of the service was broken
 */
export type Stack = (context: StackContext) => Promise<string>;
