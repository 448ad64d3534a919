import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { Refusal } from './refusal.ts';

/** A user of this machine. */
export interface Account {
  name: string;
  uid: number;
  gid: number;
}

/**
 * Whom servers that refuse root run as: the owner of what they left before, else the machine's `postgres`, else
 * a system user `public-picks`, which is made.
 * @param folder what they left before
 */
export function serverAccount(folder?: string): Account {
  const owner = folder === undefined ? 0 : statSync(folder).uid;
  const account =
    (owner === 0 ? undefined : lookUp(String(owner))) ?? lookUp('postgres') ?? lookUp('public-picks');
  return account ?? createAccount('public-picks');
}

/** Whether an account has a right on a path: an operator of test(1) such as `-x`. */
export function mayUse({ uid, gid }: Account, right: string, path: string): boolean {
  return spawnSync('test', [right, path], { uid, gid, cwd: '/' }).status === 0;
}

function createAccount(name: string): Account {
  const made = spawnSync(
    'useradd',
    ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', name],
    {
      encoding: 'utf8',
      env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
    },
  );
  const account = lookUp(name);
  if (account !== undefined) return account;
  throw new Refusal(
    `PostgreSQL does not run as root, and a user for it could not be made (${made.error?.message ?? made.stderr.trim()}). ` +
      'Please run this as an ordinary user, or set DATABASE_URL.',
  );
}

function lookUp(user: string): Account | undefined {
  const { stdout } = spawnSync('id', [user], { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } });
  const [, uid, name, gid] = /^uid=(\d+)\(([^)]+)\) gid=(\d+)/.exec(stdout ?? '') ?? [];
  if (name === undefined) return undefined;
  return { name, uid: Number(uid), gid: Number(gid) };
}
