import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { migrate } from '../../migrations/migrate.ts';
import { logins } from '../../migrations/rights.ts';
import { audit } from '../../src/ledger/audit/audit.ts';
import { fileStore } from '../../src/ledger/publishing/checkpoint-store/open.ts';
import { publishCheckpoint } from '../../src/ledger/publishing/publish.ts';
import { latestCheckpoint, type StoredCheckpoint } from '../../src/ledger/publishing/published.ts';
import { PublisherRefusal } from '../../src/ledger/publishing/refusals.ts';
import { bringUp } from '../../src/local/bring-up.ts';
import { type Postgres, preparePostgres } from '../../src/local/postgres.ts';
import { runCommand } from '../../src/local/processes.ts';
import { createSupervisor } from '../../src/local/supervisor.ts';
import { type Database, openDatabase } from '../../src/platform/database.ts';
import { auditProjections } from '../../src/projections/rebuild.ts';
import { textOf } from '../docs/documents.ts';
import { season } from '../support/season.ts';
import { ingest, runPipeline } from '../support/whole-way.ts';
import type { StackContext } from './stack.ts';

const now = Date.parse('2026-03-01T00:00:00Z');
const games = 1200;
const key = Buffer.alloc(32, 2).toString('base64');

/**
 * Recovery as described in docs/operations.md, with its settings. A ledger is backed up while WAL is archived, and its cluster is
 * destroyed. Two restores follow, to an instant and to the end, each audited and compared with what was published.
 */
export async function stack(context: StackContext): Promise<string> {
  const { folder, say } = context;
  const place = join(folder, 'drill');
  mkdirSync(place);
  const outside = join(folder, 'checkpoint');
  const first = await startServer(context, place, ['picks']);
  const files = await first.query('show data_directory');
  const cluster = String(files[0]?.data_directory);
  const base = join(dirname(cluster), 'base');
  const published: { note: StoredCheckpoint; at: string }[] = [];
  try {
    const passwords = Object.fromEntries(logins.map((login) => [login, `a-password-of-${login}`]));
    await migrate(first.postgres.ownerUrl('picks'), 'replay', { passwords });
    const rows = season(games, 30);
    await withPicks(first.postgres, async (database) => {
      const before = await written(first);
      const all = { ...rows, picks: rows.picks.slice(0, -300) };
      await take(database, folder, all);
      published.push(await publish(first, database, outside));
      const perPick = ((await written(first)) - before) / all.picks.length;
      await backUp(first, cluster, base);
      for (const from of [300, 200, 100]) {
        await take(database, folder, {
          picks: rows.picks.slice(-from, from === 100 ? undefined : 100 - from),
        });
        published.push(await publish(first, database, outside));
      }
      for (const line of await growth(database)) say(line);
      say(`Bytes of WAL per imported pick: ${Math.round(perPick)}`);
      await first.query('select pg_switch_wal()');
      await archived(first);
    });
  } finally {
    await first.kill();
  }
  const [, moment, , last] = published as [unknown, Published, unknown, Published];

  say('The cluster is destroyed. Restoring to an instant ...');
  const began = performance.now();
  const early = await restore(context, { place, cluster, base, until: moment.at });
  let restoredMs: number;
  try {
    await withPicks(early.postgres, async (database) => {
      await isSound(database, moment.note);
      restoredMs = performance.now() - began;
      const refusal = await publishCheckpoint(database, publisher(outside), now).then(
        () => 'it signed',
        (error: Error) => (error instanceof PublisherRefusal ? undefined : error.message),
      );
      if (refusal !== undefined) throw new Error(`the publisher did not refuse: ${refusal}`);
    });
  } finally {
    await early.kill();
  }

  say('Restoring to the end ...');
  const late = await restore(context, { place, cluster, base });
  try {
    await withPicks(late.postgres, async (database) => {
      await isSound(database, last.note);
      if ((await publishCheckpoint(database, publisher(outside), now)) !== null)
        throw new Error('there was something left to publish');
    });
  } finally {
    await late.kill();
  }
  return (
    `drill: restored to an instant with ${moment.note.size} entries in ${(restoredMs! / 1000).toFixed(1)} s, audited, and its checkpoint is the ` +
    `one published at that instant, and nothing contradicts the later one; restored to the end: all ${last.note.size} entries, audited`
  );
}

