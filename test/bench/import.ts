import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { runIngest } from '../../src/cli/ingest.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { createDatabase, dropDatabase } from '../support/database.ts';
import { season } from '../support/season.ts';
import { workerProcesses } from '../support/worker-processes.ts';
import type { Note } from './figures.ts';

/** The tables that an import fills, in an order that foreign keys allow. */
const tables = [
  'cappers',
  'games',
  'lines',
  'results',
  'picks',
  'closings',
  'settlements',
  'price_batches',
  'ledger_entries',
  'board_picks',
  'daily_rollups',
  'capper_totals',
  'pick_blocks',
];

/**
 * An import by the verb, with worker processes, until everything is closed, graded, sealed, and counted, against COPY of the resulting
 * rows into the same tables. Alternates both, and reports the best of three rounds each, and the highest resident memory.
 */
export async function bench(
  say: (line: string) => void,
  note: Note,
  { rounds = Number(process.env.BENCH_ROUNDS ?? 3), games = 4000 } = {},
): Promise<void> {
  const { folder, remove } = seasonFiles(games);
  const ours: number[] = [];
  const copies: number[] = [];
  let rows = 0;
  const peaks = new Map<string, number>();
  try {
    for (let round = 0; round < rounds; round += 1) {
      const database = await createDatabase();
      const baseline = await createDatabase();
      const redisUrl = process.env.REDIS_URL ?? '';
      const workers = workerProcesses({ databaseUrl: database.url, redisUrl });
      try {
        for (const name of ['sealing', 'grading', 'boards'] as const) workers.start(name);
        // Otherwise the first round would measure the start of the workers.
        if (rounds > 1) await sleep(1500);
        const config = readConfig({
          DATABASE_URL: database.url,
          REDIS_URL: redisUrl,
          OPERATOR_TOKEN: 'a-token-for-tests',
          SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
          LEDGER_KEY: Buffer.alloc(32, 2).toString('base64'),
        });
        const start = performance.now();
        const status = await runIngest(config, [folder], { wait: true }, { say() {}, warn() {} });
        if (status !== 0) throw new Error(`the import ended with status ${status}`);
        ours.push(performance.now() - start);
        for (const [name, bytes] of peakMemory()) peaks.set(name, Math.max(bytes, peaks.get(name) ?? 0));
        await workers.stop();
        const copied = await copyAll(database.ownerUrl, baseline.ownerUrl);
        copies.push(copied.ms);
        rows = copied.rows;
      } finally {
        await workers.stop();
        await dropDatabase(database);
        await dropDatabase(baseline);
      }
    }
  } finally {
    remove();
  }
  const [mine, theirs] = [Math.min(...ours), Math.min(...copies)];
  say(`${rows} resulting rows`);
  note({
    name: 'import, closed, graded, sealed, counted',
    ours: mine,
    baseline: theirs,
    unit: 'ms',
    aim: { atMost: 2.5 },
  });
  for (const [name, bytes] of peaks)
    note({ name: `peak memory, ${name}`, ours: bytes / 2 ** 20, unit: 'MB', aim: { atMost: 200 } });
}

/** Returns the peak resident memory of each worker process so far, by name. Linux only. */
function peakMemory(): Map<string, number> {
  const peaks = new Map<string, number>();
  for (const pid of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      const number = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      const name = /workers\/(\w+)\.ts/.exec(command)?.[1];
      if (name !== undefined && number('PPid') === process.pid) peaks.set(name, number('VmHWM') * 1024);
    } catch {
      // The process has ended.
    }
  }
  return peaks;
}

/** Files of a season of 48,000 picks by 36 cappers on 4,000 games. */
export function seasonFiles(games = 4000): { folder: string; cappers: number; remove: () => void } {
  const cappers = 36;
  const folder = mkdtempSync(join(tmpdir(), 'public-picks-bench-'));
  for (const [kind, list] of Object.entries(season(games, cappers)))
    writeFileSync(
      join(folder, `${kind}.ndjson`),
      list.map((row: object) => `${JSON.stringify(row)}\n`).join(''),
    );
  return { folder, cappers, remove: () => rmSync(folder, { recursive: true }) };
}

async function copyAll(fromUrl: string, toUrl: string): Promise<{ ms: number; rows: number }> {
  const source = new pg.Client({ connectionString: fromUrl });
  const target = new pg.Client({ connectionString: toUrl });
  await source.connect();
  await target.connect();
  try {
    // Entries and nodes refer to each other, so only the log's own statements store them in order.
    for (const table of ['price_batches', 'ledger_entries'])
      await target.query(`alter table ${table} disable trigger user`);
    let ms = 0;
    let rows = 0;
    for (const table of tables) {
      const chunks: Buffer[] = [];
      const sink = new Writable({
        write(chunk: Buffer, _, done) {
          chunks.push(chunk);
          done();
        },
      });
      await pipeline(source.query(copyTo(`copy ${table} to stdout`)), sink);
      const start = performance.now();
      const into = target.query(copyFrom(`copy ${table} from stdin`));
      await pipeline(Readable.from(chunks), into);
      ms += performance.now() - start;
      rows += into.rowCount;
    }
    return { ms, rows };
  } finally {
    await source.end();
    await target.end();
  }
}
