import { Command, CommanderError } from 'commander';
import type { Login } from '../../migrations/rights.ts';
import { VerbRefused } from '../../src/cli/verb.ts';
import { loadVerb, verbs } from '../../src/cli/verbs.ts';
import { readConfigOf } from '../../src/platform/config/config.ts';
import type { ProcessName } from '../../src/platform/config/processes.ts';
import { ExpectedError } from '../../src/platform/expected-error.ts';
import { baseEnvironment } from './base-environment.ts';
import { expectedOfTests } from './database.ts';

/** Returns the environment of a verb: the settings that every process requires. */
export function verbEnvironment(databaseUrl: string, redisUrl: string): Record<string, string> {
  return {
    ...baseEnvironment,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    OPERATOR_TOKEN: 'a-token-for-tests',
    SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    LEDGER_KEY: Buffer.alloc(32, 2).toString('base64'),
    AUDIT_EXPECTED: expectedOfTests.join(','),
  };
}

export interface VerbRun {
  status: number;
  out: string;
  err: string;
}

/**
 * Runs a verb in this process; `cli.ts` in its own process would take a second to start. A verb that reads the environment itself cannot
 * run this way.
 * @param environment of the process whose work the verb does, under its login
 */
export async function runVerb(
  args: readonly string[],
  environment: (name: ProcessName, login: Login | undefined) => Record<string, string>,
): Promise<VerbRun> {
  const written = { out: '', err: '' };
  const verb = verbs[args[0] ?? ''];
  if (verb === undefined) throw new Error(`there is no verb ${args[0]}`);
  const command = await loadVerb(verb, (name, login) => readConfigOf(name, environment(name, login)), {
    say(line) {
      written.out += `${line}\n`;
    },
    warn(line) {
      written.err += `${line}\n`;
    },
  });
  const program = throwing(new Command().addCommand(command));
  const before = process.exitCode;
  try {
    await program.parseAsync(args, { from: 'user' });
    return { status: Number(process.exitCode ?? 0), ...written };
  } catch (error) {
    if (!(error instanceof ExpectedError || error instanceof CommanderError)) throw error;
    written.err += `${error.message}\n`;
    return { status: error instanceof VerbRefused ? error.status : 1, ...written };
  } finally {
    process.exitCode = before;
  }
}

/** Makes a command and its subcommands throw instead of exiting. */
function throwing(command: Command): Command {
  command.exitOverride().configureOutput({ writeErr() {} });
  command.commands.forEach(throwing);
  return command;
}
