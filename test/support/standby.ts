import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { runCommand } from '../../src/local/command.ts';
import { preparePostgres } from '../../src/local/postgres.ts';
import type { Say } from '../../src/local/refusal.ts';
import { until } from './until.ts';

/** A PostgreSQL and its streaming standby, with synchronous replication. */
export interface Pair {
  /** Addresses of their maintenance databases, under the superuser. */
  primary: string;
  standby: string;
  /** The address of the database `picks` of the primary, under its owner. */
  ownerUrl: string;
  /** Kills the primary where it stands (SIGKILL). */
  killPrimary(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a pair. The standby is made from a backup of the running primary, as pg_basebackup makes one: the embedded PostgreSQL comes without
 * that program.
 * @param folder of their own
 */
export async function startPair(options: { folder: string; say: Say; aborted: AbortSignal }): Promise<Pair> {
  const running: ChildProcess[] = [];
  const folders = ['one', 'two'].map((name) => join(options.folder, name));
  for (const folder of folders) mkdirSync(folder, { recursive: true, mode: 0o711 });
  const [one, two] = [
    await preparePostgres({ ...options, dataDir: folders[0]! }),
    await preparePostgres({ ...options, dataDir: folders[1]! }),
  ];
  const [original, copy] = folders.map(clusterIn) as [string, string];
  const primary = one.superuserUrl('postgres');
  // The copy has the passwords of the original.
  const standby = Object.assign(new URL(primary), { port: new URL(two.superuserUrl('x')).port }).href;
  const launch = async ({ program }: typeof one, url: string) => {
    const child = program.launch();
    running.push(child);
    await until(() => ask(url, 'select 1').then(Boolean, () => false), 20_000);
    return child;
  };

  const first = await launch(one, primary);
  await one.createDatabases(['picks']);
  await ask(primary, `select pg_create_physical_replication_slot('standby', true)`);
  await withClient(primary, async (client) => {
    await client.query(`select pg_backup_start('standby', true)`);
    rmSync(copy, { recursive: true });
    await runCommand('cp', ['-a', original, copy]);
    const { rows } = await client.query('select labelfile from pg_backup_stop()');
    writeFileSync(join(copy, 'backup_label'), rows[0].labelfile);
  });
  rmSync(join(copy, 'postmaster.pid'));
  writeFileSync(join(copy, 'standby.signal'), '');
  const { username, password, port } = new URL(primary);
  appendFileSync(
    join(copy, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${port} user=${username} password=${password} application_name=standby'\n` +
      `primary_slot_name = 'standby'\n`,
  );
  await runCommand('chown', ['-R', `--reference=${original}`, copy]);
  await launch(two, standby);
  await ask(primary, `alter system set synchronous_standby_names = 'standby'`);
  await ask(primary, 'select pg_reload_conf()');
  await until(
    async () =>
      (await ask(primary, `select from pg_stat_replication where sync_state = 'sync'`)).length === 1,
    20_000,
  );

  const kill = async (child: ChildProcess) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    process.kill(-child.pid!, 'SIGKILL');
    await gone;
  };
  return {
    primary,
    standby,
    ownerUrl: one.ownerUrl('picks'),
    killPrimary: () => kill(first),
    stop: async () => void (await Promise.all(running.map(kill))),
  };
}

/** Where the cluster of a data folder is. */
function clusterIn(dataDir: string): string {
  const { folder } = JSON.parse(readFileSync(join(dataDir, 'postgres.json'), 'utf8'));
  return join(resolve(dataDir, folder), 'cluster');
}

export async function ask(url: string, statement: string): Promise<Record<string, unknown>[]> {
  return withClient(url, async (client) => (await client.query(statement)).rows);
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}
