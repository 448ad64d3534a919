import { chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './command.ts';
import type { PostgresHome } from './postgres-home.ts';
import { commandLine } from './processes.ts';
import { Refusal } from './terminal.ts';

const majorVersion = '18';

/** Its own environment, so that no PG* or locale variable of the caller's has a say. */
export function processOptions({ account }: PostgresHome) {
  const env = { PATH: process.env.PATH, LC_ALL: 'C' };
  return { cwd: '/', env, ...(account && { uid: account.uid, gid: account.gid }) };
}

/** Makes a cluster: under another name first, so that an interrupted making leaves no half one. */
export async function createCluster(
  home: PostgresHome,
  cluster: string,
  password: string,
  disposable: boolean,
  aborted: AbortSignal,
): Promise<void> {
  const draft = join(home.folder, 'cluster.new');
  const passwordFile = join(home.folder, 'password');
  rmSync(draft, { recursive: true, force: true });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (home.account) chownSync(passwordFile, home.account.uid, home.account.gid);
  // The built-in locale provider sorts the same on every machine.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const access = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  const args = [`--pgdata=${draft}`, ...locale, ...access, ...(disposable ? ['--no-sync'] : [])];
  try {
    await runCommand(join(home.program, 'bin', 'initdb'), args, { ...processOptions(home), signal: aborted });
    renameSync(draft, cluster);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/** Sees to it that a cluster made before can be started.
 * @throws Refusal when it is another version's, or when a server still runs on it
 */
export function checkCluster(cluster: string): void {
  const version = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  if (version !== majorVersion) {
    throw new Refusal(
      `${cluster} was made by PostgreSQL ${version}; this is ${majorVersion}. Please move that folder away, or set DATABASE_URL.`,
    );
  }
  const pidFile = join(cluster, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  const command = commandLine(pid);
  if (command.includes('postgres') && command.includes(cluster)) {
    throw new Refusal(
      `A PostgreSQL still runs on ${cluster} (process ${pid}). Please end it: kill -INT ${pid}`,
    );
  }
  // Left by a crash. PostgreSQL would refuse to start if another process happened to have got that id since.
  rmSync(pidFile);
}
