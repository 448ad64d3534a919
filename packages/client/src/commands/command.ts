import { parseArgs } from 'node:util';
import { ExpectedError } from '../../../../src/platform/expected-error.ts';

/** Writes one line of output. */
export type Say = (line: string) => void;

/** An option of a command. Its name is that of its field with hyphens: `dryRun` is `--dry-run`. */
export interface Option {
  /** Describes the value, such as `<file>`. Without one, the option is a flag. */
  value?: string;
  about: string;
  /** May be given several times. Its values are a list. */
  many?: true;
  required?: true;
  default?: string | number;
  /** Reads the value. @throws RangeError with a sentence */
  read?: (text: string) => unknown;
}

/** A command that needs no service of one's own: `public-picks <name>`, and `npm run cli -- <name>`. */
export interface Command {
  /** Its only argument, if any. */
  argument?: { name: string; about: string };
  options: Readonly<Record<string, Option>>;
  /** Text after the options in the help. */
  note?: string;
  /** @returns the exit status; default 0 */
  // biome-ignore lint/suspicious/noExplicitAny: each command names the type of its own options
  run(argument: string, options: any, say: Say, warn: Say): Promise<number | undefined>;
}

/** A command cannot do its work. The message is a sentence for the user. */
export class VerbRefused extends ExpectedError {
  override name = 'VerbRefused';
  /** The exit status. */
  readonly status: number = 1;
}

/** Parses an integer from 1 to 999,999. */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new RangeError('It must be an integer from 1 to 999999.');
  return Number(text);
}

/** Parses a port; 0 means any free one. */
export function port(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > 65535)
    throw new RangeError('It must be a port from 0 to 65535.');
  return value;
}

/** Resolves on SIGINT or SIGTERM. */
export function untilStopped(): Promise<void> {
  return new Promise((stop) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop());
  });
}

/** Returns the flag of an option. */
export const flagOf = (name: string): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** Returns the help of a command. */
export function helpOf(
  name: string,
  { argument, options, note }: Command,
  { about, examples }: { about: string; examples: readonly string[] },
): string {
  const rows = Object.entries(options).map(([option, { value, about: text, many, required }]) => [
    [flagOf(option), value].filter(Boolean).join(' '),
    `${text}${required ? '; required' : ''}${many ? '; repeatable' : ''}`,
  ]);
  const width = Math.max(...rows.map(([flag = '']) => flag.length)) + 2;
  return [
    `Usage: public-picks ${name}${argument === undefined ? '' : ` <${argument.name}>`} [options]`,
    '',
    `${about[0]!.toUpperCase()}${about.slice(1)}.`,
    ...(argument === undefined ? [] : ['', `<${argument.name}>  ${argument.about}`]),
    '',
    ...rows.map(([flag = '', text]) => `  ${flag.padEnd(width)}${text}`),
    ...(note === undefined ? [] : ['', note]),
    '',
    ...examples.map((example) => `  public-picks ${example}`),
  ].join('\n');
}

/** Reads a command's arguments. @throws VerbRefused with a sentence */
export function argumentsOf(name: string, { argument, options }: Command, args: readonly string[]) {
  const names = Object.fromEntries(Object.keys(options).map((each) => [flagOf(each).slice(2), each]));
  const wrong = (sentence: string) => new VerbRefused(`${sentence} See public-picks ${name} --help.`);
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: Object.fromEntries(
        Object.entries(names).map(([flag, each]) => {
          const { value, many = false } = options[each]!;
          return [flag, { type: value === undefined ? 'boolean' : 'string', multiple: many } as const];
        }),
      ),
    });
  } catch (error) {
    throw wrong(`${(error as Error).message.split('. ')[0]}.`);
  }
  const [given = '', ...rest] = parsed.positionals;
  if (rest.length > 0 || (given === '') !== (argument === undefined))
    throw wrong(
      argument === undefined ? `${name} takes no argument.` : `${name} takes one ${argument.name}.`,
    );
  const found: Record<string, unknown> = {};
  for (const [flag, each] of Object.entries(names)) {
    const option = options[each]!;
    const value =
      parsed.values[flag] ?? (option.value === undefined ? false : option.many ? [] : option.default);
    if (option.required && (value === undefined || (value as unknown[]).length === 0))
      throw wrong(`${flagOf(each)} is missing.`);
    try {
      if (value !== undefined)
        found[each] = typeof value === 'string' && option.read !== undefined ? option.read(value) : value;
    } catch (error) {
      throw wrong(`${flagOf(each)} ${value}: ${(error as Error).message}`);
    }
  }
  return { argument: given, options: found };
}
