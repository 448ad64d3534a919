import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type Store, withLog } from '../../src/local/bring-up.ts';
import { anyFreePort } from '../../src/local/ports.ts';
import { serverAccount } from '../../src/local/postgres-home.ts';
import { findProgram, libraryPath } from '../../src/local/system-packages.ts';
import type { Say } from '../../src/local/terminal.ts';

export interface PgbouncerOptions {
  /** Its own folder. */
  folder: string;
  /** The folder for programs fetched from the system's packages. */
  packagesDir: string;
  /** The URL of the PostgreSQL behind it. */
  server: string;
  /** The users, with their passwords. */
  users: Readonly<Record<string, string>>;
  say: Say;
  aborted: AbortSignal;
}

export interface Pgbouncer extends Store {
  /** The URL of its console. */
  url: string;
}

/** Connections to one database of the server, for all logins. */
const serverConnections = 5;

/** The console's user. */
const admin = 'pooler_admin';

const packaged = { packages: ['pgbouncer'], paths: ['usr/sbin/pgbouncer'] };

/** Prepares a PgBouncer in transaction mode in front of every database of a server: from the PATH, else from the system's packages. */
export async function preparePgbouncer(options: PgbouncerOptions): Promise<Pgbouncer> {
  const { folder, packagesDir, server, users, say, aborted } = options;
  const program = await findProgram({
    title: 'PgBouncer',
    names: ['pgbouncer'],
    packaged,
    say,
    aborted,
    folder: join(packagesDir, 'pgbouncer'),
  });
  const account = process.getuid?.() === 0 ? serverAccount() : undefined;
  const { hostname, port: serverPort } = new URL(server);
  const port = await anyFreePort();
  const log = join(folder, 'pgbouncer.log');
  const [ini, list] = [join(folder, 'pgbouncer.ini'), join(folder, 'users.txt')];
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const password = randomBytes(16).toString('hex');
  writeFileSync(
    list,
    Object.entries({ ...users, [admin]: password })
      .map(([name, secret]) => `"${name}" "${secret}"\n`)
      .join(''),
  );
  writeFileSync(
    ini,
    `[databases]
* = host=${hostname} port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${list}
admin_users = ${admin}
pool_mode = transaction
default_pool_size = ${serverConnections}
max_db_connections = ${serverConnections}
max_client_conn = 2000
log_connections = 0
log_disconnections = 0
${account === undefined ? '' : `user = ${account.name}\n`}`,
  );
  if (account !== undefined)
    for (const path of [folder, ini, list]) chownSync(path, account.uid, account.gid);
  const url = `postgres://${admin}:${password}@127.0.0.1:${port}/pgbouncer`;
  return {
    log,
    url,
    answers: () => ask(url, 'show version').then(() => {}),
    program: {
      name: 'pgbouncer',
      store: true,
      signal: 'SIGINT',
      launch: () =>
        withLog(log, (out) =>
          spawn(program.command, [ini], {
            cwd: '/',
            env: { PATH: process.env.PATH, LC_ALL: 'C', ...libraryPath(program) },
            detached: true,
            stdio: ['ignore', out, out],
          }),
        ),
    },
  };
}

/** Returns an address of the server, through the pooler. @param pooler the URL of its console */
export function through(pooler: string, url: string): string {
  return Object.assign(new URL(url), { host: new URL(pooler).host }).href;
}

/** Sends a command to a pooler's console, which supports only the simple protocol. */
export async function ask(url: string, command: string): Promise<Record<string, string>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query(command)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}
