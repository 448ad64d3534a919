import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { gradeDue } from '../../src/ledger/grading/grade.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import { createDatabase, dropDatabase, type TestDatabase } from '../support/database.ts';
import { season } from '../support/season.ts';
import { ingest } from '../support/whole-way.ts';
import type { Note } from './figures.ts';

const now = Date.parse('2026-06-01T00:00:00Z');

/** The tables that sealing writes, without what their rows refer to. */
const written = ['price_batches', 'ledger_entries', 'ledger_nodes'];
const referred = ['cappers', 'games', 'lines', 'results', 'picks', 'closings', 'settlements'];

/**
 * Sealing of stored picks, closings, and settlements, including hashing and the tree, against COPY of the resulting rows into the same
 * tables. Alternates both, and reports the best of three rounds each.
 */
export async function bench(
  _say: (line: string) => void,
  note: Note,
  { rounds = 3, games = 2500 } = {},
): Promise<void> {
  const folder = rowsInFiles(games);
  const ours: number[] = [];
  const copies: number[] = [];
  let entries = 0;
  for (let round = 0; round < rounds; round += 1) {
    const database = await createDatabase();
    const baseline = await createDatabase();
    try {
      await ingest(database.database, folder, now);
      await gradeDue(database.database, now);
      const start = performance.now();
      entries = await sealAll(database.database);
      ours.push(performance.now() - start);
      copies.push(await copyAll(database, baseline));
    } finally {
      await dropDatabase(database);
      await dropDatabase(baseline);
    }
  }
  rmSync(folder, { recursive: true });
  const [mine, theirs] = [Math.min(...ours), Math.min(...copies)];
  const rate = (ms: number) => (entries / ms) * 1000;
  note({ name: 'sealing', ours: rate(mine), unit: 'entries/s', aim: { atLeast: 15_000 } });
  note({ name: `sealing ${entries} entries, against COPY`, ours: mine, baseline: theirs, unit: 'ms' });
}

async function copyAll(from: TestDatabase, to: TestDatabase): Promise<number> {
  const source = new pg.Client({ connectionString: from.ownerUrl });
  const target = new pg.Client({ connectionString: to.ownerUrl });
  await source.connect();
  await target.connect();
  try {
    // Entries and nodes refer to each other, so only the log's own statements store them in order.
    for (const table of ['price_batches', 'ledger_entries'])
      await target.query(`alter table ${table} disable trigger user`);
    let ms = 0;
    for (const table of [...referred, ...written]) {
      const chunks: Buffer[] = [];
      for await (const chunk of source.query(copyTo(`copy ${table} to stdout`))) chunks.push(chunk);
      const start = performance.now();
      await pipeline(Readable.from(chunks), target.query(copyFrom(`copy ${table} from stdin`)));
      if (written.includes(table)) ms += performance.now() - start;
    }
    return ms;
  } finally {
    await source.end();
    await target.end();
  }
}

function rowsInFiles(games: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'public-picks-bench-'));
  for (const [kind, list] of Object.entries(season(games, 12)))
    writeFileSync(
      join(folder, `${kind}.ndjson`),
      list.map((row: object) => `${JSON.stringify(row)}\n`).join(''),
    );
  return folder;
}
