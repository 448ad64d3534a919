import { type Command, InvalidArgumentError } from 'commander';
import type { Login } from '../../migrations/rights.ts';
import type { Config } from '../platform/config/config.ts';
import type { ProcessName } from '../platform/config/processes.mjs';
import { ExpectedError } from '../platform/expected-error.ts';

/** Writes one line of output. */
export type Say = (line: string) => void;

/** Output streams of a verb. */
export interface Output {
  /** Writes results to standard output. */
  say: Say;
  /** Writes problems to standard error. */
  warn: Say;
}

/**
 * Reads the settings of the process whose work a verb does. Other settings may be missing.
 * @param login of the database. Default: that of the process; `migrate` runs as the owner
 */
export type ConfigOf = <Name extends ProcessName>(name: Name, login?: Login) => Config<Name>;

/**
 * A subcommand of the command line.
 * @param config must not be called by verbs for outside verifiers, which have no settings
 */
export type Verb = (config: ConfigOf, say: Say, warn: Say) => Command;

/** A verb cannot do its work. The message is a sentence for the user. */
export class VerbRefused extends ExpectedError {
  override name = 'VerbRefused';
  /** The exit status. */
  readonly status: number = 1;
}

/** Accumulates the values of a repeatable option. */
export const collect = (value: string, previous: string[]): string[] => [...previous, value];

/** Parses an integer from 1 to 999,999. */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be an integer from 1 to 999999.');
  return Number(text);
}

/** Parses a port; 0 means any free one. */
export function port(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > 65535)
    throw new InvalidArgumentError('It must be a port from 0 to 65535.');
  return value;
}

/** Resolves on SIGINT or SIGTERM. */
export function untilStopped(): Promise<void> {
  return new Promise((stop) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop());
  });
}
