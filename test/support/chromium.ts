import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { onPath } from '../../src/local/processes.ts';
import {
  canFetchPackages,
  fetchProgram,
  libraryPath,
  type PackagedProgram,
  unpackedProgram,
} from '../../src/local/system-packages.ts';
import type { Say } from '../../src/local/terminal.ts';

export interface Chromium {
  executablePath: string;
  env: Record<string, string>;
}

/** Chromium without its window system: pages load in a third to a half of the time, and the download is smaller. */
const packaged: PackagedProgram = {
  packages: ['chromium-headless-shell', 'fonts-liberation'],
  paths: ['usr/lib/chromium/chromium-headless-shell'],
};
const packagesDir = resolve(import.meta.dirname, '..', '..', '.data', 'packages');

/**
 * Finds Chromium: the one that `CHROMIUM` names, else one on the PATH, else one fetched once from the system's packages.
 * @throws Error that says how to get one if that fails; browser tests are never skipped
 */
export async function findChromium(say: Say, signal?: AbortSignal): Promise<Chromium> {
  const given =
    process.env.CHROMIUM ||
    onPath('chromium-headless-shell') ||
    onPath('chromium') ||
    onPath('chromium-browser') ||
    onPath('google-chrome') ||
    onPath('google-chrome-stable');
  if (given) return { executablePath: given, env: {} };
  const folder = join(packagesDir, 'chromium-headless-shell');
  if (!existsSync(folder)) {
    if (!canFetchPackages())
      throw new Error('There is no Chromium here. Install one, or set CHROMIUM to its path.');
    say("Fetching Chromium from the system's packages (once) ...");
    mkdirSync(packagesDir, { recursive: true });
    await fetchProgram(packaged, folder, signal);
  }
  const program = unpackedProgram(packaged, folder);
  return {
    executablePath: program.command,
    env: { ...libraryPath(program), FONTCONFIG_FILE: fontConfiguration(folder) },
  };
}

/** The system may have neither fonts nor a fontconfig configuration. */
function fontConfiguration(folder: string): string {
  const file = join(folder, 'fonts.conf');
  writeFileSync(
    file,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
<dir>${folder}/usr/share/fonts</dir>
<dir>/usr/share/fonts</dir>
<cachedir>${folder}/fontconfig-cache</cachedir>
</fontconfig>
`,
  );
  return file;
}
