import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { onPath } from '../../src/local/processes.ts';
import { findProgram, libraryPath } from '../../src/local/system-packages.ts';
import type { Say } from '../../src/local/terminal.ts';

/**
 * Puts curl on this process's PATH, which the documents' commands call: from the system's packages, if the machine has none.
 * @throws Error if that fails
 */
export async function ensureCurl(packagesDir: string, say: Say, aborted: AbortSignal): Promise<void> {
  if (onPath('curl') !== undefined) return;
  const folder = join(packagesDir, 'curl');
  const packaged = { packages: ['curl'], paths: ['usr/bin/curl'] };
  const program = await findProgram({ title: 'curl', names: ['curl'], packaged, folder, say, aborted });
  const commands = join(folder, 'commands');
  mkdirSync(commands, { recursive: true });
  const libraries = Object.entries(libraryPath(program)).map(([name, path]) => `${name}='${path}' `);
  writeFileSync(join(commands, 'curl'), `#!/bin/sh\n${libraries.join('')}exec '${program.command}' "$@"\n`, {
    mode: 0o755,
  });
  process.env.PATH = `${commands}${delimiter}${process.env.PATH}`;
}
