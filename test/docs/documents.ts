import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { catalogText, readCatalog } from '../../migrations/catalog.ts';
import type { Database } from '../../src/platform/database.ts';
import { clientOperations } from './client.ts';
import { schemaDocument } from './schema.ts';
import { settingsDocument } from './settings.ts';
import {
  beyondTable,
  boardsTable,
  columnsTable,
  formatsTable,
  roomsTable,
  rowsTable,
  runbookSections,
} from './tables.ts';

const root = resolve(import.meta.dirname, '..', '..');

/** A file that is generated, or has generated parts, from declarations in the code. */
export interface Document {
  path: string;
  /** The expected text. */
  text: string;
}

/** Returns the text of a file of the repository. */
export const textOf = (path: string): string => readFileSync(resolve(root, path), 'utf8');

/** Returns the documents that follow from only the code. */
export function documentsOfCode(): Document[] {
  return [
    { path: 'ARCHITECTURE.md', text: filled(textOf('ARCHITECTURE.md'), 'rooms', roomsTable()) },
    {
      path: 'docs/rules/intake.md',
      text: filled(filled(textOf('docs/rules/intake.md'), 'rows', rowsTable()), 'columns', columnsTable()),
    },
    {
      path: 'docs/rules/ledger.md',
      text: filled(textOf('docs/rules/ledger.md'), 'beyond', beyondTable()),
    },
    { path: 'docs/settings.md', text: settingsDocument() },
    { path: 'packages/client/src/operations.ts', text: clientOperations() },
    {
      path: 'docs/operations.md',
      text: filled(textOf('docs/operations.md'), 'runbook', runbookSections()),
    },
    {
      path: 'docs/api.md',
      text: filled(filled(textOf('docs/api.md'), 'boards', boardsTable()), 'formats', formatsTable()),
    },
  ];
}

/** Returns the documents that follow from the migrated database. */
export async function documentsOfDatabase(database: Database): Promise<Document[]> {
  const catalog = [...(await readCatalog(database))].filter(
    ([name]) => !name.startsWith('member test_service '),
  );
  return [
    { path: 'docs/schema.sql', text: await schemaDocument(database) },
    { path: 'migrations/catalog.txt', text: catalogText(new Map(catalog)) },
  ];
}

/** @throws Error if the text lacks the markers */
function filled(text: string, name: string, part: string): string {
  const place = new RegExp(`<!-- ${name} -->[^]*<!-- /${name} -->`);
  if (!place.test(text)) throw new Error(`the text lacks <!-- ${name} --> ... <!-- /${name} -->`);
  return text.replace(place, () => `<!-- ${name} -->\n${part}\n<!-- /${name} -->`);
}
