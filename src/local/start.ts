// `npm start`: sets up and runs the whole service on one machine. `--verbose` shows all log lines; `--stores` runs only the stores; `npm
// run dev` adds `--watch`.

import { writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type LoginOptions, LoginsIncomplete } from '../../migrations/logins.ts';
import { migrate } from '../../migrations/migrate.ts';
import type { Login } from '../../migrations/rights.ts';
import { demoHistoryMs, demoHistoryPlayed } from '../demo/progress.ts';
import { addedSports } from '../games/names/league-files.ts';
import { newLogKind, suitableLogKind } from '../ledger/log-kind.ts';
import { createClock } from '../platform/clock.ts';
import { type Config, readConfigOf, SettingsError } from '../platform/config/config.ts';
import { operatorTokens } from '../platform/config/kinds.ts';
import { openDatabase } from '../platform/database.ts';
import { startDemoWitnesses, witnessKeysFile } from './demo-witnesses.ts';
import { exitOnWrongSettings } from './environment.ts';
import { launch } from './launch.ts';
import { type ServiceProcess, together, watched } from './supervisor.ts';
import { Refusal, stopRequest } from './terminal.ts';

const root = resolve(import.meta.dirname, '..', '..');
const say = (line: string) => process.stdout.write(`${line}\n`);
const { signal, requested } = stopRequest();
exitOnWrongSettings();

try {
  const given = options();
  const { environment, databaseUrls, stop } = await launch({
    root,
    environment: process.env,
    say,
    verbose: given.verbose || given.watch,
    aborted: signal,
    processes: processesOf(given),
    migrate: migrateFor,
    prepare: prepareFor,
  });
  try {
    if (environment.DEMO === '1' && !given.stores) await fillDemo(environment, databaseUrls.auditor);
    (given.stores ? storesBanner() : banner(environment)).forEach(say);
    await requested;
  } finally {
    say('Stopping ...');
    await stop();
  }
  say('Stopped.');
} catch (error) {
  if (signal.aborted) say('Stopped.');
  else {
    const expected = [Refusal, SettingsError, LoginsIncomplete].some((kind) => error instanceof kind);
    process.stderr.write(`${(error as Error)[expected ? 'message' : 'stack']}\n`);
    process.exitCode = 1;
  }
}
process.exit();

function options() {
  const options = {
    verbose: { type: 'boolean', default: false },
    stores: { type: 'boolean', default: false },
    watch: { type: 'boolean', default: false },
    inspect: { type: 'string', default: '' },
  } as const;
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    throw new Refusal((error as Error).message);
  }
}

function processesOf({ stores, watch, inspect }: ReturnType<typeof options>): readonly ServiceProcess[] {
  if (stores) return [];
  return watch ? watched(inspect.split(',').filter(Boolean)) : together;
}

async function migrateFor(ownerUrl: string, settings: Config, logins: LoginOptions): Promise<void> {
  await migrate(ownerUrl, newLogKind(settings), logins, addedSports());
  const database = openDatabase(ownerUrl, { connections: 1, name: 'public-picks start' });
  try {
    await suitableLogKind(database, settings);
    if (!settings.site.demo) return;
    const { beginDemo } = await import('../demo/begin.ts');
    const at = createClock(settings.process.clock).now() - demoHistoryMs;
    if (!(await beginDemo(database, at, { ...settings.site, ...settings.ledger })))
      throw new Refusal('The demo does not begin in a ledger with picks from another source.');
  } finally {
    await database.destroy();
  }
}

/** Starts the demo's witnesses, unless the settings name others. */
async function prepareFor(urls: Record<Login, string>, settings: Config): Promise<Record<string, string>> {
  const { demo } = settings.site;
  if (!demo || settings.ledger.witnesses.length > 0) return {};
  return (await startDemoWitnesses(urls.sealing, settings)).settings;
}

/** Waits until the demo's history is loaded, and shows the progress every five seconds. The site is already up. */
async function fillDemo(environment: Record<string, string>, url: string): Promise<void> {
  const database = openDatabase(url, { connections: 1, name: 'public-picks start' });
  const settings = { ...process.env, ...environment, DATABASE_URL: url };
  const clock = createClock(readConfigOf('ingest', settings).process.clock);
  let sayNext: number | undefined;
  try {
    for (;;) {
      const share = await demoHistoryPlayed(database, clock.now());
      if (share >= 1) return;
      if (sayNext === undefined) say(`The site is up: ${environment.BASE_URL}`);
      if (Date.now() >= (sayNext ?? 0)) {
        say(`Loading demo data: ${Math.floor(share * 100)}% ...`);
        sayNext = Date.now() + 5_000;
      }
      await pause(250, undefined, { signal });
    }
  } finally {
    await database.destroy();
  }
}

function storesBanner(): string[] {
  return [
    '',
    'Only PostgreSQL and Redis are running.',
    '',
    '  Verbs         npm run audit, npm run cli -- <verb>, npm run psql   in another terminal',
    '  Stop          Ctrl-C',
    '',
  ];
}

function banner(environment: Record<string, string>): string[] {
  const { BASE_URL, OPERATOR_PORT, DATA_DIR = '', DEMO } = environment;
  const tokenFile = join(DATA_DIR, 'operator-token');
  const [first] = operatorTokens(environment.OPERATOR_TOKEN!);
  writeFileSync(tokenFile, first!.token, { mode: 0o600 });
  const shown = (path: string) => relative(root, path);
  const operator = `http://127.0.0.1:${OPERATOR_PORT}`;
  const demo = DEMO === '1';
  const ofDemo = [
    `  Verify        npm run verify -- <address of a pick> --witness ${shown(join(DATA_DIR, witnessKeysFile))}`,
    '  Empty ledger  Ctrl-C, then DEMO=0 npm start   the demo ledger is kept',
  ];
  return [
    '',
    demo ? 'Public Picks is running on demo data: fictional teams and cappers.' : 'Public Picks is running.',
    '',
    `  Open first    ${BASE_URL}   then /leaderboard, /ledger and, for the API, /docs`,
    `  Operator      ${operator}   in a browser any user name, and as the password $(cat ${shown(tokenFile)})`,
    `  Queues        ${operator}/queues   any user name, the same token as the password`,
    '  Import        npm run ingest -- <file or folder> ...   in another terminal',
    ...(demo ? ofDemo : []),
    `  Logs          ${shown(join(DATA_DIR, 'logs'))}   or here, with npm start -- --verbose`,
    '  Stop          Ctrl-C',
    '',
  ];
}
