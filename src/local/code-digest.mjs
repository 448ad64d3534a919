// @ts-check

// Plain JavaScript without packages: `bootstrap.mjs` runs it under whatever Node the machine has (20 or newer).

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A digest of the state of the code in a folder, by sizes and times of its files: of what runs, of the packages, and of the Node that
 * package-lock.json names among them.
 * @param {string} root folder of the project
 * @returns {string}
 */
export function digestOfCode(root) {
  const hash = createHash('sha256')
    .update(`${root}\n`)
    .update(readFileSync(join(root, 'package-lock.json')));
  const files = ['src', 'workers', 'migrations'].flatMap((folder) =>
    filesIn(join(root, folder)).filter((file) => /\.(ts|mjs)$/.test(file)),
  );
  for (const file of files.sort()) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file));
}
