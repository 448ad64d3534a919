import { readFileSync } from 'node:fs';
import { dumpSchema, nameOf, normalized, statementsOf } from '../../../migrations/schema-dump.ts';
import type { Database } from '../../platform/database.ts';
import { Difference } from '../difference.ts';
import { logTables } from '../publishing/new-origin.ts';

/** The schema as `migrate` makes it. */
const file = new URL('../../../docs/schema.sql', import.meta.url);

/** Compares the schema of the database with `docs/schema.sql`. An index that is not unique guards nothing, so an operator may add one. */
export async function* auditSchema(database: Database): AsyncGenerator<Difference> {
  const expected = statementsOf(readFileSync(file, 'utf8'));
  const found = new Map((await dumpSchema(database)).map(({ sql }) => [nameOf(sql), normalized(sql)]));
  for (const [name, statement] of expected) {
    if (statement.startsWith('create index')) continue;
    const actual = found.get(name);
    if (actual === undefined) yield differs(name, 'it is missing');
    else if (actual !== statement)
      yield differs(name, `migrations make it otherwise; it is ${shown(actual)}`);
  }
  for (const [name, statement] of found)
    if (!expected.has(name) && !statement.startsWith('create index') && !earlierLog.test(name))
      yield differs(name, 'no migration makes it');
}

/** Tables in which `new-origin` keeps an earlier log. */
const earlierLog = new RegExp(`^table log_[1-9][0-9]*\\.(${logTables.join('|')})$`);

/** The part of a statement that a line of a report has room for. */
const shown = (statement: string) => (statement.length > 500 ? `${statement.slice(0, 500)}...` : statement);

const differs = (name: string, sentence: string) => new Difference('schema', name, null, sentence);
