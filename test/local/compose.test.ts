import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { parseProcfile } from '../../src/local/procfile.ts';
import { everySetting } from '../../src/platform/config/read.mjs';

const root = join(import.meta.dirname, '../..');

interface Service {
  image: string;
  command: string[];
  environment: Record<string, string>;
  build?: { args: Record<string, string> };
}

/** Settings that the containers themselves decide, or that only `npm start` uses. */
const notPassed = {
  DATABASE_URL: 'the PostgreSQL beside them',
  DATABASE_OWNER_URL: 'the same role as in DATABASE_URL',
  REDIS_URL: 'the Valkey beside them',
  PORT: 'the port published on the host; inside it is always 3000',
  HOST: 'all addresses of the container',
  OPERATOR_PORT: 'the port published on the host; inside it is always 3001',
  OPERATOR_HOST: 'all addresses of the container',
  CHECKPOINT_STORE: 'sealing only: on a volume of its own unless it is set',
  COMMIT: 'built into the image',
  DEMO: 'only with the embedded database',
  DATA_DIR: 'only with the embedded stores',
};

describe('compose.yaml', () => {
  const compose: { services: Record<string, Service> } = parse(
    readFileSync(join(root, 'compose.yaml'), 'utf8'),
    { merge: true },
  );
  const services = Object.entries(compose.services).filter(([, { image }]) => image === 'public-picks');

  it('has a service for every process of the Procfile, with its command, and the migration before them', () => {
    const entries = parseProcfile(readFileSync(join(root, 'Procfile'), 'utf8'));
    const migrate = { name: 'migrate', command: 'node src/cli.ts migrate' };
    expect(
      services.map(([name, { command }]) => ({ name, command: command.join(' ') })),
    ).to.have.deep.members([migrate, ...entries]);
  });

  for (const { env, required } of everySetting.filter((setting) => !(setting.env in notPassed)))
    it(`passes ${env} through`, () => {
      const passed = new RegExp(`^\\$\\{${env}:${required ? '\\?' : '-.*'}\\}$`);
      for (const [name, { environment }] of services) expect(environment[env], name).to.match(passed);
    });

  it('gives the containers nothing but settings, and every required one', () => {
    const known = everySetting.map(({ env }) => env);
    const required = everySetting.filter((setting) => setting.required).map(({ env }) => env);
    for (const [name, { environment }] of services) {
      expect(known, name).to.include.members(Object.keys(environment));
      expect(environment, name).to.include.all.keys(required);
    }
  });
});
