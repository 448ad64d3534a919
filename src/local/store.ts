import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from './refusal.ts';
import type { Program, Supervisor } from './supervisor.ts';

/** A store that is set up and can be run. */
export interface Store {
  program: Program;
  /** Where it writes what it has to say. */
  log: string;
  /** Resolves when it answers; rejects when it does not yet. */
  answers(): Promise<void>;
}

/**
 * Runs a store and waits until it answers.
 * @throws Refusal, with the last lines of its log, when it ends three times or does not answer for a minute
 */
export async function bringUp(store: Store, supervisor: Supervisor, aborted: AbortSignal): Promise<void> {
  const { program, log } = store;
  supervisor.run(program);
  const deadline = Date.now() + 60_000;
  for (;;) {
    aborted.throwIfAborted();
    try {
      return await store.answers();
    } catch (error) {
      if (supervisor.endings(program.name) >= 3 || Date.now() > deadline) {
        throw new Refusal(`${program.name} does not start: ${(error as Error).message}\n${lastLines(log)}`);
      }
      await pause(50);
    }
  }
}

/** Truncates and opens a store's log for its process, and closes it here once the process has it. */
export function withLog<T>(log: string, use: (descriptor: number) => T): T {
  const descriptor = openSync(log, 'w', 0o600);
  try {
    return use(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function lastLines(file: string): string {
  try {
    return readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .slice(-8)
      .map((line) => `  ${line}`)
      .join('\n');
  } catch {
    return '';
  }
}
