import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import pg from 'pg';
import { requestService } from './broker.ts';
import { serverUrl } from './database.ts';
import { withFolder } from './folders.ts';

interface Report {
  passes: { fullTitle: string }[];
  failures: { fullTitle: string }[];
}

const root = resolve(import.meta.dirname, '..', '..');
const support = (file: string) => JSON.stringify(join(import.meta.dirname, file));

/** A suite whose hooks fail after it opened everything. It prints what it opened. */
const broken = `
  import { withDatabase } from ${support('database.ts')};
  import { withRedis } from ${support('redis.ts')};
  describe('broken', () => {
    const database = withDatabase();
    const redis = withRedis();
    before(async () => {
      await database.database.raw('select 1');
      redis.openWaiting();
      process.stdout.write('opened ' + JSON.stringify([database.url, redis.url]) + '\\n');
    });
    before(() => { throw new Error('on purpose'); });
    let site;
    before(() => { site = {}; });
    after(() => site.close());
    it('never comes to this', () => {});
  });`;

const sound = `
  import { withDatabase } from ${support('database.ts')};
  import { withRedis } from ${support('redis.ts')};
  describe('sound', () => {
    const database = withDatabase();
    const redis = withRedis();
    it('has its own stores', async () => {
      await database.database.raw('select 1');
      if ((await redis.redis.dbsize()) !== 0) throw new Error('not empty');
    });
  });`;

describe('a suite whose hooks fail', () => {
  const folder = withFolder();

  for (const [mode, options] of Object.entries({
    'in parallel with others': ['--jobs', '2'],
    'before others in one process': ['--no-parallel'],
  })) {
    it(`fails only itself, ${mode}, and leaves nothing open`, async () => {
      const files = [folder.write('1-broken.ts', [broken]), folder.write('2-sound.ts', [sound])];
      const { output, report } = await runMocha([...options, ...files]);
      expect(report.passes.map(({ fullTitle }) => fullTitle)).to.deep.equal(['sound has its own stores']);
      expect(new Set(report.failures.map(({ fullTitle }) => fullTitle.split(' ')[0]))).to.deep.equal(
        new Set(['broken']),
      );
      const [databaseUrl, redisUrl] = JSON.parse(/^opened (.*)$/m.exec(output)?.[1] ?? '[]') as string[];
      expect(await databaseExists(databaseUrl!)).to.equal(false);
      expect(await clientsOf(redisUrl!)).to.deep.equal([]);
    });
  }

  /** Runs mocha as `npm test` does, with the stores of this run. */
  async function runMocha(given: string[]): Promise<{ output: string; report: Report }> {
    const json = join(folder.path(), 'report.json');
    const reporter = ['--reporter', 'json', '--reporter-option', `output=${json}`];
    const mocha = join(root, 'node_modules/mocha/bin/mocha.js');
    const child = spawn(process.execPath, [mocha, ...reporter, ...given], {
      cwd: root,
      // On a permanent server, a suite's databases are dropped at its end.
      env: { ...process.env, TEST_DATABASE_URL: await serverUrl() },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text) => {
        output += text;
      });
    }
    await once(child, 'close');
    return { output, report: JSON.parse(readFileSync(json, 'utf8')) };
  }

  async function databaseExists(url: string): Promise<boolean> {
    const client = new pg.Client({ connectionString: await serverUrl() });
    await client.connect();
    try {
      const name = new URL(url).pathname.slice(1);
      return (await client.query('select from pg_database where datname = $1', [name])).rowCount !== 0;
    } finally {
      await client.end();
    }
  }

  async function clientsOf(url: string): Promise<string[]> {
    const redis = new Redis(await requestService('redis'));
    try {
      const clients = String(await redis.client('LIST')).split('\n');
      return clients.filter((line) => line.includes(` db=${new URL(url).pathname.slice(1)} `));
    } finally {
      redis.disconnect();
    }
  }
});
