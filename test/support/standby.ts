import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { preparePostgres } from '../../src/local/postgres.ts';
import { childrenOf, runCommand } from '../../src/local/processes.ts';
import type { Say } from '../../src/local/terminal.ts';
import { tether } from './tether.ts';
import { until } from './until.ts';

/** A PostgreSQL server that a test may stop, kill, and start. */
export interface Server {
  /** The URL of its maintenance database, under the superuser. */
  url: string;
  /** Starts it unless it runs, and waits until it answers. */
  start(): Promise<void>;
  /** Ends it. Default: SIGKILL. */
  end(signal?: 'SIGKILL' | 'SIGINT'): Promise<void>;
  /** Returns the ids of its processes, its own first. */
  pids(): number[];
}

/** A PostgreSQL and its streaming standby, with synchronous replication. */
export interface Pair {
  /** The first one starts as the primary. */
  servers: readonly [Server, Server];
  primary(): Server;
  standby(): Server;
  /** The URL of the database `picks` of the first server, under its owner. */
  ownerUrl: string;
  /** Promotes the standby. The killed primary leaves the pair until {@link repair}. */
  promote(): Promise<void>;
  /** Makes the former primary a standby again, from a copy of the current one. */
  repair(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a pair. The standby is a backup of the running primary in the manner of pg_basebackup, which the embedded PostgreSQL lacks.
 * @param folder the pair's own folder
 */
export async function startPair(options: { folder: string; say: Say; aborted: AbortSignal }): Promise<Pair> {
  const { folder: parent, say, aborted } = options;
  const folders = ['one', 'two'].map((name) => join(parent, name)) as [string, string];
  for (const folder of folders) mkdirSync(folder, { recursive: true, mode: 0o711 });
  const [one, two] = [
    await preparePostgres({ say, aborted, dataDir: folders[0], databases: ['picks'] }),
    await preparePostgres({ say, aborted, dataDir: folders[1] }),
  ];
  const url = one.superuserUrl('postgres');
  // The copy has the passwords of the original.
  const copyUrl = Object.assign(new URL(url), { port: new URL(two.superuserUrl('x')).port }).href;
  const servers = [serverOf(one.program.launch, url), serverOf(two.program.launch, copyUrl)] as const;
  let primary = 0;

  await servers[0].start();
  await one.answers();
  await replicate();

  /** Makes the other server the standby of the primary. */
  async function replicate(): Promise<void> {
    const [from, to] = [servers[primary]!, servers[1 - primary]!];
    const [original, copy] = [clusterIn(folders[primary]!), clusterIn(folders[1 - primary]!)];
    await ask(
      from.url,
      `select pg_create_physical_replication_slot('standby', true)
       where not exists (select from pg_replication_slots where slot_name = 'standby')`,
    );
    await withClient(from.url, async (client) => {
      await client.query(`select pg_backup_start('standby', true)`);
      rmSync(copy, { recursive: true });
      await runCommand('cp', ['-a', original, copy]);
      const { rows } = await client.query('select labelfile from pg_backup_stop()');
      writeFileSync(join(copy, 'backup_label'), rows[0].labelfile);
    });
    rmSync(join(copy, 'postmaster.pid'), { force: true });
    rmSync(join(copy, 'pg_replslot', 'standby'), { recursive: true, force: true });
    writeFileSync(join(copy, 'standby.signal'), '');
    const { username, password, port } = new URL(from.url);
    writeFileSync(
      join(copy, 'postgresql.auto.conf'),
      `primary_conninfo = 'host=127.0.0.1 port=${port} user=${username} password=${password} application_name=standby'\n` +
        `primary_slot_name = 'standby'\n`,
    );
    await runCommand('chown', ['-R', `--reference=${original}`, copy]);
    await to.start();
    await ask(from.url, `alter system set synchronous_standby_names = 'standby'`);
    await ask(from.url, 'select pg_reload_conf()');
    await until(
      async () =>
        (await ask(from.url, `select from pg_stat_replication where sync_state = 'sync'`)).length === 1,
    );
  }

  return {
    servers,
    primary: () => servers[primary]!,
    standby: () => servers[1 - primary]!,
    ownerUrl: one.ownerUrl('picks'),
    async promote() {
      await ask(servers[1 - primary]!.url, 'select pg_promote()');
      primary = 1 - primary;
    },
    repair: replicate,
    stop: async () => void (await Promise.all(servers.map((server) => server.end()))),
  };
}

function serverOf(launch: () => ChildProcess, url: string): Server {
  let child: ChildProcess | undefined;
  const runs = () => child !== undefined && child.exitCode === null && child.signalCode === null;
  return {
    url,
    pids: () => (runs() ? [child!.pid!, ...childrenOf(child!.pid!)] : []),
    async start() {
      const answers = () => ask(url, 'select 1').then(Boolean, () => false);
      await until(async () => {
        // After a crash for lack of space it exits, and may do so again.
        if (!runs()) {
          child = launch();
          tether(child);
        }
        return answers();
      });
    },
    async end(signal = 'SIGKILL') {
      if (!runs()) return;
      const gone = once(child!, 'exit');
      // Its child processes notice, each in its own group.
      process.kill(child!.pid!, signal);
      await gone;
    },
  };
}

/** Returns the cluster's folder within a data folder. */
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