interface Published {
  note: StoredCheckpoint;
  /** The server's clock after the publication. */
  at: string;
}

interface Server {
  postgres: Postgres;
  query(sql: string): Promise<Record<string, unknown>[]>;
  /** Kills it. */
  kill(): Promise<void>;
}

const document = textOf('docs/operations.md');

/** The archive is next to the data folder, where the server's own user may write. */
const here = (command: string) => command.replaceAll('/backup/wal', '../wal');

/** Returns the settings in the document. @throws Error if it has none */
function archivingOf(): Record<string, string> {
  const [, block] = /^```\n(archive_mode = .*?)^```/ms.exec(document) ?? [];
  if (block === undefined) throw new Error('docs/operations.md has no settings for archiving');
  const settings = [...block.matchAll(/^(\w+) = '?(.*?)'?$/gm)].map(([, name, value]) => [name, value!]);
  const { archive_command, ...others } = Object.fromEntries(settings);
  return { ...others, archive_command: `mkdir -p ../wal && ${here(archive_command)}` };
}

/** Returns the setting in the document. @throws Error if it has none */
function restoreCommand(): string {
  const [setting] = /restore_command = '[^']+'/.exec(document) ?? [];
  if (setting === undefined) throw new Error('docs/operations.md has no restore_command');
  return here(setting);
}

async function startServer(
  { say, aborted }: StackContext,
  dataDir: string,
  databases: readonly string[] = [],
): Promise<Server> {
  const postgres = await preparePostgres({
    dataDir,
    say: () => {},
    aborted,
    databases,
    settings: archivingOf(),
  });
  const supervisor = createSupervisor({ say });
  await bringUp(postgres, supervisor, aborted);
  return {
    postgres,
    async query(sql) {
      const client = new pg.Client({ connectionString: postgres.superuserUrl('postgres') });
      await client.connect();
      try {
        return (await client.query(sql)).rows;
      } finally {
        await client.end();
      }
    },
    async kill() {
      await supervisor.stop(0);
    },
  };
}

async function withPicks(postgres: Postgres, work: (database: Database) => Promise<void>): Promise<void> {
  const database = openDatabase(postgres.ownerUrl('picks'));
  try {
    await work(database);
  } finally {
    await database.destroy();
  }
}

/** Imports rows and runs all workers once. */
async function take(database: Database, folder: string, rows: object): Promise<void> {
  const paths = Object.entries(rows).map(([kind, list]) => {
    const path = join(folder, `${kind}.ndjson`);
    writeFileSync(path, (list as object[]).map((row) => `${JSON.stringify(row)}\n`).join(''));
    return path;
  });
  const { refusals } = await ingest(database, paths, now);
  if (refusals.length > 0) throw new Error(JSON.stringify(refusals[0]));
  await runPipeline(database, now);
}

const publisher = (outside: string) => ({
  baseUrl: 'https://picks.example',
  demo: false,
  key,
  store: fileStore(outside),
});

async function publish(server: Server, database: Database, outside: string): Promise<Published> {
  await publishCheckpoint(database, publisher(outside), now);
  const note = (await latestCheckpoint(database)) as StoredCheckpoint;
  const [row] = await server.query('select clock_timestamp()::text as at');
  return { note, at: String(row?.at) };
}

