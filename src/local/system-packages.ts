import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { onPath, runCommand } from './processes.ts';
import type { Say } from './terminal.ts';

/** Reports whether programs can be fetched here: on Debian, Ubuntu, and their derivatives. */
export function canFetchPackages(): boolean {
  return onPath('apt-get') !== undefined && onPath('dpkg-deb') !== undefined;
}

export interface PackagedProgram {
  packages: readonly string[];
  /** Globs for the program in the unpacked packages. One of them must match. */
  paths: readonly string[];
}

export interface UnpackedProgram {
  command: string;
  /** Library folders, for `LD_LIBRARY_PATH`. */
  libraries: string[];
}

export interface FindOptions {
  title: string;
  /** In order of preference. */
  names: readonly string[];
  packaged: PackagedProgram;
  folder: string;
  say: Say;
  aborted?: AbortSignal;
}

/**
 * Finds a program on the PATH, or among those fetched before, or fetches it from the system's packages (Debian, Ubuntu, and their
 * derivatives). A damaged earlier copy is set aside.
 * @throws Error if none of them has it, or the download fails
 */
export async function findProgram(options: FindOptions): Promise<UnpackedProgram> {
  const { title, names, packaged, folder, say, aborted } = options;
  const command = names.map(onPath).find((path) => path !== undefined);
  if (command !== undefined) return { command, libraries: [] };
  if (existsSync(folder)) {
    const before = runnable(packaged, folder);
    if (before !== undefined) return before;
    const aside = `${folder}.damaged`;
    say(`  ${title} in ${folder} does not run: setting it aside as ${basename(aside)}`);
    rmSync(aside, { recursive: true, force: true });
    renameSync(folder, aside);
  }
  if (!canFetchPackages())
    throw new Error(`${title} is not installed, and apt-get is not available to fetch it.`);
  say(`  fetching ${title} from the system's packages (once) ...`);
  await fetchProgram(packaged, folder, aborted);
  return unpackedProgram(packaged, folder);
}

/** Returns a program fetched before; undefined if it is damaged: a file is missing, truncated, or not executable. */
function runnable(packaged: PackagedProgram, folder: string): UnpackedProgram | undefined {
  try {
    const program = unpackedProgram(packaged, folder);
    // A library cannot be run.
    if (/\.so(\.\d+)*$/.test(program.command)) return program;
    const env = { PATH: process.env.PATH, LC_ALL: 'C', ...libraryPath(program) };
    // The status does not matter, because some programs lack the option; 127 means that a library is missing.
    const { error, status, signal } = spawnSync(program.command, ['--version'], { env, timeout: 10_000 });
    const isLate = (error as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT';
    return isLate || (error === undefined && status !== 127 && signal === null) ? program : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Downloads a program with the dependencies that the system lacks, and unpacks everything to `folder`. Needs no root, changes nothing in
 * the system, and starts no service.
 * @throws Error if the download fails or the unpacked program lacks a library; `folder` then does not exist
 */
export async function fetchProgram(
  program: PackagedProgram,
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
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
  try {
    // The status of the update is ignored: a hook of the system may fail without root. The download decides.
    const updated = await runCommand('apt-get', [...own, 'update'], { env, signal }).catch(String);
    const download = ['install', '--download-only', '--yes', '--no-install-recommends', ...program.packages];
    await runCommand('apt-get', [...own, ...download], { env, signal }).catch((error: Error) => {
      if (
        /Temporary failure resolving|Could not (resolve|connect)|Cannot initiate the connection/.test(updated)
      )
        throw new Error("Cannot reach the servers of the system's packages: check the network.");
      throw new Error(`${error.message}\n  ${updated.trim().split('\n').slice(-3).join('\n  ')}`);
    });
    for (const file of readdirSync(archives).filter((entry) => entry.endsWith('.deb'))) {
      await runCommand('dpkg-deb', ['-x', join(archives, file), unpacked], { signal });
    }
    await checkLibraries(unpackedProgram(program, unpacked));
    renameSync(unpacked, folder);
  } catch (error) {
    // Another process may have fetched it meanwhile.
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** @throws Error if `folder` does not contain the program */
export function unpackedProgram({ packages, paths }: PackagedProgram, folder: string): UnpackedProgram {
  const [path] = paths.flatMap((pattern) => globSync(pattern, { cwd: folder }).sort().reverse());
  if (path === undefined) {
    throw new Error(`${folder} does not contain ${packages[0]}. Remove that folder and try again.`);
  }
  return { command: join(folder, path), libraries: libraryFolders(folder) };
}

/** Returns the environment variable that tells a program where its libraries are. */
export function libraryPath({ libraries }: Pick<UnpackedProgram, 'libraries'>): { LD_LIBRARY_PATH?: string } {
  return libraries.length === 0 ? {} : { LD_LIBRARY_PATH: libraries.join(delimiter) };
}

/** Does nothing without `ldd`. @throws Error that names the missing libraries */
export async function checkLibraries(program: UnpackedProgram): Promise<void> {
  if (onPath('ldd') === undefined) return;
  const env = { ...process.env, LC_ALL: 'C', ...libraryPath(program) };
  const listed = await runCommand('ldd', [program.command], { env });
  const missing = [...new Set([...listed.matchAll(/^\s*(\S+) => not found$/gm)].map(([, name]) => name))];
  if (missing.length > 0) {
    throw new Error(
      `${basename(program.command)} lacks libraries that no fetched package contains: ${missing.join(', ')}.`,
    );
  }
}

/** Returns all folders below `folder` with a shared library: packages keep some in private folders. */
function libraryFolders(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const libraries = entries.filter((entry) => !entry.isDirectory() && /\.so(\.|$)/.test(entry.name));
  return [...new Set(libraries.map(({ parentPath }) => parentPath))].sort();
}
