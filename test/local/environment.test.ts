import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { anchoredClock, demoOf, serviceEnvironment } from '../../src/local/environment.ts';
import { Refusal } from '../../src/local/refusal.ts';
import { readSettings } from '../../src/platform/settings.ts';

const own = 'postgres://me@db.example/picks';

describe('demo ledger', () => {
  it('runs with the embedded database unless DEMO=0', () => {
    expect(demoOf({})).to.equal(true);
    expect(demoOf({ DEMO: '' })).to.equal(true);
    expect(demoOf({ DEMO: '1' })).to.equal(true);
    expect(demoOf({ DEMO: '0' })).to.equal(false);
  });

  it("never runs in a database of the user's own", () => {
    expect(demoOf({ DATABASE_URL: own })).to.equal(false);
    expect(() => demoOf({ DATABASE_URL: own, DEMO: '1' })).to.throw(Refusal, 'DEMO=1 is refused');
  });

  it('refuses a value that is neither 0 nor 1', () => {
    expect(() => demoOf({ DEMO: 'yes' })).to.throw(Refusal, '"yes"');
  });
});

describe('anchored clock', () => {
  it('says from which real instant it counts, once', () => {
    const now = new Date('2026-03-01T10:00:00.000Z');
    const anchored = '2024-01-10T17:00:00Z@2026-03-01T10:00:00.000Z';
    expect(anchoredClock('2024-01-10T17:00:00Z', now)).to.equal(anchored);
    expect(anchoredClock(anchored, new Date())).to.equal(anchored);
  });
});

describe("environment of the service's processes", () => {
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
      addresses: { DATABASE_URL: own, DATABASE_OWNER_URL: own, REDIS_URL: 'redis://localhost' },
      now: new Date('2026-03-01T10:00:00.000Z'),
    });
  }

  it('is one that the settings accept', () => {
    const settings = readSettings(made({ SERVICE_CLOCK: '2024-01-10T17:00:00Z' }, true));
    expect(settings).to.include({
      PORT: 3005,
      OPERATOR_PORT: 3006,
      DEMO: true,
      BASE_URL: 'http://localhost:3005',
    });
    expect(settings.SERVICE_CLOCK).to.equal('2024-01-10T17:00:00Z@2026-03-01T10:00:00.000Z');
  });

  it('holds secrets that are made once and kept from other users', () => {
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

  it('keeps the last checkpoint beside the embedded database, one for each ledger', () => {
    const embedded = (demo: boolean) => made({}, demo).CHECKPOINT_FILE;
    expect([embedded(false), embedded(true)]).to.deep.equal([
      join(dataDir, 'checkpoint'),
      join(dataDir, 'demo-checkpoint'),
    ]);
    expect(made({ DATABASE_URL: own }).CHECKPOINT_FILE).to.equal(undefined);
  });

  it('says what is wrong with a list of witnesses', () => {
    expect(() => readSettings({ ...made({}), WITNESSES: 'somebody' })).to.throw(/WITNESSES must be written/);
  });

  it('lets what the user set win', () => {
    const set = { BASE_URL: 'https://picks.example', OPERATOR_TOKEN: 'a token of my own' };
    expect(made(set)).to.include(set);
  });

  it('names allowed hosts of webhooks with their ports, or none', () => {
    const read = (hosts: string) =>
      readSettings({ ...made({}), WEBHOOK_ALLOW_HOSTS: hosts }).WEBHOOK_ALLOW_HOSTS;
    const hosts = 'localhost:4433, 127.0.0.1:443,[::1]:8443';
    expect([read(hosts), read('')]).to.deep.equal([hosts, '']);
    for (const wrong of [
      'localhost',
      'https://localhost:4433',
      'a:1,',
      'a:0',
      'a:65536',
      '1.2.3.256:443',
      'a:1/b',
    ])
      expect(() => read(wrong), wrong).to.throw('WEBHOOK_ALLOW_HOSTS');
  });

  it("makes no secret for a database of the user's own", () => {
    const environment = made({ DATABASE_URL: own });
    expect(environment).to.not.have.any.keys('OPERATOR_TOKEN', 'SECRET_KEY', 'LEDGER_KEY');
    expect(() => readSettings(environment)).to.throw('OPERATOR_TOKEN');
  });
});
