import { type Command, InvalidArgumentError } from 'commander';
import type { Config } from '../platform/config/config.ts';

/** Where a verb writes what it has to say, a line at a time. */
export type Say = (line: string) => void;

/**
 * One verb of the command line.
 * @param config reads the settings: only verbs that work on the service call it, since a verifier from outside has none
 */
export type Verb = (config: () => Config, say: Say) => Command;

/** What a verb was asked to do cannot be done; the message says why. */
export class VerbRefused extends Error {
  override name = 'VerbRefused';
  /** The exit status. */
  readonly status: number = 1;
}

/** For options that may be given again. */
export const collect = (value: string, before: string[]): string[] => [...before, value];

/** Reads a whole number from 1 to 999,999. */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 on.');
  return Number(text);
}

/** Reads a port; 0 stands for any free one. */
export function port(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > 65535)
    throw new InvalidArgumentError('It must be a port from 0 to 65535.');
  return value;
}

/** Resolves when the process is told to end. */
export function untilStopped(): Promise<void> {
  return new Promise((stop) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop());
  });
}
