#!/usr/bin/env node
import { ExpectedError } from '../../../src/platform/expected-error.ts';
import { argumentsOf, helpOf, VerbRefused } from './commands/command.ts';
import { commands } from './commands/index.ts';

process.exitCode = await main(process.argv.slice(2));

async function main([name = '--help', ...args]: string[]): Promise<number> {
  const listed = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (listed === undefined) {
    const asked = name === '--help' || name === 'help';
    (asked ? process.stdout : process.stderr).write(
      `${asked ? '' : `There is no command ${name}.\n`}${overview()}\n`,
    );
    return asked ? 0 : 1;
  }
  const command = await listed.load();
  if (args.includes('--help')) {
    process.stdout.write(`${helpOf(name, command, listed)}\n`);
    return 0;
  }
  try {
    const { argument, options } = argumentsOf(name, command, args);
    const say = (line: string) => void process.stdout.write(`${line}\n`);
    const warn = (line: string) => void process.stderr.write(`${line}\n`);
    return (await command.run(argument, options, say, warn)) ?? 0;
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return error instanceof VerbRefused ? error.status : 1;
  }
}

function overview(): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length)) + 2;
  const lines = Object.entries(commands).map(([name, { about }]) => `  ${name.padEnd(width)}${about}`);
  return ['Usage: public-picks <command>', '', ...lines, '', 'public-picks <command> --help says more.'].join(
    '\n',
  );
}
