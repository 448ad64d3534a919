import { expect } from 'chai';
import fc from 'fast-check';
import { readConfig, readConfigOf, SettingsError } from '../../src/platform/config/config.ts';
import { processNames } from '../../src/platform/config/processes.ts';
import { environmentOf, everySetting, misspelled } from '../../src/platform/config/read.ts';
import { serversOf } from '../../src/platform/postgres-hosts.ts';
import { signerFromSeed } from '../../src/proof/signed-note.ts';
import { COSIGNATURE, formatVerifierKey } from '../../src/proof/verifier-key.ts';
import { testConfig } from '../support/config.ts';

const fault = (environment: Record<string, string>) => {
  try {
    testConfig(environment);
    return undefined;
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.message.replace('Wrong settings:\n  ', '');
  }
};

describe('the configuration', () => {
  it('contains parsed values, in groups', () => {
    const config = testConfig({
      SERVICE_CLOCK: '2026-01-10T17:00:00Z',
      WEBHOOK_ALLOW_HOSTS: 'localhost:4433, 127.0.0.1:443,[::1]:8443 ,HOOKS.internal.:1',
      CHECKS: 'redis:0.5,2 deliveries:60,60',
      ODDS_API_SPORTS: 'basketball_nba baseball_mlb_preseason soccer_*',
      ODDS_API_REGIONS: 'us,eu',
      SCHEDULE_FEEDS: 'nfl=https://a.example/nfl.ics?x=1 nba=https://b.example/nba.ics',
      HEARTBEAT_URL: 'https://beat.example/1',
    });
    expect(config.process.clock).to.include({ shown: Date.parse('2026-01-10T17:00:00Z') });
    expect([...config.webhooks.allowedHosts]).to.deep.equal([
      'localhost:4433',
      '127.0.0.1:443',
      '::1:8443',
      'hooks.internal:1',
    ]);
    expect(config.status.checks).to.deep.equal({
      redis: { degraded: 0.5, down: 2 },
      deliveries: { degraded: 60, down: 60 },
    });
    expect(config.sources.oddsApi).to.deep.include({
      sports: ['basketball_nba', 'baseball_mlb_preseason', 'soccer_*'],
      regions: ['us', 'eu'],
    });
    expect(config.sources.schedules).to.deep.equal([
      { sport: 'nfl', url: 'https://a.example/nfl.ics?x=1' },
      { sport: 'nba', url: 'https://b.example/nba.ics' },
    ]);
    expect(config.status.heartbeatUrl?.host).to.equal('beat.example');
  });

  it('accepts one operator token, or one per operator by name', () => {
    const operators = (OPERATOR_TOKEN: string) => testConfig({ OPERATOR_TOKEN }).operator.tokens;
    const [one, two] = ['0123456789abcdef', 'fedcba9876543210'];
    expect(operators(one)).to.deep.equal([{ name: 'operator', token: one }]);
    expect(operators(`ada:${one},bram-2:${two}`)).to.deep.equal([
      { name: 'ada', token: one },
      { name: 'bram-2', token: two },
    ]);
    expect(operators(`ada:${one}`)).to.deep.equal([{ name: 'ada', token: one }]);
    for (const [value, why] of [
      [one.slice(1), 'has 15 characters; it needs at least 16'],
      [`${one},${two}`, 'must be one token without colons and commas, or <name>:<token> pairs'],
      [`ada:${one},`, 'must be one token'],
      [`ada:${one}, bram:${two}`, 'must be one token'],
      [`Ada:${one}`, 'must be one token'],
      [`ada:${one}:${two}`, 'must be one token'],
      [`ada=${one},bram=${two}`, 'must be one token'],
      [`ada:${one},bram:short`, 'has a token that is too short: each needs at least 16 characters'],
      [`ada:${one},ada:${two}`, 'must not name an operator twice'],
      [`ada:${one},bram:${one}`, 'must not give two operators the same token'],
    ] as const)
      expect(fault({ OPERATOR_TOKEN: value }), value).to.match(new RegExp(`^OPERATOR_TOKEN ${why}`));
  });

  it('dials letters of the help line as on a keypad', () => {
    expect(testConfig().site.helpLine).to.deep.equal({ name: '1-800-GAMBLER', number: '1-800-4262537' });
    expect(testConfig({ HELP_LINE: 'GamCare 0808 8020 133' }).site.helpLine).to.deep.equal({
      name: 'GamCare 0808 8020 133',
      number: '0808-8020-133',
    });
  });

  it('reads sentinels with the name of the primary', () => {
    const [one, two] = [
      { host: 'one', port: 26379 },
      { host: 'two', port: 1, password: 'a/b' },
    ];
    expect(testConfig({ REDIS_SENTINELS: 'one:26379' }).redis.sentinels).to.deep.equal({
      name: 'mymaster',
      nodes: [one],
    });
    expect(testConfig({ REDIS_SENTINELS: 'one:26379,:a%2Fb@two:1/picks' }).redis.sentinels).to.deep.equal({
      name: 'picks',
      nodes: [one, two],
    });
  });

  it('calls each source at its public address unless its URL is set', () => {
    const { espn, footballData, oddsApi } = testConfig({
      ODDS_API_URL: 'http://proxy.example/odds/',
    }).sources;
    expect([espn.url, footballData.url, oddsApi.url]).to.deep.equal([
      'https://site.api.espn.com',
      'https://api.football-data.org',
      'http://proxy.example/odds',
    ]);
  });

  it("is undefined or an empty list for unset and empty values, and the owner defaults to the service's database", () => {
    const config = testConfig({ ALERT_WEBHOOK_URL: '', LEDGER_ORIGIN: ' ', PORT: '' });
    expect([config.status.alertUrl, config.ledger.origin, config.process.clock]).to.deep.equal([
      undefined,
      undefined,
      undefined,
    ]);
    expect([config.sources.schedules, config.ledger.witnesses]).to.deep.equal([[], []]);
    expect(config.webhooks.allowedHosts.size).to.equal(0);
    expect(config.http.port).to.equal(3000);
    expect(config.database.ownerUrl).to.equal(config.database.url);
  });

  it('refuses a quorum larger than the number of witnesses', async () => {
    const { key } = await signerFromSeed('w1.example', COSIGNATURE, Buffer.alloc(32, 1));
    const WITNESSES = `${formatVerifierKey(key)} https://w1.example`;
    expect(fault({ WITNESS_QUORUM: '1' })).to.equal('WITNESS_QUORUM is 1 but WITNESSES has 0');
    expect(fault({ WITNESSES, WITNESS_QUORUM: '2' })).to.equal('WITNESS_QUORUM is 2 but WITNESSES has 1');
    expect(fault({ WITNESSES, WITNESS_QUORUM: '1' })).to.equal(undefined);
  });

  it('requires a key for a bucket in LOG_FILES, and none for a folder', () => {
    const LOG_FILES = 's3://picks-log/v1';
    expect(fault({ LOG_FILES: '/var/lib/log' })).to.equal(undefined);
    expect(fault({ LOG_FILES })).to.equal('LOG_FILES is a bucket, so LOG_FILES_S3_KEY must be set');
    expect(fault({ LOG_FILES, LOG_FILES_S3_KEY: 'id:a-secret-key' })).to.equal(undefined);
    expect(testConfig({ LOG_FILES, LOG_FILES_S3_KEY: 'id:a-secret-key' }).ledger.files).to.deep.equal({
      bucket: 'picks-log',
      prefix: 'v1',
      region: 'us-east-1',
      endpoint: 'https://s3.us-east-1.amazonaws.com',
    });
    const own = `${LOG_FILES}/a/?region=eu-central-1&endpoint=http://store.example:9000`;
    expect(testConfig({ LOG_FILES: own, LOG_FILES_S3_KEY: 'id:a-secret-key' }).ledger.files).to.deep.equal({
      bucket: 'picks-log',
      prefix: 'v1/a',
      region: 'eu-central-1',
      endpoint: 'http://store.example:9000',
    });
    for (const query of ['?zone=a', '?region=EU', '?endpoint=store.example'])
      expect(fault({ LOG_FILES: LOG_FILES + query })).to.match(/must be a folder, or s3:/);
    expect(fault({ LOG_FILES: 's3://Picks Log' })).to.match(/^LOG_FILES is .* but must be a folder, or s3:/);
    expect(fault({ LOG_FILES, LOG_FILES_S3_KEY: 'a-secret-key' })).to.match(
      /^LOG_FILES_S3_KEY .*must be <access key id>/,
    );
  });

  it('accepts a PostgreSQL address with several hosts', () => {
    const group = 'postgres://web:a%40b@one:5432,two/picks?target_session_attrs=read-write';
    const { url } = readConfigOf('grading', {
      DATABASE_URL: group,
      REDIS_URL: 'redis://redis.example',
    }).database;
    expect(serversOf(url)).to.deep.equal({
      addresses: ['postgres://web:a%40b@one:5432/picks', 'postgres://web:a%40b@two/picks'],
      writable: true,
    });
    expect(serversOf('postgres://web:a%40b@one/picks?sslmode=require')).to.deep.equal({
      addresses: ['postgres://web:a%40b@one/picks?sslmode=require'],
      writable: false,
    });
    for (const wrong of ['postgres://one:1,/picks', 'postgres://one,two:x/picks'])
      expect(() => readConfig({ DATABASE_URL: wrong })).to.throw(
        /DATABASE_URL must name its hosts as one:5432,two:5432/,
      );
  });

  it('names every wrong setting at once, one per line', () => {
    const environment = { DATABASE_URL: 'mysql://x', OPERATOR_TOKEN: 'short', PORT: 'abc' };
    expect(() => readConfig(environment)).to.throw(
      SettingsError,
      /^Wrong settings:\n {2}DATABASE_URL must be a postgres:\/\/ or postgresql:\/\/ address\n {2}REDIS_URL is missing\n {2}PORT is "abc" but must be a whole number from 0 to 65535\n {2}OPERATOR_TOKEN has 5 characters; it needs at least 16\n {2}LEDGER_KEY is missing\n {2}SECRET_KEY is missing$/,
    );
  });

  it("requires only a process's own settings, and gives it no others", () => {
    const stores = { DATABASE_URL: 'postgres://db.example/picks', REDIS_URL: 'redis://redis.example' };
    const grading = readConfigOf('grading', { ...stores, PORT: 'abc', OPERATOR_TOKEN: 'short' });
    expect(grading.database.url).to.equal(stores.DATABASE_URL);
    expect(JSON.stringify(grading)).not.to.contain('short');
    expect(() => readConfigOf('sealing', stores)).to.throw(
      SettingsError,
      /^Wrong settings:\n {2}LEDGER_KEY is missing$/,
    );
    expect(() => readConfigOf('webhooks', stores)).to.throw(
      SettingsError,
      /^Wrong settings:\n {2}SECRET_KEY is missing$/,
    );
  });

  it('gives each secret only to the processes that use it', () => {
    const secrets = everySetting
      .filter(({ secret }) => secret)
      .map(({ env, usedBy = processNames }) => [env, usedBy]);
    expect(Object.fromEntries(secrets)).to.deep.include({
      OPERATOR_TOKEN: ['operator'],
      LEDGER_KEY: ['sealing', 'operator'],
      SECRET_KEY: ['web', 'webhooks'],
      ODDS_API_KEY: ['ingest'],
      ALERT_WEBHOOK_URL: ['status'],
      DATABASE_OWNER_URL: ['migrate'],
    });
  });

  it('omits from an environment what a process does not use', () => {
    const environment = { PATH: '/bin', LEDGER_KEY: 'x', SECRET_KEY: 'y', LOG_LEVEL: 'info' };
    expect(environmentOf(environment, 'web')).to.deep.equal({
      PATH: '/bin',
      SECRET_KEY: 'y',
      LOG_LEVEL: 'info',
    });
    expect(environmentOf(environment, 'grading')).to.deep.equal({ PATH: '/bin', LOG_LEVEL: 'info' });
  });

  for (const [name, values] of Object.entries({
    PORT: ['65536', '-1', '3.5', '0x10', '1e3'],
    BASE_URL: ['picks.example', 'https://picks.example/', 'https://picks.example/a?b'],
    SERVICE_CLOCK: ['yesterday', '2026-01-10T17:00:00Z@', '@2026-01-10T17:00:00Z'],
    ODDS_API_SPORTS: ['Curling', 'basketball_nba,baseball_mlb'],
    ODDS_API_REGIONS: ['us,', 'us,eu,uk,au,fr,se,it'],
    LOG_LEVEL: ['loud'],
    HELP_LINE: ['1', 'call us', '0808 8020 133 (day)'],
    REDIS_SENTINELS: ['one', 'one:26379/', 'one:26379/a/b'],
    ESPN_URL: ['espn', 'ftp://a.example', 'https://a.example?b', 'https://a.example#b', 'https://'],
    FOOTBALL_DATA_URL: ['a.example', 'https://a b.example'],
    ODDS_API_URL: ['a.example', 'https://a.example?apiKey=b'],
    DEMO: ['yes'],
    WITNESSES: ['somebody', 'somebody https://w.example', ','],
    WEBHOOK_ALLOW_HOSTS: [
      'localhost',
      'https://localhost:4433',
      'a:1,',
      'a:0',
      'a:65536',
      '1.2.3.256:443',
      'a:1/b',
    ],
    SCHEDULE_FEEDS: [
      'https://a.example/nfl.ics',
      'nfl=ftp://a.example/x',
      'nfl=https://',
      'nfl@Nowhere/Land=https://a.example/x',
    ],
  }))
    for (const value of values)
      it(`refuses ${name}=${value}`, () =>
        expect(fault({ [name]: value })).to.match(new RegExp(`^${name}\\b`)));

  for (const [value, why] of [
    ['closing:1,2', 'closing is not a check'],
    ['closings:1,2 closings:1,3', 'closings is named twice'],
    ['workers', 'workers needs two numbers, such as workers:60,300'],
    ['workers:15', 'workers needs two numbers'],
    ['workers:15,60,90', 'workers needs two numbers'],
    ['workers:a,b', 'workers needs two numbers'],
    ['workers:-1,2', 'workers needs two numbers'],
    ['closings:1,2 workers:60,15', 'workers would be down before it is degraded'],
  ] as const)
    it(`refuses CHECKS="${value}" and lists the checks`, () =>
      expect(fault({ CHECKS: value }))
        .to.match(new RegExp(`^CHECKS is "${value}" but ${why}`))
        .and.match(/The checks are database, redis, .*, status-worker$/));

  it('never shows the value of a secret', () => {
    const secret = fc.constantFrom(...everySetting.filter((setting) => setting.secret));
    const value = fc.string({ minLength: 6 }).map((text) => `<${text}>`);
    fc.assert(
      fc.property(secret, value, ({ env }, text) => {
        const message = fault({ [env]: text });
        if (message !== undefined) expect(message).not.to.contain(text);
      }),
    );
    expect(fault({ OPERATOR_TOKEN: '<hunter2>' })).to.equal(
      'OPERATOR_TOKEN has 9 characters; it needs at least 16',
    );
  });

  it('has valid defaults for all settings', () => {
    for (const { default: text, read, env } of everySetting)
      if (text !== undefined) expect(() => read(text), env).not.to.throw();
  });

  it('finds names that look like misspelled settings, and no others', () => {
    const found = (names: string[]) =>
      misspelled(Object.fromEntries(names.map((name) => [name, '1']))).map(({ sentence }) => sentence);
    expect(found(['DATABSE_URL', 'CHEKS', 'PRT'])).to.deep.equal([
      'DATABSE_URL is not a setting. Did you mean DATABASE_URL?',
      'CHEKS is not a setting. Did you mean CHECKS?',
      'PRT is not a setting. Did you mean PORT?',
    ]);
    const usual = [
      'HOME',
      'PATH',
      'PWD',
      'USER',
      'HOSTNAME',
      'TERM',
      'NODE_ENV',
      'NEW_LEDGER_KEY',
      'TEST_REDIS_URL',
    ];
    expect(found([...usual, ...everySetting.map(({ env }) => env)])).to.deep.equal([]);
  });
});
