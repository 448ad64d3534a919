// The command line: `npm run cli -- <verb>`.

import { Command } from 'commander';
import type { Login } from '../migrations/rights.ts';
import { aliasesVerb } from './cli/aliases.ts';
import { auditVerb } from './cli/audit.ts';
import { cappersVerb } from './cli/cappers.ts';
import { checkAcknowledgementVerb } from './cli/check-acknowledgement.ts';
import { eventsVerb } from './cli/events.ts';
import { ingestVerb } from './cli/ingest.ts';
import { ledgerKeyVerb } from './cli/ledger-key.ts';
import { migrateVerb } from './cli/migrate.ts';
import { monitorVerb } from './cli/monitor.ts';
import { newOriginVerb } from './cli/new-origin.ts';
import { noticesVerb } from './cli/notices.ts';
import { rebuildVerb } from './cli/rebuild.ts';
import { resultsVerb } from './cli/results.ts';
import { rotateKeyVerb } from './cli/rotate-key.ts';
import { signerVerb } from './cli/signer.ts';
import { sourcesVerb } from './cli/sources.ts';
import { VerbRefused } from './cli/verb.ts';
import { verifyVerb } from './cli/verify.ts';
import { witnessVerb } from './cli/witness.ts';
import { CheckpointStoreError } from './ledger/checkpoint-store/store.ts';
import { PublisherRefusal } from './ledger/refusals.ts';
import { SignerError } from './ledger/signer/remote-signer.ts';
import { runningEnvironment } from './local/running.ts';
import { readConfigOf, SettingsError } from './platform/config/config.ts';
import { variable } from './platform/config/read.mjs';
import { settings } from './platform/config/settings.mjs';
import { IngestError } from './sources/files.ts';

const verbs = [
  migrateVerb,
  ingestVerb,
  cappersVerb,
  resultsVerb,
  noticesVerb,
  aliasesVerb,
  sourcesVerb,
  auditVerb,
  rebuildVerb,
  ledgerKeyVerb,
  rotateKeyVerb,
  eventsVerb,
  newOriginVerb,
  signerVerb,
  checkAcknowledgementVerb,
  witnessVerb,
  verifyVerb,
  monitorVerb,
];

/** Errors that the user can act on: reported by their message alone, without a stack trace. */
const expectedErrors = [
  VerbRefused,
  SettingsError,
  IngestError,
  PublisherRefusal,
  CheckpointStoreError,
  SignerError,
];

const program = new Command('public-picks').description('Operates and verifies a Public Picks service.');
for (const verb of verbs)
  program.addCommand(
    verb(
      (name, login) => readConfigOf(name, environment(login ?? (name === 'migrate' ? 'owner' : name))),
      (line) => process.stdout.write(`${line}\n`),
    ),
  );

try {
  await program.parseAsync();
} catch (error) {
  if (!expectedErrors.some((kind) => error instanceof kind)) throw error;
  process.stderr.write(`${(error as Error).message}\n`);
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
