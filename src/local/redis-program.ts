import { join } from 'node:path';
import { Refusal, type Say } from './refusal.ts';
import { findProgram, type PackagedProgram, type UnpackedProgram } from './system-packages.ts';

const packaged: PackagedProgram = {
  packages: ['redis-server'],
  // Where a distribution replaced Redis by Valkey, the package of the old name brings the new server.
  paths: ['usr/bin/redis-server', 'usr/bin/valkey-server'],
};

/**
 * Finds a Redis or Valkey server; one from the system's packages is in `packagesDir`.
 * @throws Refusal that says how to get one, where that is impossible
 */
export async function redisProgram(
  packagesDir: string,
  say: Say,
  aborted: AbortSignal,
): Promise<UnpackedProgram> {
  const names = ['redis-server', 'valkey-server'];
  try {
    const folder = join(packagesDir, 'redis');
    return await findProgram({ title: 'Redis', names, packaged, folder, say, aborted });
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
