import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  anchoredClock,
  databaseLogins,
  demoOf,
  processEnvironment,
  serviceEnvironment,
} from '../../src/local/environment.ts';
import { readConfig } from '../../src/platform/config/config.ts';

const own = 'postgres://me@db.example/picks';
const addresses = { DATABASE_URL: own, REDIS_URL: 'redis://localhost' };

describe('the demo ledger', () => {
  it('runs with the embedded database unless DEMO=0', () => {
    expect(demoOf({})).to.equal(true);
    expect(demoOf({ DEMO: '' })).to.equal(true);
    expect(demoOf({ DEMO: '1' })).to.equal(true);
    expect(demoOf({ DEMO: '0' })).to.equal(false);
  });

  it("never runs in the user's own database", () => {
    expect(demoOf({ DATABASE_URL: own })).to.equal(false);
  });
});

describe('an anchored clock', () => {
  it('names the real instant that it counts from, once', () => {
    const now = new Date('2026-03-01T10:00:00.000Z');
    const anchored = '2024-01-10T17:00:00Z@2026-03-01T10:00:00.000Z';
    expect(anchoredClock('2024-01-10T17:00:00Z', now)).to.equal(anchored);
    expect(anchoredClock(anchored, new Date())).to.equal(anchored);
  });
});

describe("the environment of the service's processes", () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'environment-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  function made(environment: NodeJS.ProcessEnv, demo = false) {
    return serviceEnvironment({
      environment,
      demo,
      dataDir,
      ports: { PORT: '3005', OPERATOR_PORT: '3006' },
      now: new Date('2026-03-01T10:00:00.000Z'),
    });
  }

  it("is valid by the settings' own checks", () => {
    const config = readConfig({ ...addresses, ...made({ SERVICE_CLOCK: '2024-01-10T17:00:00Z' }, true) });
    expect([config.http.port, config.operator.port]).to.deep.equal([3005, 3006]);
    expect(config.site).to.include({ demo: true, baseUrl: 'http://localhost:3005' });
    expect(config.process.clock).to.deep.equal({
      shown: Date.parse('2024-01-10T17:00:00Z'),
      anchor: Date.parse('2026-03-01T10:00:00Z'),
    });
  });

  it('contains secrets that are generated once and hidden from other users', () => {
    const { SECRET_KEY, OPERATOR_TOKEN, LEDGER_KEY } = made({});
    expect(made({})).to.include({ SECRET_KEY, OPERATOR_TOKEN, LEDGER_KEY });
    expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).to.equal(0o600);
  });

  it('gives the demo ledger a signing key of its own', () => {
    const real = made({});
    const demo = made({}, true);
    expect(demo.LEDGER_KEY).to.not.equal(real.LEDGER_KEY);
    expect(demo.OPERATOR_TOKEN).to.equal(real.OPERATOR_TOKEN);
  });

  it('keeps the last checkpoint beside the embedded database, one per ledger', () => {
    const embedded = (demo: boolean) => made({}, demo).CHECKPOINT_STORE;
    expect([embedded(false), embedded(true)]).to.deep.equal([
      join(dataDir, 'checkpoint'),
      join(dataDir, 'demo-checkpoint'),
    ]);
    expect(made({ DATABASE_URL: own }).CHECKPOINT_STORE).to.equal(undefined);
  });

  it("is overridden by the user's settings", () => {
    const set = { BASE_URL: 'https://picks.example', OPERATOR_TOKEN: 'a token of my own' };
    expect(made(set)).to.include(set);
  });

  it("contains no generated secret for the user's own database", () => {
    const environment = made({ DATABASE_URL: own });
    expect(environment).to.not.have.any.keys('OPERATOR_TOKEN', 'SECRET_KEY', 'LEDGER_KEY');
    expect(() => readConfig({ ...addresses, ...environment })).to.throw('OPERATOR_TOKEN is missing');
  });
});

describe('the environment of one process', () => {
  const { urls } = databaseLogins({ ownerUrl: 'postgres://owner:secret@localhost/picks' });
  const environment = {
    PATH: '/bin',
    DATABASE_URL: own,
    DATABASE_OWNER_URL: own,
    DATABSE_URL: own,
    SECRET_KEY: 'for webhooks',
    OPERATOR_TOKEN: 'for the operator',
  };

  it('has only the settings that the process uses, and the database under its own login', () => {
    expect(processEnvironment(['sealing'], environment, urls)).to.deep.equal({
      PATH: '/bin',
      DATABASE_URL: urls.sealing,
    });
  });

  it('has the settings and an address for each role of a process with several', () => {
    expect(processEnvironment(['sealing', 'webhooks'], environment, urls)).to.deep.equal({
      PATH: '/bin',
      SECRET_KEY: 'for webhooks',
      DATABASE_URL_SEALING: urls.sealing,
      DATABASE_URL_WEBHOOKS: urls.webhooks,
    });
  });
});
