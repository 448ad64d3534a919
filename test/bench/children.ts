import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { tether } from '../support/tether.ts';
import type { Load, Shot } from './hammer.ts';

/** Runs a file of this folder in its own process while `work` runs. */
export async function withChild<T>(
  file: string,
  work: (child: ChildProcess) => Promise<T>,
  args: readonly string[] = [],
): Promise<T> {
  const child = fork(resolve(import.meta.dirname, file), args);
  tether(child);
  try {
    return await work(child);
  } finally {
    child.kill();
  }
}

/** Sends a message to a process, and returns its answer. */
export async function answerOf<T>(child: ChildProcess, message: object | string): Promise<T> {
  const done = new AbortController();
  const answered = once(child, 'message', { signal: done.signal });
  const ended = once(child, 'exit', { signal: done.signal }).then(([code]) => {
    throw new Error(`the process ended with status ${code}`);
  });
  try {
    child.send(message);
    return (await Promise.race([answered, ended]))[0];
  } finally {
    done.abort();
    await Promise.allSettled([answered, ended]);
  }
}

export const shoot = (hammer: ChildProcess, load: Load): Promise<Shot> => answerOf<Shot>(hammer, load);

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
