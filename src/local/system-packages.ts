import { accessSync, constants, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runCommand } from './command.ts';

/** Whether programs can be fetched here at all: Debian, Ubuntu and their kin. */
export function canFetchPackages(): boolean {
  return onPath('apt-get') !== undefined && onPath('dpkg-deb') !== undefined;
}

/**
 * Downloads packages, with what they depend on and the system lacks, and unpacks all into `folder`. That takes no root, changes nothing of
 * the system, and starts no service.
 */
export async function fetchPackages(
  names: readonly string[],
  folder: string,
  signal?: AbortSignal,
): Promise<void> {
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
  const stopped = signal === undefined ? {} : { signal };
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
  try {
    // Its status is not asked: a hook of the system's may fail without root. What counts is whether the
    // download works.
    const updated = await runCommand('apt-get', [...own, 'update'], { env, ...stopped }).catch(String);
    const download = ['install', '--download-only', '--yes', '--no-install-recommends', ...names];
    await runCommand('apt-get', [...own, ...download], { env, ...stopped }).catch((error: Error) => {
      throw new Error(`${error.message}\n  ${updated.trim().split('\n').slice(-3).join('\n  ')}`);
    });
    for (const file of readdirSync(archives).filter((entry) => entry.endsWith('.deb'))) {
      await runCommand('dpkg-deb', ['-x', join(archives, file), unpacked], stopped);
    }
    renameSync(unpacked, folder);
  } catch (error) {
    // Another launcher may have fetched it meanwhile.
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Where the libraries of packages that were unpacked into `folder` are: for `LD_LIBRARY_PATH`. */
export function libraryFolders(folder: string): string[] {
  return ['lib', join('usr', 'lib')]
    .map((part) => join(folder, part))
    .filter(existsSync)
    .flatMap((part) => [part, ...subfolders(part)]);
}

function subfolders(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(folder, entry.name));
}

/** The full path of a program on the PATH. */
export function onPath(name: string): string | undefined {
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
