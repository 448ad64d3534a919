import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal, type Say } from './refusal.ts';
import {
  canFetchPackages,
  fetchProgram,
  onPath,
  type PackagedProgram,
  type UnpackedProgram,
  unpackedProgram,
} from './system-packages.ts';

const packaged: PackagedProgram = {
  packages: ['redis-server'],
  // Where a distribution replaced Redis by Valkey, the package of the old name brings the new server.
  paths: ['usr/bin/redis-server', 'usr/bin/valkey-server'],
};

/**
 * Finds a Redis or Valkey server: on the PATH, else fetched before, else fetched now from the system's packages (Debian, Ubuntu and
 * their derivatives) into `packagesDir`.
 * @throws Refusal that says how to get one, where that is impossible
 */
export async function redisProgram(
  packagesDir: string,
  say: Say,
  aborted: AbortSignal,
): Promise<UnpackedProgram> {
  const command = onPath('redis-server') ?? onPath('valkey-server');
  if (command !== undefined) return { command, libraries: [] };
  const folder = join(packagesDir, 'redis');
  try {
    if (!existsSync(folder)) {
      if (!canFetchPackages()) throw new Error('There is no apt-get here to fetch it with.');
      say("  fetching Redis from the system's packages (once) ...");
      await fetchProgram(packaged, folder, aborted);
    }
    return unpackedProgram(packaged, folder);
  } catch (error) {
    aborted.throwIfAborted();
    throw new Refusal(`${advice()}\n${(error as Error).message}`);
  }
}

function advice(): string {
  const how =
    process.platform === 'darwin'
      ? 'brew install redis'
      : "your system's package manager, or `apt-get install redis-server`";
  return `There is no redis-server or valkey-server here. Please install one (${how}), or set REDIS_URL.`;
}
