// The command line: `npm run cli -- <verb>`.

import { Command } from 'commander';
import type { Login } from '../migrations/rights.ts';
import { type Verb, VerbRefused } from './cli/verb.ts';
import { runningEnvironment } from './local/running.ts';
import { readConfigOf } from './platform/config/config.ts';
import { variable } from './platform/config/read.mjs';
import { settings } from './platform/config/settings.mjs';
import { ExpectedError } from './platform/expected-error.ts';

/** Each verb, loaded when it is asked for: all of them together take longer to load than most take to run. */
const verbs: Readonly<Record<string, () => Promise<Verb>>> = {
  migrate: async () => (await import('./cli/migrate.ts')).migrateVerb,
  ingest: async () => (await import('./cli/ingest.ts')).ingestVerb,
  cappers: async () => (await import('./cli/cappers.ts')).cappersVerb,
  results: async () => (await import('./cli/results.ts')).resultsVerb,
  notices: async () => (await import('./cli/notices.ts')).noticesVerb,
  aliases: async () => (await import('./cli/aliases.ts')).aliasesVerb,
  sources: async () => (await import('./cli/sources.ts')).sourcesVerb,
  waiting: async () => (await import('./cli/waiting.ts')).waitingVerb,
  audit: async () => (await import('./cli/audit.ts')).auditVerb,
  rebuild: async () => (await import('./cli/rebuild.ts')).rebuildVerb,
  'ledger-key': async () => (await import('./cli/ledger-key.ts')).ledgerKeyVerb,
  'rotate-key': async () => (await import('./cli/rotate-key.ts')).rotateKeyVerb,
  events: async () => (await import('./cli/events.ts')).eventsVerb,
  'new-origin': async () => (await import('./cli/new-origin.ts')).newOriginVerb,
  signer: async () => (await import('./cli/signer.ts')).signerVerb,
  'check-acknowledgement': async () =>
    (await import('./cli/check-acknowledgement.ts')).checkAcknowledgementVerb,
  witness: async () => (await import('./cli/witness.ts')).witnessVerb,
  verify: async () => (await import('./cli/verify.ts')).verifyVerb,
  monitor: async () => (await import('./cli/monitor.ts')).monitorVerb,
};

// Help, and a verb that there is not, need the names of all.
const asked = Object.hasOwn(verbs, process.argv[2] ?? '') ? verbs[process.argv[2] ?? ''] : undefined;
const program = new Command('public-picks').description('Operates and verifies a Public Picks service.');
for (const load of asked === undefined ? Object.values(verbs) : [asked])
  program.addCommand(
    (await load())(
      (name, login) => readConfigOf(name, environment(login ?? (name === 'migrate' ? 'owner' : name))),
      (line) => process.stdout.write(`${line}\n`),
    ),
  );

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof ExpectedError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error instanceof VerbRefused ? error.status : 1;
}

/**
 * The environment, over that of the service that `npm start` runs in the same data folder under the verb's login, unless DATABASE_URL is
 * set.
 */
function environment(login: Login | 'owner'): NodeJS.ProcessEnv {
  if (variable(process.env, 'DATABASE_URL') !== undefined) return process.env;
  const dataDir = variable(process.env, 'DATA_DIR') ?? settings.process.dataDir.default;
  return { ...runningEnvironment(dataDir, login), ...process.env };
}
