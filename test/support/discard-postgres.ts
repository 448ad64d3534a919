import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { keptJson } from '../../src/local/environment.ts';

/** Removes the embedded PostgreSQL of a data folder. No server may run on it. */
export function discardPostgres(dataDir: string): void {
  const notes = join(dataDir, 'postgres.json');
  const { folder } = keptJson(notes, {});
  if (folder !== undefined) rmSync(resolve(dataDir, folder), { recursive: true, force: true });
  rmSync(notes, { force: true });
}
