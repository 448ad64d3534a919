import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import type { ProcessName } from '../../src/platform/config/processes.ts';
import { everySetting, isUsedBy } from '../../src/platform/config/read.ts';
import { procfile } from '../support/procfile.ts';

const root = join(import.meta.dirname, '../..');

interface Service {
  image: string;
  command: string[];
  environment: Record<string, string>;
  networks: string[];
  ports?: string[];
  read_only: boolean;
  cap_drop: string[];
  security_opt: string[];
  user?: string;
  volumes?: string[];
}

/** Settings that the containers themselves determine. */
const decided = {
  DATABASE_URL: 'the PostgreSQL beside them',
  DATABASE_PASSWORDS: 'of the logins, which migrate makes',
  REDIS_URL: 'the Valkey beside them',
  OPERATOR_HOST: 'all addresses of the container',
  CHECKPOINT_STORE: 'a file on a volume of its own, unless it is set',
};

/** Settings that containers do not get. */
const notPassed = {
  DATABASE_OWNER_URL: 'migrate has it as DATABASE_URL',
  PORT: 'the port published on the host; inside it is always 3000',
  HOST: 'all addresses of the container',
  OPERATOR_PORT: 'the port published on the host; inside it is always 3001',
  COMMIT: 'built into the image',
  DEMO: 'only with the embedded database',
};

describe('compose.yaml', () => {
  const compose: {
    services: Record<string, Service>;
    networks: Record<string, { internal?: boolean } | null>;
  } = parse(readFileSync(join(root, 'compose.yaml'), 'utf8'), { merge: true });
  const everyService = Object.entries(compose.services);
  const services = everyService.filter(([, { image }]) => image === 'public-picks') as [
    ProcessName,
    Service,
  ][];
  const settingsOf = (name: ProcessName) =>
    everySetting.filter((setting) => isUsedBy(setting, name) && !(setting.env in notPassed));

  it('has a service for every process of the Procfile, with its command, and the migration before them', () => {
    const commands = services.map(([name, { command }]) => [name, command.join(' ')]);
    expect(Object.fromEntries(commands)).to.deep.equal({ migrate: 'node src/cli.ts migrate', ...procfile() });
  });

  for (const [name, { environment }] of services)
    it(`gives ${name} only the settings that it uses`, () => {
      const passed = settingsOf(name).filter(({ env }) => !(env in decided));
      for (const { env, required } of passed)
        expect(environment[env], env).to.match(new RegExp(`^\\$\\{${env}:${required ? '\\?' : '-.*'}\\}$`));
      const rest = Object.keys(environment).filter((env) => !passed.some((setting) => setting.env === env));
      expect(Object.keys(decided), name).to.include.members(rest);
      const used = new Set(settingsOf(name).map(({ env }) => env));
      expect(rest.filter((env) => !used.has(env) && env !== 'DATABASE_PASSWORDS')).to.deep.equal([]);
    });

  it('gives each container only its own login, and no service the password of the owner or superuser', () => {
    const passwords = (name: string) => [
      ...new Set(JSON.stringify(compose.services[name]).match(/\w+_PASSWORD(?=:\?)/g) ?? []),
    ];
    for (const [name] of services)
      if (name !== 'migrate')
        expect(passwords(name)).to.have.members([
          'REDIS_PASSWORD',
          `${name.toUpperCase()}_DATABASE_PASSWORD`,
        ]);
    expect(passwords('redis')).to.deep.equal(['REDIS_PASSWORD']);
    expect(passwords('postgres')).to.have.members(['POSTGRES_PASSWORD', 'OWNER_PASSWORD']);
    expect(passwords('migrate')).to.not.include.members(['POSTGRES_PASSWORD']);
  });

  it('confines every container', () => {
    for (const [name, service] of everyService) {
      expect(service, name).to.deep.include({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
      expect(service, name).to.not.have.any.keys('privileged', 'cap_add', 'network_mode', 'pid');
      // Without capabilities they cannot drop root's rights, so they must not start as root. The service's image has a user.
      if (service.image !== 'public-picks') expect(service.user, name).to.match(/^[a-z]+$/);
      expect(JSON.stringify(service.volumes ?? []), name).to.not.contain('docker.sock');
    }
  });

  it("keeps the stores on a network without internet access, and only the public port on the readers' network", () => {
    expect(compose.networks.back).to.deep.equal({ internal: true });
    const on = (network: string) =>
      everyService.filter(([, { networks }]) => networks.includes(network)).map(([name]) => name);
    expect(on('front')).to.deep.equal(['web']);
    expect(on('back')).to.have.members(everyService.map(([name]) => name));
    for (const store of ['postgres', 'redis']) {
      expect(compose.services[store]?.networks).to.deep.equal(['back']);
      expect(compose.services[store]?.ports).to.equal(undefined);
    }
    for (const [name, { ports = [] }] of everyService)
      if (name !== 'web') for (const port of ports) expect(port, name).to.match(/^127\.0\.0\.1:/);
  });
});

describe('the image', () => {
  const lines = (file: string) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));

  it('contains the listed files, and never a key or an .env file', () => {
    const [first, ...rest] = lines('.dockerignore');
    expect(first).to.equal('*');
    expect(rest.filter((line) => line.startsWith('!'))).to.have.members(
      [
        'package.json',
        'package-lock.json',
        '.npmrc',
        'bin',
        'src',
        'packages',
        'workers',
        'migrations',
        'docs/rules',
        'docs/glossary.md',
      ].map((path) => `!${path}`),
    );
    // Later lines win.
    expect(rest.slice(-4)).to.have.members(['**/.env*', '**/*.pem', '**/*.key', '**/*.log']);
  });

  it('does not run as root', () => {
    expect(lines('Dockerfile')).to.include('USER node');
  });

  it('is built from a checkout whose secrets git ignores', () => {
    expect(lines('.gitignore')).to.include.members([
      '.env',
      '.env.*',
      '*.pem',
      '*.key',
      'secrets/',
      '.data/',
    ]);
  });
});
