// `npm run dump` writes `dump-<version>.sql.gz`: what pg_dump says of a small ledger with everything in it, made by this version. Later versions must be
// able to upgrade it (upgrade.test.ts). Needs pg_dump, and a PostgreSQL that is not newer:
//
//   TEST_DATABASE_URL=postgres://postgres@localhost/postgres npm run dump

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { startBroker } from '../support/broker.ts';
import { createDatabase, dropDatabase } from '../support/database.ts';
import { followedPicks } from '../support/followed-picks.ts';
import { richLog } from '../support/rich-log.ts';
import { createTestServices } from '../support/services.ts';

const root = resolve(import.meta.dirname, '..', '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'public-picks-dump-'));
const services = await createTestServices({
  root,
  environment: process.env,
  say: (line) => process.stdout.write(`${line}\n`),
  aborted: new AbortController().signal,
});
const broker = await startBroker(services);
try {
  process.env.TEST_SERVICES = broker.url;
  const database = await createDatabase();
  const write = (name: string, rows: readonly object[]) => {
    const file = join(folder, name);
    writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    return file;
  };
  const { publisher } = await richLog(database.database, { path: () => folder, write }, 8);
  await followedPicks(database.database, Infinity, { key: publisher.key });
  const options = ['--inserts', '--rows-per-insert=500', '--no-owner', '--no-privileges'];
  const dump = execFileSync('pg_dump', [...options, database.ownerUrl], {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  await dropDatabase(database);
  // Commands of psql, which are not SQL.
  const sql = dump.replace(/^\\.*\n/gm, '');
  writeFileSync(join(import.meta.dirname, `dump-${version}.sql.gz`), gzipSync(sql, { level: 9 }));
} finally {
  rmSync(folder, { recursive: true });
  broker.close();
  await services.stop();
}
process.exit();
