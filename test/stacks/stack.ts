import type { Say } from '../../src/local/refusal.ts';
import type { Supervisor } from '../../src/local/supervisor.ts';

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
  say: Say;
  aborted: AbortSignal;
}

/**
 * Brings up an engine and the service on it, and drives a load.
 * @returns the line of outcome
 * @throws Error when a promise of the service was broken
 */
export type Stack = (context: StackContext) => Promise<string>;
