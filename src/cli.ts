// The command line: `npm run cli -- <verb>`.

import { Command } from 'commander';
import type { Login } from '../migrations/rights.ts';
import { VerbRefused } from './cli/verb.ts';
import { inSentences, loadVerb, verbs } from './cli/verbs.ts';
import { runningEnvironment } from './local/running.ts';
import { readConfigOf } from './platform/config/config.ts';
import { variable } from './platform/config/read.ts';
import { settings } from './platform/config/settings.ts';
import { ExpectedError } from './platform/expected-error.ts';

// Help, and the message about an unknown verb, need the names of all verbs.
const asked = Object.hasOwn(verbs, process.argv[2] ?? '') ? verbs[process.argv[2] ?? ''] : undefined;
const program = new Command('public-picks').description('Operates and verifies a Public Picks service.');
for (const verb of asked === undefined ? Object.values(verbs) : [asked])
  program.addCommand(
    await loadVerb(
      verb,
      (name, login) => readConfigOf(name, environment(login ?? (name === 'migrate' ? 'owner' : name))),
      {
        say: (line) => process.stdout.write(`${line}\n`),
        warn: (line) => process.stderr.write(`${line}\n`),
      },
    ),
  );
inSentences(program);

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof ExpectedError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error instanceof VerbRefused ? error.status : 1;
}

/** Unless DATABASE_URL is set, includes that of the service that `npm start` runs in the same data folder, with the verb's login. */
function environment(login: Login | 'owner'): NodeJS.ProcessEnv {
  if (variable(process.env, 'DATABASE_URL') !== undefined) return process.env;
  const dataDir = variable(process.env, 'DATA_DIR') ?? settings.process.dataDir.default;
  return { ...runningEnvironment(dataDir, login), ...process.env };
}
