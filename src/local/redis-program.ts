import { accessSync, constants, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runCommand } from './command.ts';
import { Refusal, type Say } from './refusal.ts';

/** A Redis or Valkey server that can be run. */
export interface RedisProgram {
  command: string;
  /** Folders with the libraries that it needs beside the system's. */
  libraries: string[];
}

/**
 * Finds a server: on the PATH, or fetched before, else fetched now from the system's packages (Debian, Ubuntu
 * and their kin). What is fetched is only unpacked into `packagesDir`: that takes no root, changes nothing of
 * the system, and starts no service.
 * @throws Refusal that tells how to get one, where that is impossible
 */
export async function redisProgram(
  packagesDir: string,
  say: Say,
  aborted: AbortSignal,
): Promise<RedisProgram> {
  const command = onPath('redis-server') ?? onPath('valkey-server');
  if (command !== undefined) return { command, libraries: [] };
  const folder = join(packagesDir, 'redis');
  if (!existsSync(folder)) {
    if (onPath('apt-get') === undefined || onPath('dpkg-deb') === undefined) throw new Refusal(advice());
    say("  fetching Redis from the system's packages (once) ...");
    try {
      await fetchPackages('redis-server', folder, aborted);
    } catch (error) {
      aborted.throwIfAborted();
      throw new Refusal(`${advice()}\nFetching it was tried: ${(error as Error).message}`);
    }
  }
  return unpackedProgram(folder);
}

function advice(): string {
  const how =
    process.platform === 'darwin'
      ? 'brew install redis'
      : "your system's package manager, or `apt-get install redis-server`";
  return `There is no redis-server or valkey-server here. Please install one (${how}), or set REDIS_URL.`;
}

/** Downloads a package, with what it depends on and the system lacks, and unpacks all into `folder`. */
async function fetchPackages(name: string, folder: string, signal: AbortSignal): Promise<void> {
  const draft = `${folder}.${process.pid}`;
  const lists = join(draft, 'lists');
  const archives = join(draft, 'archives');
  const unpacked = join(draft, 'unpacked');
  for (const made of [join(lists, 'partial'), join(archives, 'partial'), unpacked])
    mkdirSync(made, { recursive: true });
  const own = [
    `Dir::State::Lists=${lists}`,
    `Dir::Cache=${draft}`,
    `Dir::Cache::Archives=${archives}`,
    'Debug::NoLocking=1',
    'APT::Sandbox::User=',
    'Acquire::Retries=2',
  ].flatMap((option) => ['-o', option]);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
  try {
    // Its status is not asked: a hook of the system's may fail without root. What counts is whether the
    // download works.
    const updated = await runCommand('apt-get', [...own, 'update'], { env, signal }).catch(String);
    const download = ['install', '--download-only', '--yes', '--no-install-recommends', name];
    await runCommand('apt-get', [...own, ...download], { env, signal }).catch((error: Error) => {
      throw new Error(`${error.message}\n  ${updated.trim().split('\n').slice(-3).join('\n  ')}`);
    });
    for (const file of readdirSync(archives).filter((entry) => entry.endsWith('.deb'))) {
      await runCommand('dpkg-deb', ['-x', join(archives, file), unpacked], { signal });
    }
    renameSync(unpacked, folder);
  } catch (error) {
    // Another launcher may have fetched it meanwhile.
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function unpackedProgram(folder: string): RedisProgram {
  const command = ['redis-server', 'valkey-server']
    .map((name) => join(folder, 'usr', 'bin', name))
    .find(existsSync);
  if (command === undefined)
    throw new Refusal(`There is no Redis in ${folder}. Please remove that folder and start again.`);
  const libraries = ['lib', join('usr', 'lib')]
    .map((part) => join(folder, part))
    .filter(existsSync)
    .flatMap((part) => [part, ...subfolders(part)]);
  return { command, libraries };
}

function subfolders(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(folder, entry.name));
}

function onPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
