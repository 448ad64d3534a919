import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
import { realData } from '../support/folders.ts';
import { season } from '../support/season.ts';
import { workerProcesses } from '../support/worker-processes.ts';

/** What an import fills, in an order that foreign keys allow. */
const tables = [
  'cappers',
  'games',
  'lines',
  'results',
  'picks',
  'closings',
  'settlements',
  'ledger_entries',
  'board_picks',
  'daily_rollups',
  'capper_totals',
  'sport_days',
  'capper_streaks',
  'capper_clv_counts',
  'capper_changes',
  'pick_blocks',
];

const rounds = 3;

/**
 * An import by the command, with worker processes, until everything is closed, graded, sealed and counted; against COPY of the rows
 * that it leads to into the same tables. The best of three rounds each, in turns.
 */
export async function bench(say: (line: string) => void): Promise<void> {
  const { folder, remove } = data();
  const ours: number[] = [];
  const copies: number[] = [];
  let rows = 0;
  try {
    for (let round = 0; round < rounds; round += 1) {
      const database = await createDatabase();
      const yardstick = await createDatabase();
      const redisUrl = process.env.REDIS_URL ?? '';
      const workers = workerProcesses({ databaseUrl: database.url, redisUrl });
      try {
        for (const name of ['sealing', 'grading', 'boards'] as const) workers.start(name);
        await sleep(1500);
        const config = readConfig({
          DATABASE_URL: database.url,
          REDIS_URL: redisUrl,
          OPERATOR_TOKEN: 'a-token-for-tests',
          SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
          LEDGER_KEY: Buffer.alloc(32, 2).toString('base64'),
        });
        const start = performance.now();
        await runIngest(config, [folder], true);
        ours.push(performance.now() - start);
        await workers.stop();
        const copied = await copyAll(database.url, yardstick.url);
        copies.push(copied.ms);
        rows = copied.rows;
      } finally {
        await workers.stop();
        await dropDatabase(database);
        await dropDatabase(yardstick);
      }
    }
  } finally {
    remove();
  }
  const [mine, theirs] = [Math.min(...ours), Math.min(...copies)];
  say(`import, closed, graded, sealed, counted   ${mine.toFixed(0)} ms`);
  say(`COPY of the ${rows} rows that come of it   ${theirs.toFixed(0)} ms`);
  say(`ratio   ${(mine / theirs).toFixed(2)}   (aim: at most 10)`);
}

function data(): { folder: string; remove: () => void } {
  const real = realData();
  if (real !== undefined) return { folder: real, remove: () => {} };
  const folder = mkdtempSync(join(tmpdir(), 'public-picks-bench-'));
  for (const [kind, list] of Object.entries(season(2000, 10)))
    writeFileSync(
      join(folder, `${kind}.ndjson`),
      list.map((row: object) => `${JSON.stringify(row)}\n`).join(''),
    );
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}

async function copyAll(fromUrl: string, toUrl: string): Promise<{ ms: number; rows: number }> {
  const source = new pg.Client({ connectionString: fromUrl });
  const target = new pg.Client({ connectionString: toUrl });
  await source.connect();
  await target.connect();
  try {
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
