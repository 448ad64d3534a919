import { join } from 'node:path';
import { findProgram, type PackagedProgram, type UnpackedProgram } from '../../src/local/system-packages.ts';
import { Refusal } from '../../src/local/terminal.ts';
import type { StackContext } from './stack.ts';

/**
 * Finds a program: on the PATH, else in the system's packages.
 * @param name of the program, and of the folder for its packages
 * @throws Refusal if neither has it
 */
export async function packagedProgram(
  name: string,
  packaged: PackagedProgram,
  { packagesDir, say, aborted }: Pick<StackContext, 'packagesDir' | 'say' | 'aborted'>,
): Promise<UnpackedProgram> {
  const folder = join(packagesDir, name);
  try {
    return await findProgram({ title: name, names: [name], packaged, folder, say, aborted });
  } catch (error) {
    aborted.throwIfAborted();
    throw new Refusal((error as Error).message);
  }
}
