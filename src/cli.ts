// The operator's verbs: `npm run cli -- <verb>`.

import { hostname } from 'node:os';
import { Command, InvalidArgumentError } from 'commander';
import { runAudit } from './cli/audit.ts';
import { runCheckAcknowledgement } from './cli/check-acknowledgement.ts';
import { runIngest } from './cli/ingest.ts';
import { runLedgerKey } from './cli/ledger-key.ts';
import { runMonitor } from './cli/monitor.ts';
import { runNewOrigin } from './cli/new-origin.ts';
import { runRotateKey } from './cli/rotate-key.ts';
import { runVerify, VerifyError } from './cli/verify.ts';
import { startWitness, WitnessError } from './cli/witness.ts';
import { migrate } from './database.ts';
import { runningEnvironment } from './local/running.ts';
import { formatVerifierKey } from './proof/verifier-key.ts';
import { readSettings, SettingsError } from './settings.ts';
import { IngestError } from './sources/files.ts';

const program = new Command('public-picks').description('Verbs for the operator of a Public Picks service.');

program
  .command('migrate')
  .description('brings the database to the newest schema')
  .action(async () => {
    const settings = readSettings(environment());
    await migrate(settings.DATABASE_OWNER_URL ?? settings.DATABASE_URL);
    process.stdout.write('The schema is up to date.\n');
  });

program
  .command('ingest')
  .description(
    'takes in newline-delimited JSON: cappers, games, lines, picks, results (told by the file name)',
  )
  .argument('<paths...>', 'files or folders')
  .option('--no-wait', 'do not wait until the workers have closed, graded, sealed and counted everything')
  .action(async (paths: string[], { wait }: { wait: boolean }) => {
    process.exitCode = await runIngest(readSettings(environment()), paths, wait);
  });

const collect = (value: string, before: string[]) => [...before, value];
const say = (line: string) => process.stdout.write(`${line}\n`);

program
  .command('audit')
  .description(
    'recomputes the whole log from the database and compares it with what was signed and published',
  )
  .option('--keep', 'write the checkpoint file anew where it is missing and all else is well', false)
  .action(async ({ keep }: { keep: boolean }) => {
    process.exitCode = await runAudit(readSettings(environment()), keep, say);
  });

program
  .command('ledger-key')
  .description('makes a signing key for the log')
  .argument('<origin>', "the log's name, such as picks.example/ledger")
  .action((origin: string) => runLedgerKey(origin, say));

program
  .command('rotate-key')
  .description("announces the log's next signing key, whose seed NEW_LEDGER_KEY holds")
  .action(async () => {
    const { NEW_LEDGER_KEY = '' } = process.env;
    process.exitCode = await runRotateKey(readSettings(environment()), NEW_LEDGER_KEY, say);
  });

program
  .command('new-origin')
  .description('begins a new log over what a restore has left; the service must stand still')
  .argument('<origin>', "the new log's name")
  .requiredOption('--reason <text>', 'goes into its first entry')
  .action(async (origin: string, { reason }: { reason: string }) => {
    process.exitCode = await runNewOrigin(readSettings(environment()), origin, reason, say);
  });

program
  .command('check-acknowledgement')
  .description('checks the acknowledgement of a posted pick against the log')
  .argument('<file>', 'the acknowledgement')
  .option('--url <address>', 'the site to ask; default: the database of the settings')
  .option('--key <key>', 'a verifier key of the log; may be given again', collect, [])
  .action(async (file: string, options: { url?: string; key: string[] }) => {
    const settings = () => readSettings(environment());
    process.exitCode = await runCheckAcknowledgement(file, options, settings, say);
  });

program
  .command('witness')
  .description('cosigns the checkpoints of logs, each consistent with the one before')
  .requiredOption('--log <key>', 'a verifier key of a log that it cosigns; may be given again', collect, [])
  .option('--port <port>', 'where it listens', port, 4000)
  .option('--host <address>', 'on which address', '127.0.0.1')
  .option('--state <file>', 'keeps its key and what it has cosigned', 'witness.json')
  .option('--name <name>', 'its name, at the first start', `${hostname()}/witness`)
  .action(async (options) => {
    const witness = await startWitness(options);
    say(`WITNESSES="${formatVerifierKey(witness.key)} ${witness.address}"`);
    await new Promise<void>((stop) => {
      for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop());
    });
    await witness.close();
  });

program
  .command('verify')
  .description('verifies a receipt, step by step')
  .argument('<receipt>', "a file, the address of a receipt or of a pick's page, or - for standard input")
  .option('--key <key>', 'a verifier key of the log, or a file with some; may be given again', collect, [])
  .option(
    '--witness <key>',
    'a verifier key of a witness, or a file with some; may be given again',
    collect,
    [],
  )
  .option('--quorum <k>', 'how many witnesses must have cosigned; default all that are named', count)
  .option('--before-start', "so many must have cosigned the pick before the game's start", false)
  .option('--json', 'answer in JSON', false)
  .action(async (receipt: string, options) => {
    process.exitCode = await runVerify(receipt, options, say);
  });

program
  .command('monitor')
  .description('follows a log as an outsider, and reports forks and gaps')
  .argument('<address>', 'the address of the site, such as https://picks.example')
  .option(
    '--key <key>',
    'a verifier key of the log; default: the one it shows at the first look',
    collect,
    [],
  )
  .option('--state <file>', 'where to keep how far it has come; default: monitor-<host>.json')
  .option('--every <seconds>', 'between two looks', count, 60)
  .option('--once', 'look once', false)
  .action(async (address: string, options) => {
    const stop = new AbortController();
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
    process.exitCode = await runMonitor(address, options, say, stop.signal);
  });

try {
  await program.parseAsync();
} catch (error) {
  const expected = [SettingsError, IngestError, VerifyError, WitnessError];
  if (!expected.some((known) => error instanceof known)) throw error;
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = error instanceof VerifyError ? 2 : 1;
}

/** The environment, completed by that of the service which `npm start` runs in the same data folder, unless a database is named. */
function environment(): NodeJS.ProcessEnv {
  if (process.env.DATABASE_URL) return process.env;
  return { ...runningEnvironment(process.env.DATA_DIR ?? '.data'), ...process.env };
}

function port(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > 65535)
    throw new InvalidArgumentError('It must be a port from 0 to 65535.');
  return value;
}

function count(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 on.');
  return Number(text);
}
