import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { readyToServe } from '../../src/local/bring-up.ts';
import { type Launched, launch } from '../../src/local/launch.ts';
import { markOf } from '../../src/local/processes.ts';
import { runningEnvironment } from '../../src/local/running.ts';
import { createSupervisor } from '../../src/local/supervisor.ts';
import { Refusal } from '../../src/local/terminal.ts';
import { SettingsError } from '../../src/platform/config/config.ts';
import { discardPostgres } from '../support/discard-postgres.ts';

/** Answers with its environment, and is not ready at first. */
const site = `
  import { createServer } from 'node:http';
  let asked = 0;
  createServer((request, response) => {
    asked += 1;
    response.statusCode = asked > 2 ? 200 : 503;
    response.end(JSON.stringify({ demo: process.env.DEMO, database: process.env.DATABASE_URL, owner: process.env.DATABASE_OWNER_URL, pid: process.pid }));
  }).listen(Number(process.env.PORT));
  process.on('SIGTERM', () => process.exit(0));`;

describe('launch', () => {
  let root: string;
  let printed: string[];
  let launched: Launched | undefined;
  const dataDir = () => join(root, '.data');

  before(() => {
    root = mkdtempSync(join(tmpdir(), 'launch-'));
    // If run by root, PostgreSQL's own user needs access.
    chmodSync(root, 0o711);
    mkdirSync(join(root, 'bin'));
    writeFileSync(join(root, 'bin', 'run'), '#!/bin/sh\nexec node "$1.mjs"\n', { mode: 0o755 });
    writeFileSync(join(root, 'web.mjs'), site);
  });

  beforeEach(() => {
    printed = [];
  });

  afterEach(async () => {
    await launched?.stop();
    launched = undefined;
  });

  after(() => {
    discardPostgres(dataDir());
    rmSync(root, { recursive: true });
  });

  async function start(environment: NodeJS.ProcessEnv = {}): Promise<Record<string, string>> {
    launched = await launch({
      root,
      environment: {
        PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
        // The processes of this test use no Redis.
        REDIS_URL: 'redis://127.0.0.1:1',
        // As an env file or compose.yaml may leave it: equivalent to unset.
        DATABASE_URL: '',
        ...environment,
      },
      processes: [{ name: 'web', roles: ['web'] }],
      say: (line) => printed.push(line),
      aborted: new AbortController().signal,
      async migrate(url) {
        await query(url, 'create table if not exists visits (at timestamptz default now())');
      },
    });
    return { ...launched.environment, OWNER: launched.databaseUrls.owner, WEB: launched.databaseUrls.web };
  }

  async function query(url: string, sql: string): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }

  it('starts PostgreSQL, the schema, and the processes on demo data, and publishes their addresses', async () => {
    const environment = await start();
    const answer = await (await fetch(`http://127.0.0.1:${environment.PORT}/`)).json();
    expect(answer).to.include({ demo: '1', database: environment.WEB });
    expect(answer).to.not.have.property('owner');
    expect(environment.OWNER).to.match(/@127\.0\.0\.1:\d+\/picks_demo$/);
    expect(runningEnvironment(dataDir(), 'web')).to.deep.equal({
      ...launched?.environment,
      DATABASE_URL: environment.WEB,
    });
    const rows = await query(
      environment.OWNER ?? '',
      'select current_user as role, rolsuper from pg_roles where rolname = current_user',
    );
    expect(rows).to.deep.equal([{ role: 'picks_owner', rolsuper: false }]);
    await query(environment.OWNER ?? '', 'insert into visits default values');
  });

  it('finds the data of the previous run on the same port', async () => {
    const first = await start();
    await launched?.stop();
    const second = await start();
    expect(second).to.include({ WEB: first.WEB, OPERATOR_TOKEN: first.OPERATOR_TOKEN });
    expect(await query(second.OWNER ?? '', 'select count(*)::int from visits')).to.deep.equal([{ count: 1 }]);
    expect(printed).to.not.include('  creating the database cluster ...');
  });

  it('keeps demo data out of the real ledger, which DEMO=0 runs', async () => {
    const environment = await start({ DEMO: '0' });
    expect(environment.OWNER).to.match(/\/picks$/);
    const counted = await query(environment.OWNER ?? '', 'select count(*)::int from visits');
    expect(counted).to.deep.equal([{ count: 0 }]);
  });

  it('leaves no process and no note behind', async () => {
    const environment = await start();
    const answer = await fetch(`http://127.0.0.1:${environment.PORT}/`);
    const { pid } = (await answer.json()) as { pid: number };
    await launched?.stop();
    expect(markOf(pid)).to.equal(undefined);
    expect(await query(environment.OWNER ?? '', 'select 1').catch((error) => error.code)).to.equal(
      'ECONNREFUSED',
    );
    expect(existsSync(join(dataDir(), 'running.json'))).to.equal(false);
  });

  it('starts nothing if a setting is wrong that only the service can check', async () => {
    const wrong = { WITNESSES: 'w.example/a+deadbeef+AAAA https://w.example' };
    const refused = await start(wrong).catch((error) => error);
    expect(refused).to.be.instanceOf(SettingsError);
    expect(refused.message).to.equal(
      'Wrong settings:\n  WITNESSES is "w.example/a+deadbeef+AAAA https://w.example" but the type of the verifier key is unknown',
    );
    expect(printed).to.not.include('Starting PostgreSQL ...');
    expect(existsSync(join(dataDir(), 'running.json'))).to.equal(false);
  });

  it('starts nothing if CHECKPOINT_STORE is a file that cannot be written', async () => {
    const refused = await start({ CHECKPOINT_STORE: join(root, 'web.mjs', 'checkpoint') }).catch(
      (error) => error,
    );
    expect(refused).to.be.instanceOf(Refusal);
    expect(refused.message).to.equal(
      `Cannot use CHECKPOINT_STORE ${join(root, 'web.mjs', 'checkpoint')}: The checkpoint file cannot be written (ENOTDIR).`,
    );
    expect(printed).to.not.include('Starting PostgreSQL ...');
  });

  it('leaves no process behind if the migration fails', async () => {
    const refused = await launch({
      root,
      environment: { PATH: process.env.PATH, REDIS_URL: 'redis://127.0.0.1:1' },
      processes: [],
      say: () => {},
      aborted: new AbortController().signal,
      migrate: async () => {
        throw new Error('relation "picks" is odd');
      },
    }).catch((error) => error);
    expect(refused).to.be.instanceOf(Refusal);
    expect(refused.message).to.include('relation "picks" is odd');
    expect(existsSync(join(dataDir(), 'running.json'))).to.equal(false);
  });
});

describe('waiting for readiness', () => {
  it('stops once a process has ended five times in a row', async () => {
    const supervisor = {
      ...createSupervisor({ say: () => {} }),
      endings: (name: string) => (name === 'web' ? 5 : 0),
    };
    const refused = await readyToServe({
      url: 'http://127.0.0.1:1/readyz',
      names: ['boards', 'web'],
      supervisor,
      say: () => {},
      aborted: new AbortController().signal,
    }).catch((error) => error);
    expect(refused).to.be.instanceOf(Refusal);
    expect(refused.message).to.match(/^web ended 5 times in a row/);
  });

  it('times out with the address that did not answer', async () => {
    const url = 'http://127.0.0.1:9/readyz';
    const refused = await readyToServe({
      url,
      names: [],
      supervisor: createSupervisor({ say: () => {} }),
      say: () => {},
      aborted: new AbortController().signal,
      maxWaitMs: 1,
    }).catch((error) => error);
    expect(refused).to.be.instanceOf(Refusal);
    expect(refused.message).to.equal(`Not ready after 0 seconds: ${url} (no answer).`);
  });
});
