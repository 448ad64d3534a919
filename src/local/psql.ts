// `npm run psql`: opens psql on the database of the service running here, including the embedded one.

import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { variable } from '../platform/config/read.ts';
import { runningEnvironment } from './running.ts';
import { findProgram, libraryPath, type PackagedProgram } from './system-packages.ts';
import { Refusal } from './terminal.ts';

const root = resolve(import.meta.dirname, '..', '..');
const advice =
  "psql is not installed. Install it: `apt-get install postgresql-client`, `brew install libpq`, or your system's package of the PostgreSQL client.";
const packaged: PackagedProgram = {
  packages: ['postgresql-client'],
  // Not the wrapper in usr/bin, which selects a version in Perl.
  paths: ['usr/lib/postgresql/*/bin/psql'],
};
const dataDir = resolve(root, variable(process.env, 'DATA_DIR') ?? '.data');

try {
  const url = databaseUrl();
  const { command, env } = await psqlProgram(join(dataDir, 'packages', 'psql'));
  // Leave Ctrl-C to psql: it cancels a statement.
  process.on('SIGINT', () => {});
  const child = spawn(command, process.argv.slice(2), {
    stdio: 'inherit',
    env: { ...env, ...connection(url) },
  });
  process.exitCode = await new Promise<number>((end, fail) => {
    child.on('error', fail);
    child.on('exit', (code) => end(code ?? 1));
  });
} catch (error) {
  process.stderr.write(`${error instanceof Refusal ? error.message : (error as Error).stack}\n`);
  process.exitCode = 1;
}
process.exit();

/** Returns the URL with the auditor's login, which may read everything but secrets, or the owner's if DATABASE_OWNER_URL is set. */
function databaseUrl(): URL {
  const environment = variable(process.env, 'DATABASE_URL')
    ? process.env
    : runningEnvironment(dataDir, 'auditor');
  const url = environment && (environment.DATABASE_OWNER_URL || environment.DATABASE_URL);
  if (url) return new URL(url);
  throw new Refusal(`No service runs on ${dataDir}. Start it (npm start), or set DATABASE_URL.`);
}

/** Returns connection variables. In arguments, a list of processes would show the password. */
function connection({ hostname, port, username, password, pathname, searchParams }: URL) {
  return {
    PGHOST: hostname,
    PGPORT: port || '5432',
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
    ...(searchParams.has('sslmode') && { PGSSLMODE: searchParams.get('sslmode') as string }),
  };
}

/** Finds psql on the PATH, or fetches it once from the system's packages. The embedded PostgreSQL has none. */
async function psqlProgram(folder: string): Promise<{ command: string; env: NodeJS.ProcessEnv }> {
  const say = (line: string) => void process.stdout.write(`${line.trim()}\n`);
  try {
    const program = await findProgram({ title: 'psql', names: ['psql'], packaged, folder, say });
    return { command: program.command, env: { ...process.env, ...libraryPath(program) } };
  } catch (error) {
    throw new Refusal(`${advice}\n${(error as Error).message}`);
  }
}
