import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { publishCheckpoint } from '../../src/ledger/publishing/publish.ts';
import { anyFreePort } from '../../src/local/ports.ts';
import type { Database } from '../../src/platform/database.ts';
import { baseEnvironment } from '../support/base-environment.ts';
import { createDatabase, dropDatabase, type TestDatabase } from '../support/database.ts';
import { realData } from '../support/folders.ts';
import { season } from '../support/season.ts';
import { tether } from '../support/tether.ts';
import { until } from '../support/until.ts';
import { ingest, runPipeline } from '../support/whole-way.ts';

/** The end of the ledger of {@link fill}. */
export const filledAt = '2026-03-01T00:00:00Z';

const ledgerKey = Buffer.alloc(32, 2).toString('base64');

/** Fills a database with the real data if available, else with a season, including boards and a checkpoint. */
export async function fill({ database }: TestDatabase, games?: number): Promise<void> {
  const real = games === undefined ? realData() : undefined;
  const folder = real ?? mkdtempSync(join(tmpdir(), 'public-picks-bench-'));
  try {
    if (real === undefined)
      for (const [kind, list] of Object.entries(season(games ?? 2000, 10)))
        writeFileSync(
          join(folder, `${kind}.ndjson`),
          list.map((row: object) => `${JSON.stringify(row)}\n`).join(''),
        );
    await ingest(database, folder, Date.parse(filledAt));
    await runPipeline(database, Date.parse(filledAt));
    const publisher = { baseUrl: 'http://localhost:3000', demo: false, key: ledgerKey };
    await publishCheckpoint(database, publisher, Date.parse(filledAt));
  } finally {
    if (real === undefined) rmSync(folder, { recursive: true });
  }
}

/** A web process as the Procfile runs it. */
export interface Site {
  address: string;
  port: number;
  database: Database;
  /** Returns its current resident bytes. */
  resident(): number;
}

/** Runs work against a web process. */
export type OnSite = (work: (site: Site) => Promise<void>) => Promise<void>;

/** Runs work against a separate web process over a filled database. */
export const onSite: OnSite = async (work) => {
  const { site, close } = await openSite();
  try {
    await work(site);
  } finally {
    await close();
  }
};

/** Starts a separate web process over a database that {@link fill} fills. */
export async function openSite(games?: number): Promise<{ site: Site; close(): Promise<void> }> {
  const port = await anyFreePort();
  const database = await createDatabase();
  let web: ChildProcess | undefined;
  const close = async () => {
    if (web !== undefined && web.exitCode === null) {
      const ended = once(web, 'exit');
      web.kill();
      await ended;
    }
    await dropDatabase(database);
  };
  try {
    await fill(database, games);
    web = await startWeb(database.url, port, { SERVICE_CLOCK: filledAt });
  } catch (error) {
    await close();
    throw error;
  }
  const { pid } = web;
  const site = {
    address: `http://127.0.0.1:${port}`,
    port,
    database: database.database,
    resident() {
      const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
      return Number(kilobytes) * 1024;
    },
  };
  return { site, close };
}

/** Starts a web process behind a proxy and waits until it is ready. */
export async function startWeb(
  databaseUrl: string,
  port: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<ChildProcess> {
  const web = spawn(resolve(import.meta.dirname, '..', '..', 'bin', 'run'), ['web'], {
    env: {
      ...baseEnvironment,
      DATABASE_URL: databaseUrl,
      REDIS_URL: process.env.REDIS_URL ?? '',
      OPERATOR_TOKEN: 'a-token-for-benches',
      SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
      LEDGER_KEY: ledgerKey,
      FAST_PATH: process.env.FAST_PATH ?? '',
      HOST: '127.0.0.1',
      PORT: String(port),
      TRUST_PROXY: '1',
      ...settings,
    },
    // Its log is read and dropped, as by a supervisor.
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  tether(web);
  web.stdout?.resume();
  try {
    await until(async () => {
      const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
      await response?.arrayBuffer();
      return response?.status === 200;
    });
    return web;
  } catch (error) {
    web.kill();
    throw error;
  }
}
