import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import type { Database, Transaction } from '../src/platform/database.ts';
import { compareRights, grantSql, revokeSql } from './grants.ts';
import { type Login, logins, sessionSettings } from './rights.ts';

export type Passwords = Readonly<Partial<Record<Login, string>>>;

/** Parses `DATABASE_PASSWORDS`. @throws LoginsIncomplete if it names an unknown login */
export function readPasswords(setting: string | undefined): Passwords {
  const passwords: Partial<Record<Login, string>> = {};
  for (const each of setting?.split(',') ?? []) {
    const name = each.slice(0, each.indexOf(':'));
    const login = logins.find((one) => one === name);
    if (login === undefined)
      throw new LoginsIncomplete(
        `DATABASE_PASSWORDS names ${name}, but the logins are ${logins.join(', ')}.`,
      );
    passwords[login] = each.slice(name.length + 1);
  }
  return passwords;
}

export interface LoginOptions {
  /** Set at each migration. A login without one keeps its current password. */
  passwords?: Passwords;
  /** Prefix of role names: `<prefix>_<login>`. Default: the name of the database. */
  prefix?: string;
}

/** The owner lacks a right that the logins require. The message contains the statements for an administrator. */
export class LoginsIncomplete extends Error {
  override name = 'LoginsIncomplete';
}

/** Returns the name of a login's role. */
export function roleOf(prefix: string, login: Login): string {
  return `${prefix}_${login}`;
}

/**
 * Creates the role of each login if the owner has the right to (CREATEROLE is enough), sets passwords and session settings, and grants or
 * revokes rights as `migrations/rights.ts` declares. Only completes roles that an administrator created.
 * @throws LoginsIncomplete with the statements that the owner has no right to run
 */
export async function applyLogins(owner: Database, options: LoginOptions = {}): Promise<void> {
  const { passwords = {} } = options;
  const refused: string[] = [];
  await owner.transaction(async (transaction) => {
    const prefix = options.prefix ?? (await databaseName(transaction));
    const run = async (sql: string, shown = sql) => {
      if (!(await permitted(transaction, sql))) refused.push(shown);
    };
    for (const login of logins)
      await ensureRole(transaction, roleOf(prefix, login), login, passwords[login], run);
    if (refused.some((sql) => sql.startsWith('create role'))) return;
    await transaction('login_roles').delete();
    await transaction('login_roles').insert(logins.map((login) => ({ login, role: roleOf(prefix, login) })));
    const { missing, undeclared } = await compareRights(transaction);
    for (const grant of undeclared) await run(revokeSql(grant));
    for (const grant of missing) await run(grantSql(grant));
    if (undeclared.length === 0) return;
    // REVOKE only warns about rights that it cannot revoke.
    const left = await compareRights(transaction);
    refused.push(...left.undeclared.map(revokeSql).filter((sql) => !refused.includes(sql)));
  });
  if (refused.length > 0)
    throw new LoginsIncomplete(
      `An administrator must run these statements, then migrate again:\n${refused.map((sql) => `  ${sql};`).join('\n')}`,
    );
}

async function databaseName(transaction: Transaction): Promise<string> {
  const { rows } = await transaction.raw('select current_database() as name');
  const { name } = rows[0];
  if (`${name}_operator`.length > 63)
    throw new LoginsIncomplete(
      `The name of the database, ${name}, is too long for the names of its roles: use a shorter name.`,
    );
  return name;
}

interface Role {
  canLogin: boolean;
  privileged: boolean;
  settings: string[];
  memberOf: string[];
}

async function ensureRole(
  transaction: Transaction,
  name: string,
  login: Login,
  password: string | undefined,
  run: (sql: string, shown?: string) => Promise<void>,
): Promise<void> {
  const role = `"${name.replaceAll('"', '""')}"`;
  const { rows }: { rows: Role[] } = await transaction.raw(
    `select rolcanlogin as "canLogin", rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as privileged,
       coalesce(rolconfig, '{}') as settings,
       array(select quote_ident(pg_get_userbyid(m.roleid)) from pg_auth_members m where m.member = r.oid) as "memberOf"
     from pg_roles r where rolname = ?`,
    [name],
  );
  const found = rows[0];
  if (found === undefined) await run(`create role ${role} login`);
  if (found?.canLogin === false) await run(`alter role ${role} login`);
  if (found?.privileged)
    await run(`alter role ${role} nosuperuser nocreaterole nocreatedb noreplication nobypassrls`);
  for (const other of found?.memberOf ?? []) await run(`revoke ${other} from ${role}`);
  if (password !== undefined)
    await run(
      `alter role ${role} password '${scramVerifier(password)}'`,
      `alter role ${role} password '...'`,
    );
  const settings = new Map(found?.settings.map((setting) => [setting.split('=')[0], setting.split('=')[1]]));
  for (const [setting, value] of Object.entries(sessionSettings(login))) {
    if (settings.get(setting) === value) continue;
    const values = value.split(', ').map((each) => `'${each}'`);
    await run(`alter role ${role} set ${setting} = ${values.join(', ')}`);
  }
}

/** Runs a statement. @returns false if this role has no right to run it */
async function permitted(transaction: Transaction, sql: string): Promise<boolean> {
  try {
    await transaction.transaction((inner) => inner.raw(sql));
    return true;
  } catch (error) {
    // insufficient_privilege; undefined_object if the role could not be created.
    if (!['42501', '42704'].includes((error as { code?: string }).code ?? '')) throw error;
    return false;
  }
}

/**
 * Returns the verifier that PostgreSQL stores for a password (SCRAM-SHA-256, RFC 5803), so that no statement or server log contains the
 * password.
 */
function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const iterations = 4096;
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${hmac('Server Key').toString('base64')}`;
}
