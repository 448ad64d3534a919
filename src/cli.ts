// The operator's verbs: `npm run cli -- <verb>`.

import { Command } from 'commander';
import { aliasesVerb } from './cli/aliases.ts';
import { cappersVerb } from './cli/cappers.ts';
import { runIngest } from './cli/ingest.ts';
import { noticesVerb } from './cli/notices.ts';
import { resultsVerb } from './cli/results.ts';
import { VerbRefused } from './cli/session.ts';
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

for (const verb of [cappersVerb, resultsVerb, noticesVerb, aliasesVerb])
  program.addCommand(verb(() => readSettings(environment()), say));

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof SettingsError || error instanceof IngestError || error instanceof VerbRefused))
    throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

/** The environment, completed by that of the service which `npm start` runs in the same data folder, unless a database is named. */
function environment(): NodeJS.ProcessEnv {
  if (process.env.DATABASE_URL) return process.env;
  return { ...runningEnvironment(process.env.DATA_DIR ?? '.data'), ...process.env };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
