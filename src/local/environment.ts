import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { flag } from '../platform/config/kinds.mjs';
import { environmentOf, misspelt, variable } from '../platform/config/read.mjs';
import { keptJson } from './kept.ts';
import type { DatabaseLogins } from './logins.ts';
import type { Role } from './service.ts';

/** Whether the demo ledger runs: in the embedded database unless `DEMO=0`, never in a database of the user's own. */
export function demoOf(environment: NodeJS.ProcessEnv): boolean {
  return variable(environment, 'DATABASE_URL') === undefined && flag(variable(environment, 'DEMO') ?? '1');
}

/** `SERVICE_CLOCK` with the real instant it counts from, so that processes started at different times share one clock. */
export function anchoredClock(setting: string, now: Date): string {
  return setting.includes('@') ? setting : `${setting}@${now.toISOString()}`;
}

export interface EnvironmentParts {
  /** The launcher's own environment: what it sets wins over what is made here. */
  environment: NodeJS.ProcessEnv;
  demo: boolean;
  dataDir: string;
  ports: { PORT: string; OPERATOR_PORT: string };
  now: Date;
}

/**
 * What the service's processes are given beside the launcher's own environment and the addresses of the stores. Secrets are made
 * for the embedded database only: one of the user's own has a life beyond this folder.
 */
export function serviceEnvironment(parts: EnvironmentParts): Record<string, string> {
  const { environment, demo, dataDir, ports, now } = parts;
  const embedded = variable(environment, 'DATABASE_URL') === undefined;
  const defaults: Record<string, string> = {
    BASE_URL: `http://localhost:${ports.PORT}`,
    ...(embedded && localSecrets(dataDir, demo)),
    ...(embedded && { CHECKPOINT_STORE: join(dataDir, demo ? 'demo-checkpoint' : 'checkpoint') }),
  };
  for (const name of ['OPERATOR_TOKEN', 'SECRET_KEY', 'LEDGER_KEY', 'CHECKPOINT_STORE', 'BASE_URL']) {
    const given = variable(environment, name);
    if (given !== undefined) defaults[name] = given;
  }
  if (variable(environment, 'LEDGER_SIGNER') !== undefined) delete defaults.LEDGER_KEY;
  const clock = variable(environment, 'SERVICE_CLOCK');
  return {
    ...defaults,
    ...ports,
    DATA_DIR: dataDir,
    DEMO: demo ? '1' : '0',
    ...(clock !== undefined && { SERVICE_CLOCK: anchoredClock(clock, now) }),
  };
}

/**
 * What a process gets: the settings that its roles use, and the database under its own login, or under that of each of several roles.
 * Misspelt settings are left out, since `npm start` has warned of them.
 */
export function processEnvironment(
  roles: readonly Role[],
  environment: NodeJS.ProcessEnv,
  urls: DatabaseLogins['urls'],
): NodeJS.ProcessEnv {
  const used: NodeJS.ProcessEnv = Object.assign({}, ...roles.map((role) => environmentOf(environment, role)));
  for (const { name } of misspelt(environment)) delete used[name];
  delete used.DATABASE_URL;
  for (const role of roles)
    used[roles.length === 1 ? 'DATABASE_URL' : `DATABASE_URL_${role.toUpperCase()}`] = urls[role];
  return used;
}

/**
 * The secrets of a data folder: made once, then kept in its `secrets.json`. The demo ledger has a signing key
 * of its own, so that nothing it signs can ever pass for the real one's.
 */
function localSecrets(dataDir: string, demo: boolean) {
  const { DEMO_LEDGER_KEY, LEDGER_KEY, ...rest } = keptJson(join(dataDir, 'secrets.json'), {
    OPERATOR_TOKEN: () => randomBytes(32).toString('hex'),
    SECRET_KEY: () => randomBytes(32).toString('base64'),
    LEDGER_KEY: () => randomBytes(32).toString('base64'),
    DEMO_LEDGER_KEY: () => randomBytes(32).toString('base64'),
  });
  return { ...rest, LEDGER_KEY: demo ? DEMO_LEDGER_KEY : LEDGER_KEY };
}
