import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import pg from 'pg';
import { type Store, withLog } from './bring-up.ts';
import { type DiskRoom, diskRoom } from './disk-room.ts';
import { keepValue, keptJson } from './environment.ts';
import { anyFreePort, isTaken } from './ports.ts';
import { type PostgresHome, postgresHome } from './postgres-home.ts';
import { commandLine, runCommand } from './processes.ts';
import { Refusal, type Say } from './terminal.ts';

export interface PostgresOptions {
  dataDir: string;
  say: Say;
  aborted: AbortSignal;
  /** Databases to create if missing, with the role that owns them, before the server counts as answering. */
  databases?: readonly string[];
  /** For tests: nothing is synced to disk, so a crash of the machine may break the cluster. */
  disposable?: boolean;
  /** Folder of a new cluster. Default: in the data folder. */
  folder?: string | undefined;
  settings?: Readonly<Record<string, string>> | undefined;
  variables?: Readonly<Record<string, string>> | undefined;
}

export interface Postgres extends Store {
  superuserUrl(database: string): string;
  ownerUrl(database: string): string;
  /** Watched while the server runs. */
  room: DiskRoom;
}

const ownerRole = 'picks_owner';

/** Sets up the embedded PostgreSQL of a data folder. The cluster is created once, and keeps its port while that is free. */
export async function preparePostgres(options: PostgresOptions): Promise<Postgres> {
  const { dataDir, say, aborted, databases = [], disposable = false, settings, variables } = options;
  const notes = join(dataDir, 'postgres.json');
  const kept = keptJson(notes, {
    superuserPassword: () => randomBytes(24).toString('hex'),
    ownerPassword: () => randomBytes(24).toString('hex'),
  });

  const home = postgresHome(dataDir, kept.folder ?? options.folder, say);
  const inside = relative(dataDir, home.folder);
  if (kept.folder === undefined) keepValue(notes, 'folder', inside.startsWith('..') ? home.folder : inside);

  const cluster = join(home.folder, 'cluster');
  if (existsSync(cluster)) checkCluster(cluster);
  else {
    say('  creating the database cluster ...');
    await createCluster(home, cluster, kept.superuserPassword, disposable, aborted);
  }

  let port = Number(kept.port ?? 0);
  if (port === 0 || (await isTaken(port))) {
    port = await anyFreePort();
    keepValue(notes, 'port', String(port));
  }

  const ofServer = processOptions(home);
  const log = join(dataDir, 'postgres.log');
  const url = (role: string, password: string) => (database: string) =>
    `postgres://${role}:${password}@127.0.0.1:${port}/${database}`;
  const superuserUrl = url('postgres', kept.superuserPassword);
  const asSuperuser = (work: (client: pg.Client) => Promise<void>) =>
    withClient(superuserUrl('postgres'), work);
  const room = diskRoom({
    folder: home.folder,
    say,
    answers: () => asSuperuser(async () => {}),
    setReadOnly: (isReadOnly) =>
      asSuperuser(async (client) => {
        const change = isReadOnly
          ? 'set default_transaction_read_only = on'
          : 'reset default_transaction_read_only';
        await client.query(`alter system ${change}`);
        await client.query('select pg_reload_conf()');
      }),
  });
  // A start may need the space, so the reserve is freed first.
  if (!disposable) await room.check();
  return {
    log,
    room,
    superuserUrl,
    ownerUrl: url(ownerRole, kept.ownerPassword),
    answers: () => asSuperuser((client) => createDatabases(client, databases, kept.ownerPassword)),
    program: {
      name: 'postgres',
      store: true,
      // Fast shutdown: ends sessions and writes a checkpoint.
      signal: 'SIGINT',
      launch: () =>
        withLog(log, (out) =>
          spawn(
            join(home.program, 'bin', 'postgres'),
            ['-D', cluster, ...parameters(port, disposable, settings)],
            {
              ...ofServer,
              env: { ...ofServer.env, ...variables },
              detached: true,
              stdio: ['ignore', out, out],
            },
          ),
        ),
    },
  };
}

function parameters(
  port: number,
  disposable: boolean,
  settings?: Readonly<Record<string, string>>,
): string[] {
  const values = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: disposable ? 400 : 200,
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Each check is a transaction per database, even when idle.
    autovacuum_naptime: '2min',
    ...(disposable && { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
    ...settings,
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

async function createDatabases(
  client: pg.Client,
  names: readonly string[],
  ownerPassword: string,
): Promise<void> {
  if (names.length === 0) return;
  const roles = await client.query('select from pg_roles where rolname = $1', [ownerRole]);
  const verb = roles.rowCount === 0 ? 'create' : 'alter';
  await client.query(
    `${verb} role ${ownerRole} login createrole password ${client.escapeLiteral(ownerPassword)}`,
  );
  for (const name of names) {
    const found = await client.query('select from pg_database where datname = $1', [name]);
    if (found.rowCount === 0)
      await client.query(`create database ${client.escapeIdentifier(name)} owner ${ownerRole}`);
  }
}

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    options: '-c default_transaction_read_only=off',
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

const majorVersion = '18';

/** Returns spawn options with a clean environment, so that the caller's PG* and locale variables have no effect. */
function processOptions({ account }: PostgresHome) {
  const env = { PATH: process.env.PATH, LC_ALL: 'C' };
  return { cwd: '/', env, ...(account && { uid: account.uid, gid: account.gid }) };
}

/** Creates a cluster under a temporary name first, so that an interruption leaves no partial one. */
async function createCluster(
  home: PostgresHome,
  cluster: string,
  password: string,
  disposable: boolean,
  aborted: AbortSignal,
): Promise<void> {
  const draft = join(home.folder, 'cluster.new');
  const passwordFile = join(home.folder, 'password');
  rmSync(draft, { recursive: true, force: true });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (home.account) chownSync(passwordFile, home.account.uid, home.account.gid);
  // The built-in locale provider sorts the same on every machine.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const access = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  const args = [`--pgdata=${draft}`, ...locale, ...access, ...(disposable ? ['--no-sync'] : [])];
  try {
    await runCommand(join(home.program, 'bin', 'initdb'), args, { ...processOptions(home), signal: aborted });
    renameSync(draft, cluster);
  } catch (error) {
    aborted.throwIfAborted();
    const [, reason] = /(?:FATAL|PANIC|initdb: error): *(.+)/.exec((error as Error).message) ?? [];
    throw reason === undefined
      ? error
      : new Refusal(`Cannot create the database in ${home.folder}: ${reason}.`);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/** @throws Refusal if the cluster has another version, or a server still runs on it */
function checkCluster(cluster: string): void {
  const version = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  if (version !== majorVersion) {
    throw new Refusal(
      `${cluster} was created by PostgreSQL ${version}; this is ${majorVersion}. Move that folder away, or set DATABASE_URL.`,
    );
  }
  const pidFile = join(cluster, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  const command = commandLine(pid);
  if (command.includes('postgres') && command.includes(cluster)) {
    throw new Refusal(`A PostgreSQL still runs on ${cluster} (process ${pid}). End it: kill -INT ${pid}`);
  }
  // Left by a crash. PostgreSQL would refuse to start if another process now has that id.
  rmSync(pidFile);
}
