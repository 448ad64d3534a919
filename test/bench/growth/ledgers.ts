import { join } from 'node:path';
import pg from 'pg';
import { roleOf } from '../../../migrations/logins.ts';
import { migrate } from '../../../migrations/migrate.ts';
import { type Login, logins } from '../../../migrations/rights.ts';
import { bringUp } from '../../../src/local/bring-up.ts';
import { preparePostgres } from '../../../src/local/postgres.ts';
import { claim } from '../../../src/local/running.ts';
import { createSupervisor } from '../../../src/local/supervisor.ts';
import { openDatabase } from '../../../src/platform/database.ts';
import { loadWorld } from './load.ts';
import { fillProjections } from './projections.ts';
import { growthWorld, type World } from './world.ts';

/** Names the tables and rows of a ledger. A change reloads all ledgers. */
const worldVersion = 4;
const gamesPerDay = 40;
const picksPerDay = 1000;
const password = 'a-password-of-benches';

/** Ledgers of several sizes, in their own PostgreSQL, which is kept for the next run. */
export interface GrowthLedgers {
  /** Loads a ledger unless it exists. @returns its URL under a superuser */
  open(picks: number): Promise<string>;
  stop(): Promise<void>;
}

/** @param dataDir where the PostgreSQL is kept */
export async function growthLedgers(dataDir: string, say: (line: string) => void): Promise<GrowthLedgers> {
  const folder = join(dataDir, 'growth');
  const claimed = await claim(folder, say);
  const supervisor = createSupervisor({ say, onChange: (started) => claimed.note(started) });
  const postgres = await preparePostgres({
    dataDir: folder,
    say,
    disposable: true,
    aborted: new AbortController().signal,
  });
  await bringUp(postgres, supervisor, new AbortController().signal);

  async function ready(name: string): Promise<boolean> {
    const client = new pg.Client({ connectionString: postgres.superuserUrl('postgres') });
    await client.connect();
    try {
      const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
      return rowCount !== 0;
    } finally {
      await client.end();
    }
  }

  async function onServer(sql: string): Promise<void> {
    const client = new pg.Client({ connectionString: postgres.superuserUrl('postgres') });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  }

  return {
    async open(picks) {
      const name = `growth_${picks}_${worldVersion}`;
      const url = postgres.superuserUrl(name);
      if (!(await ready(name))) {
        // The draft name lasts until the ledger is complete, so that an interrupted run leaves nothing half-made.
        const draft = `${name}_draft`;
        say(`  loading ${picks} picks ...`);
        await onServer(`drop database if exists ${draft} with (force)`);
        await onServer(`create database ${draft}`);
        await update(postgres.superuserUrl(draft));
        await loadLedger(postgres.superuserUrl(draft), growthWorld(picks / picksPerDay, gamesPerDay), say);
        await onServer(`alter database ${draft} rename to ${name}`);
      }
      await update(url);
      return url;
    },
    async stop() {
      await supervisor.stop();
      claimed.release();
    },
  };
}

/** Brings the schema and the logins of a ledger up to date. */
export async function update(url: string): Promise<void> {
  const passwords = Object.fromEntries(logins.map((login) => [login, password]));
  await migrate(url, 'replay', { prefix: 'growth', passwords });
}

/** Stores a world and its projections in a database with the current schema. */
export async function loadLedger(url: string, world: World, say: (line: string) => void): Promise<void> {
  await loadWorld(url, world, say);
  // On a busy machine a server may be slow to answer, or be paused together with this process.
  const owner = openDatabase(url, { name: 'growth', connections: 2, silentMs: 86_400_000 });
  try {
    say('  projections ...');
    await fillProjections(owner, world.now);
  } finally {
    await owner.destroy();
  }
}

/** Returns the URL of a ledger under one login of the service. */
export function asLogin(url: string, login: Login): string {
  return Object.assign(new URL(url), { username: roleOf('growth', login), password }).href;
}
