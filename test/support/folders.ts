import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..', '..');

/** The project's small season: fictional, and built to touch every rule. */
export const league = join(root, 'test', 'fixtures', 'league');

/** Returns the folder of real data, or undefined without one, which `npm test` reports. */
export function realData(): string | undefined {
  const folder = join(resolve(root, process.env.REAL_DATA ?? '../shared/data'), 'real');
  return existsSync(folder) ? folder : undefined;
}

/** Gives the tests of the surrounding `describe` a temporary folder. */
export function withFolder(): {
  write(name: string, rows: readonly (string | object)[]): string;
  path(): string;
} {
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'public-picks-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  return {
    path: () => folder,
    write(name, rows) {
      const path = join(folder, name);
      writeFileSync(
        path,
        rows.map((row) => `${typeof row === 'string' ? row : JSON.stringify(row)}\n`).join(''),
      );
      return path;
    },
  };
}
