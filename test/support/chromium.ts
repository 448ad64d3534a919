import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { canFetchPackages, fetchPackages, libraryFolders, onPath } from '../../src/local/system-packages.ts';

/** A Chromium that can be started. */
export interface Chromium {
  executablePath: string;
  env: Record<string, string>;
}

const packagesDir = resolve(import.meta.dirname, '..', '..', '.data', 'packages');

/**
 * Finds Chromium: the one named by `CHROMIUM`, else on the PATH, else fetched (once) from the system's packages and only unpacked.
 * @throws Error that tells how to get one, where that is impossible: browser tests are never left out
 */
export async function findChromium(): Promise<Chromium> {
  const given =
    process.env.CHROMIUM ||
    onPath('chromium') ||
    onPath('chromium-browser') ||
    onPath('google-chrome') ||
    onPath('google-chrome-stable');
  if (given) return { executablePath: given, env: {} };
  const folder = join(packagesDir, 'chromium');
  if (!existsSync(folder)) {
    if (!canFetchPackages())
      throw new Error('There is no Chromium here. Install one, or name it in CHROMIUM.');
    mkdirSync(packagesDir, { recursive: true });
    await fetchPackages(['chromium', 'fonts-liberation'], folder);
  }
  return {
    executablePath: join(folder, 'usr/lib/chromium/chromium'),
    env: {
      LD_LIBRARY_PATH: libraryFolders(folder).join(':'),
      FONTCONFIG_FILE: fontConfiguration(folder),
    },
  };
}

/** The system may have neither fonts nor a configuration of them. */
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
