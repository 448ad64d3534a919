import { createHmac, randomBytes, scryptSync } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPasswords, roleOf } from '../../migrations/logins.ts';
import { type Login, logins } from '../../migrations/rights.ts';
import { flag, postgresAddress } from '../platform/config/kinds.mjs';
import { environmentOf, misspelled, variable } from '../platform/config/read.mjs';
import type { Role } from './service.ts';
import { Refusal } from './terminal.ts';

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
  for (const { name } of misspelled(environment)) delete used[name];
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

/** The addresses of one database: under its owner, and under the login of each process. */
export interface DatabaseLogins {
  urls: Record<Login | 'owner', string>;
  /** For `migrate` to set. */
  passwords: Record<Login, string>;
}

export interface DatabaseLoginsOptions {
  ownerUrl: string;
  /** Where the processes find the database, such as a pooler; its user is ignored. Default: `ownerUrl`. */
  url?: string | undefined;
  /** `DATABASE_PASSWORDS`. */
  given?: string | undefined;
}

/**
 * The logins of a database. Passwords that are not given are derived from the owner's, so that they are the same at every start and
 * wherever else the service is started on this database. An owner without a password (trust, peer) gives them new ones at each start.
 */
export function databaseLogins(options: DatabaseLoginsOptions): DatabaseLogins {
  const { ownerUrl, url = ownerUrl, given } = options;
  const owner = new URL(postgresAddress(ownerUrl));
  const database = decodeURIComponent(owner.pathname.slice(1)) || decodeURIComponent(owner.username);
  const secret = decodeURIComponent(owner.password) || randomBytes(24);
  // scrypt: from a login's password the owner's, which a person may have chosen, is not to be guessed.
  const key = scryptSync(secret, `public-picks logins of ${database}`, 32);
  const passwords = Object.fromEntries(
    logins.map((login) => [login, createHmac('sha256', key).update(login).digest('base64url')]),
  ) as Record<Login, string>;
  Object.assign(passwords, readPasswords(given));
  const addresses = logins.map((login) => {
    const address = new URL(postgresAddress(url));
    address.username = encodeURIComponent(roleOf(database, login));
    address.password = encodeURIComponent(passwords[login]);
    return [login, address.href];
  });
  return { urls: { ...Object.fromEntries(addresses), owner: ownerUrl }, passwords };
}

/** The values of such a file: those that are made where they are missing, and others that it may hold. */
export type Kept<Name extends string> = Record<Name, string> & { [other: string]: string | undefined };

/**
 * Values made once and kept in a JSON file (mode 600): what the file has is taken from it, what it lacks is
 * made and added.
 * @throws Refusal when the file is there and cannot be read, rather than replacing it
 */
export function keptJson<Name extends string>(file: string, makers: Record<Name, () => string>): Kept<Name> {
  const kept = readJson(file);
  const values = { ...kept };
  for (const name of Object.keys(makers) as Name[]) values[name] ??= makers[name]();
  if (Object.keys(values).length !== Object.keys(kept).length) writeJson(file, values);
  return values as Kept<Name>;
}

/** Replaces one value of such a file. */
export function keepValue(file: string, name: string, value: string): void {
  writeJson(file, { ...readJson(file), [name]: value });
}

function readJson(file: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Refusal(`${file} cannot be read: ${(error as Error).message}`);
  }
}

function writeJson(file: string, values: Record<string, string>): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(values, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
}
