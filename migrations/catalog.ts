import { readFileSync } from 'node:fs';
import type { Database } from '../src/platform/database.ts';

const query = readFileSync(new URL('catalog.sql', import.meta.url), 'utf8').replaceAll('?', '\\?');
const file = new URL('catalog.txt', import.meta.url);

/** Definitions by name, such as `trigger picks_posted of picks`. An object without a definition has an empty one. */
export type Catalog = ReadonlyMap<string, string>;

/** Reads the objects that `migrations/catalog.sql` lists: everything that decides what can be stored in a database, and by whom. */
export async function readCatalog(database: Database): Promise<Catalog> {
  const rows = await database.transaction(async (transaction) => {
    // The role's search_path could redirect the query to other tables, and it decides which names include a schema.
    await transaction.raw('set local search_path = pg_catalog, public, pg_temp');
    return (await transaction.raw(query)).rows as { name: string; definition: string }[];
  });
  return new Map(rows.map(({ name, definition }) => [name, definition]));
}

/** Reads the catalog that `migrate` creates from `migrations/catalog.txt`, which `npm run docs` writes. */
export function expectedCatalog(): Catalog {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return new Map(
    lines.map((line) => {
      const at = line.indexOf(': ');
      return at === -1 ? [line, ''] : [line.slice(0, at), line.slice(at + 2)];
    }),
  );
}

/** Returns the text of `migrations/catalog.txt`, without entries that depend on the server. */
export function catalogText(catalog: Catalog): string {
  const lines = [...catalog].filter(([name]) => !ofServer.test(name));
  return lines
    .map(([name, definition]) => `${definition === '' ? name : `${name}: ${definition}`}\n`)
    .join('');
}

/** Names that no migration creates: settings of the server, and its own functions and views. */
const ofServer = /^(server setting|system (functions|views)$)/;

/**
 * Hashes that `migrations/catalog.sql` gives for the functions of each major version of PostgreSQL, and for the views that it reads. All
 * releases of a major version share them.
 */
const systemHashes: Readonly<Record<string, readonly [functions: string, views: string]>> = {
  15: ['79900821c3cbde1032b44082d7c8b8b1', '72e553db8481e220c76d8968d4c73377'],
  16: ['36c471d7c53611449283f59a835e58bc', '8f97c117417056b07c17022b33aebcd2'],
  17: ['a3a26fab8ba73383f5fa540d71b303eb', '8f97c117417056b07c17022b33aebcd2'],
  18: ['c09affa6231203a328f797e24c08b0fa', '8f97c117417056b07c17022b33aebcd2'],
};

/** Returns the expected entries of PostgreSQL itself, by a version number such as 180004; undefined for an unknown major version. */
export function expectedOfServer(version: number): Catalog | undefined {
  const hashes = systemHashes[Math.floor(version / 10_000)];
  if (hashes === undefined) return undefined;
  return new Map([
    ['system functions', hashes[0]],
    ['system views', hashes[1]],
  ]);
}
