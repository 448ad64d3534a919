import { createHmac, randomBytes, scryptSync } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPasswords, roleOf } from '../../migrations/logins.ts';
import { type Login, logins } from '../../migrations/rights.ts';
import type { Config } from '../platform/config/config.ts';
import { flag, postgresAddress } from '../platform/config/kinds.ts';
import {
  environmentOf,
  everySetting,
  faultsMessage,
  misspelled,
  readSettings,
  variable,
} from '../platform/config/read.ts';
import { leagueFaults } from '../sources/league-faults.ts';
import type { Role } from './supervisor.ts';
import { Refusal } from './terminal.ts';

/** Exits with status 1 and a message if settings are wrong. Warns of names that look misspelled. */
export function exitOnWrongSettings(): void {
  for (const { sentence } of misspelled(process.env)) process.stderr.write(`${sentence}\n`);
  const faults = startFaults(process.env);
  if (faults.length === 0) return;
  process.stderr.write(`${faultsMessage(faults)}\n`);
  process.exit(1);
}

/** For `npm start`, which provides stores, and secrets for its own database. */
export function startFaults(environment: NodeJS.ProcessEnv): string[] {
  const isEmbedded = variable(environment, 'DATABASE_URL') === undefined;
  const required = everySetting
    .filter(({ required, requiredUnless }) => required || requiredUnless !== undefined)
    .map(({ env }) => env);
  const { values, faults } = readSettings(environment, { provided: isEmbedded ? required : ['REDIS_URL'] });
  if (faults.length === 0) faults.push(...leagueFaults((values as Pick<Config, 'sources'>).sources));
  const [port, operatorPort] = ['PORT', 'OPERATOR_PORT'].map((name) => {
    const number = Number(variable(environment, name) ?? Number.NaN);
    if (number === 0) faults.push(`${name} is 0 but npm start needs a port from 1 to 65535`);
    return number;
  });
  if (port === operatorPort) faults.push(`PORT and OPERATOR_PORT are both ${port} but must differ`);
  if (!isEmbedded && ['1', 'true'].includes(variable(environment, 'DEMO') ?? ''))
    faults.push(
      'DEMO is 1 but DATABASE_URL is set: demo data works only in the embedded database: unset one of them',
    );
  return faults;
}

/** Reports whether the demo runs: in the embedded database unless `DEMO=0`, never in the user's database. */
export function demoOf(environment: NodeJS.ProcessEnv): boolean {
  return variable(environment, 'DATABASE_URL') === undefined && flag(variable(environment, 'DEMO') ?? '1');
}

/** Returns `SERVICE_CLOCK` with its real start, so that processes started later share one clock. */
export function anchoredClock(setting: string, now: Date): string {
  return setting.includes('@') ? setting : `${setting}@${now.toISOString()}`;
}

export interface EnvironmentParts {
  /** The launcher's environment, which overrides generated values. */
  environment: NodeJS.ProcessEnv;
  demo: boolean;
  dataDir: string;
  ports: { PORT: string; OPERATOR_PORT: string };
  now: Date;
}

/**
 * Returns settings of the service's processes in addition to the launcher's environment and the stores' addresses. Secrets are generated
 * only for the embedded database: another database outlives this folder.
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
    DATA_FILES: variable(environment, 'DATA_FILES') ?? join(dataDir, 'files'),
    // Made-up prices belong to nobody.
    PUBLISH_PRICES: variable(environment, 'PUBLISH_PRICES') ?? (demo ? '1' : '0'),
    ...(clock !== undefined && { SERVICE_CLOCK: anchoredClock(clock, now) }),
  };
}

/**
 * Returns a process's environment: the settings that its roles use, and the database URL with its login, or with that of each role.
 * Misspelled settings are omitted, because `npm start` has warned of them.
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

/** Generated once and kept in `secrets.json`. The demo has its own signing key, so that nothing it signs can pass for the real ledger. */
function localSecrets(dataDir: string, demo: boolean) {
  const { DEMO_LEDGER_KEY, LEDGER_KEY, ...rest } = keptJson(join(dataDir, 'secrets.json'), {
    OPERATOR_TOKEN: () => randomBytes(32).toString('hex'),
    SECRET_KEY: () => randomBytes(32).toString('base64'),
    LEDGER_KEY: () => randomBytes(32).toString('base64'),
    DEMO_LEDGER_KEY: () => randomBytes(32).toString('base64'),
  });
  return { ...rest, LEDGER_KEY: demo ? DEMO_LEDGER_KEY : LEDGER_KEY };
}

/** URLs of one database, with its owner and with the login of each process, and the passwords that `migrate` sets. */
export type DatabaseLogins = ReturnType<typeof databaseLogins>;

interface DatabaseLoginsOptions {
  ownerUrl: string;
  /** Address that processes use, such as a pooler's; its user is ignored. Default: `ownerUrl`. */
  url?: string | undefined;
  /** `DATABASE_PASSWORDS`. */
  given?: string | undefined;
}

/**
 * Returns the logins of a database. Passwords that are not given are derived from the owner's, so that they stay the same at every start
 * and on every machine. An owner without a password (trust, peer) gives them new ones at each start.
 */
export function databaseLogins(options: DatabaseLoginsOptions) {
  const { ownerUrl, url = ownerUrl, given } = options;
  const owner = new URL(postgresAddress(ownerUrl));
  const database = decodeURIComponent(owner.pathname.slice(1)) || decodeURIComponent(owner.username);
  const secret = decodeURIComponent(owner.password) || randomBytes(24);
  // scrypt keeps a login's password from revealing the owner's, which a person may have chosen.
  const key = scryptSync(secret, `public-picks logins of ${database}`, 32);
  const derived = logins.map((login) => [login, createHmac('sha256', key).update(login).digest('base64url')]);
  const passwords: Record<Login, string> = { ...Object.fromEntries(derived), ...readPasswords(given) };
  const addresses = logins.map((login) => {
    const address = new URL(postgresAddress(url));
    address.username = encodeURIComponent(roleOf(database, login));
    address.password = encodeURIComponent(passwords[login]);
    return [login, address.href];
  });
  const urls: Record<Login | 'owner', string> = { ...Object.fromEntries(addresses), owner: ownerUrl };
  return { urls, passwords };
}

/** Values of such a file: those that are generated if missing, and others that it may hold. */
export type Kept<Name extends string> = Record<Name, string> & { [other: string]: string | undefined };

/** Generated once and kept (mode 600). @throws Refusal if the file exists but cannot be read, instead of replacing it */
export function keptJson<Name extends string>(file: string, makers: Record<Name, () => string>): Kept<Name> {
  const kept = readJson(file);
  const values = { ...kept };
  for (const name of Object.keys(makers) as Name[]) values[name] ??= makers[name]();
  if (Object.keys(values).length !== Object.keys(kept).length) writeJson(file, values);
  return values as Kept<Name>;
}

export function keepValue(file: string, name: string, value: string): void {
  writeJson(file, { ...readJson(file), [name]: value });
}

function readJson(file: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Refusal(`Cannot read ${file}: ${(error as Error).message}`);
  }
}

function writeJson(file: string, values: Record<string, string>): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(values, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
}
