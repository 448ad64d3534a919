import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal, type Say } from './refusal.ts';
import { canFetchPackages, fetchPackages, libraryFolders, onPath } from './system-packages.ts';

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
    if (!canFetchPackages()) throw new Refusal(advice());
    say("  fetching Redis from the system's packages (once) ...");
    try {
      await fetchPackages(['redis-server'], folder, aborted);
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

function unpackedProgram(folder: string): RedisProgram {
  const command = ['redis-server', 'valkey-server']
    .map((name) => join(folder, 'usr', 'bin', name))
    .find(existsSync);
  if (command === undefined)
    throw new Refusal(`There is no Redis in ${folder}. Please remove that folder and start again.`);
  return { command, libraries: libraryFolders(folder) };
}
