import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Replaces a file as a whole: a reader sees the old text or the new one, and once this returns the new one outlasts a power cut. */
export function writeDurably(path: string, text: string, mode = 0o644): void {
  writeFileSync(`${path}.new`, text, { flush: true, mode });
  renameSync(`${path}.new`, path);
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
