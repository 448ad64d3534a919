import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../../src/local/refusal.ts';
import {
  canFetchPackages,
  fetchProgram,
  onPath,
  type PackagedProgram,
  type UnpackedProgram,
  unpackedProgram,
} from '../../src/local/system-packages.ts';
import type { StackContext } from './stack.ts';

/**
 * Finds a program: on the PATH, else in the system's packages, fetched once (Debian, Ubuntu and their derivatives).
 * @param name of the program, and of the folder that its packages are unpacked into
 * @throws Refusal where neither has it
 */
export async function packagedProgram(
  name: string,
  packaged: PackagedProgram,
  { packagesDir, say, aborted }: Pick<StackContext, 'packagesDir' | 'say' | 'aborted'>,
): Promise<UnpackedProgram> {
  const command = onPath(name);
  if (command !== undefined) return { command, libraries: [] };
  const folder = join(packagesDir, name);
  if (!existsSync(folder)) {
    if (!canFetchPackages()) throw new Refusal(`There is no ${name} here, and no apt-get to fetch it with.`);
    say(`  fetching ${name} from the system's packages (once) ...`);
    await fetchProgram(packaged, folder, aborted);
  }
  return unpackedProgram(packaged, folder);
}
