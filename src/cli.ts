// The operator's verbs: `npm run cli -- <verb>`.

import { Command, InvalidArgumentError } from 'commander';
import { runIngest } from './cli/ingest.ts';
import { runMonitor } from './cli/monitor.ts';
import { runVerify, VerifyError } from './cli/verify.ts';
import { migrate } from './database.ts';
import { runningEnvironment } from './local/running.ts';
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
  if (!(error instanceof SettingsError || error instanceof IngestError || error instanceof VerifyError))
    throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error instanceof VerifyError ? 2 : 1;
}

/** The environment, completed by that of the service which `npm start` runs in the same data folder, unless a database is named. */
function environment(): NodeJS.ProcessEnv {
  if (process.env.DATABASE_URL) return process.env;
  return { ...runningEnvironment(process.env.DATA_DIR ?? '.data'), ...process.env };
}

function count(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 on.');
  return Number(text);
}
