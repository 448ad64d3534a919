import { Command, InvalidArgumentError } from 'commander';
import type { Login } from '../../migrations/rights.ts';
import {
  flagOf,
  type Command as PackageCommand,
  type Say,
} from '../../packages/client/src/commands/command.ts';
import type { Config } from '../platform/config/config.ts';
import type { ProcessName } from '../platform/config/processes.ts';

export { type Say, untilStopped, VerbRefused } from '../../packages/client/src/commands/command.ts';

export interface Output {
  say: Say;
  warn: Say;
}

/** Other settings may be missing. @param login default: that of the process; `migrate` runs as the owner */
export type ConfigOf = <Name extends ProcessName>(name: Name, login?: Login) => Config<Name>;

/** A subcommand of the command line. @param config must not be called by verbs for outside verifiers, which have no settings */
export type Verb = (config: ConfigOf, say: Say, warn: Say) => Command;

export const collect = (value: string, previous: string[]): string[] => [...previous, value];

/** Makes a verb of a command of the package, which needs no settings. */
export const verbOf =
  (name: string, about: string, { argument, options, note, run }: PackageCommand): Verb =>
  (_config, say, warn) => {
    const verb = new Command(name).description(about);
    if (argument !== undefined) verb.argument(`<${argument.name}>`, argument.about);
    for (const [field, { value, about: text, many, required, read, default: initial }] of Object.entries(
      options,
    )) {
      const option = verb.createOption([flagOf(field), value].filter(Boolean).join(' '), text);
      if (many) option.argParser(collect).default([], 'none');
      else if (value === undefined) option.default(false);
      else if (initial !== undefined) option.default(initial);
      if (read !== undefined) option.argParser((given) => inCommander(read, given));
      verb.addOption(option.makeOptionMandatory(required === true));
    }
    if (note !== undefined) verb.addHelpText('after', `\n${note}`);
    return verb.action(async (...given: unknown[]) => {
      const [first, chosen] = argument === undefined ? ['', given[0]] : given;
      process.exitCode = (await run(first as string, chosen, say, warn)) ?? 0;
    });
  };

function inCommander(read: (text: string) => unknown, given: string): unknown {
  try {
    return read(given);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}
