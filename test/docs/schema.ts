import { tableRights } from '../../migrations/grants.ts';
import { tables } from '../../migrations/rights.ts';
import { dumpSchema, type SchemaObject } from '../../migrations/schema-dump.ts';
import type { Database } from '../../src/platform/database.ts';

const header = `-- The database that \`migrate\` makes from migrations/sql, written by \`npm run docs\`.
-- Triggers always fire, also under replication. Each table lists the rights of the processes; the auditor may read.`;

/** Returns the text of `docs/schema.sql`, from a migrated database. */
export async function schemaDocument(database: Database): Promise<string> {
  const paragraphs: string[] = [header];
  for (const object of await dumpSchema(database)) {
    const { name, of, sql } = object;
    if (name === of && !isPartition(sql)) paragraphs.push(commentOf(object) + withColumnComments(object));
    else paragraphs.push(`${paragraphs.pop()}\n${sql}`);
  }
  return `${paragraphs.join('\n\n')}\n`;
}

/** Returns the objects without a comment that should have one. */
export async function uncommented(database: Database): Promise<string[]> {
  const objects = await dumpSchema(database);
  return objects
    .filter(({ name, comment }) => /^(?:table|domain|function) /.test(name) && comment === null)
    .filter(({ sql }) => !isPartition(sql))
    .map(({ name }) => name);
}

const isPartition = (sql: string) => /^create table \S+ partition of /.test(sql);

function commentOf({ name, comment }: SchemaObject): string {
  const table = /^table (.*)/.exec(name)?.[1];
  const lines = [comment, table === undefined ? null : rightsOf(table)].filter((line) => line !== null);
  return lines.map((line) => `-- ${line}\n`).join('');
}

function rightsOf(table: string): string | null {
  const rights = Object.entries(tableRights(tables[table] ?? {})).filter(
    ([login, right]) => right !== '' && login !== 'auditor',
  );
  return rights.length === 0
    ? null
    : `Rights: ${rights.map(([login, right]) => `${login} ${right}`).join('; ')}.`;
}

/** Puts the comment on each column above it. */
function withColumnComments({ sql, columnComments }: SchemaObject): string {
  let text = sql;
  for (const { column, comment } of columnComments ?? [])
    text = text.replace(`\n  ${column} `, () => `\n  -- ${comment}\n  ${column} `);
  return text;
}