/** Takes a base backup through the low-level interface, which pg_basebackup uses too. */
async function backUp({ postgres }: Server, cluster: string, base: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.superuserUrl('postgres') });
  await client.connect();
  try {
    await client.query("select pg_backup_start('drill', true)");
    await runCommand('cp', ['-a', cluster, base]);
    const { rows } = await client.query('select labelfile from pg_backup_stop()');
    writeFileSync(join(base, 'backup_label'), rows[0].labelfile);
  } finally {
    await client.end();
  }
  for (const file of ['postmaster.pid', 'postmaster.opts', 'pg_wal'])
    rmSync(join(base, file), { recursive: true });
  mkdirSync(join(base, 'pg_wal'), { mode: 0o700 });
  await runCommand('chown', ['-R', `--reference=${cluster}`, base]);
}

/** Returns the bytes of WAL written so far. */
async function written(server: Server): Promise<number> {
  const [row] = await server.query("select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as bytes");
  return Number(row?.bytes);
}

/** Resolves once all WAL written so far is in the archive. */
async function archived(server: Server): Promise<void> {
  const [current] = await server.query('select pg_walfile_name(pg_current_wal_lsn() - 1) as name');
  const deadline = Date.now() + 60_000;
  for (;;) {
    const [row] = await server.query('select last_archived_wal as name from pg_stat_archiver');
    if (String(row?.name) >= String(current?.name)) return;
    if (Date.now() > deadline) throw new Error('WAL was not archived within a minute');
    await pause(50);
  }
}

/** Replaces the cluster with the base backup and recovers, to an instant or to the end. */
async function restore(
  context: StackContext,
  { place, cluster, base, until }: { place: string; cluster: string; base: string; until?: string },
): Promise<Server> {
  rmSync(cluster, { recursive: true });
  cpSync(base, cluster, { recursive: true });
  const target =
    until === undefined ? [] : [`recovery_target_time = '${until}'`, `recovery_target_action = 'promote'`];
  const settings = [
    restoreCommand(),
    // The backup's timeline: else the second restore would follow what the first one wrote after its promotion.
    `recovery_target_timeline = 'current'`,
    ...target,
  ];
  writeFileSync(join(cluster, 'postgresql.auto.conf'), settings.map((line) => `${line}\n`).join(''));
  writeFileSync(join(cluster, 'recovery.signal'), '');
  await runCommand('chmod', ['700', cluster]);
  await runCommand('chown', ['-R', `--reference=${base}`, cluster]);
  const server = await startServer(context, place);
  const deadline = Date.now() + 120_000;
  while ((await server.query('select pg_is_in_recovery() as recovering'))[0]?.recovering === true) {
    if (Date.now() > deadline) throw new Error('the server did not end its recovery within two minutes');
    await pause(50);
  }
  return server;
}

/** @throws Error unless the log passes the audit and its newest checkpoint is this one */
async function isSound(database: Database, expected: StoredCheckpoint): Promise<void> {
  const newest = await latestCheckpoint(database);
  if (newest?.note !== expected.note)
    throw new Error(`the newest checkpoint has ${newest?.size} entries, the one before ${expected.size}`);
  const findings: string[] = [];
  const found = await audit(database, async () => expected.note, {
    signing: { key },
    further: [auditProjections],
    onFinding: ({ message }) => findings.push(message),
  });
  if (found.difference !== null) findings.push(found.difference.message);
  if (findings.length > 0) throw new Error(`the restored log fails the audit: ${findings.join('; ')}`);
}

/** Returns bytes on disk per pick, by table, the largest first. */
async function growth(database: Database): Promise<string[]> {
  const { rows }: { rows: { name: string; bytes: number }[] } = await database.raw(
    `select relname as name, pg_total_relation_size(oid) / (select count(*) from picks)::numeric as bytes
     from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 2 desc`,
  );
  const large = rows.filter(({ bytes }) => Number(bytes) >= 20);
  const all = rows.reduce((sum, { bytes }) => sum + Number(bytes), 0);
  return [
    `Bytes per pick, indexes included: ${Math.round(all)}`,
    ...large.map(({ name, bytes }) => `  ${name} ${Math.round(Number(bytes))}`),
  ];
}
