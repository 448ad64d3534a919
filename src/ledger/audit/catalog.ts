import { type Catalog, expectedCatalog, expectedOfServer, readCatalog } from '../../../migrations/catalog.ts';
import type { Database } from '../../platform/database.ts';
import { Difference } from '../difference.ts';
import { logTables } from '../publishing/new-origin.ts';

/**
 * Compares the database's catalog with that of a fresh `migrate`: tables, columns, constraints, triggers, functions, sequences, rights,
 * roles, settings, and everything else that decides what can be stored. Operators can add non-unique indexes and sports.
 */
export async function* auditCatalog(
  database: Database,
  onRemark: (remark: string) => void = () => {},
): AsyncGenerator<Difference> {
  const found = await readCatalog(database);
  const ofServer = await serverCatalog(database, onRemark);
  const declared = new Map([...expectedCatalog(), ...(ofServer ?? [])]);
  for (const [name, sentence] of differences(declared, found)) {
    if (earlierLog.test(name) || (ofServer === undefined && name.startsWith('system '))) continue;
    const suspects = name === 'system functions' ? await lastChanged(database) : '';
    yield new Difference('catalog', name, null, `${sentence}${suspects}`);
  }
}

function* differences(declared: Catalog, found: Catalog): Generator<[name: string, sentence: string]> {
  for (const [name, definition] of declared) {
    const actual = found.get(name);
    if (isFreeIndex(definition)) continue;
    if (actual === undefined) yield [name, `it is missing; ${remedyOf(name, definition)}`];
    else if (actual !== definition) yield [name, `it is ${quoted(actual)}; ${remedyOf(name, definition)}`];
  }
  for (const [name, definition] of found) {
    if (declared.has(name) || isFreeIndex(definition) || addedSport.test(name)) continue;
    yield [name, `${surplus(name, definition)}, or name it in AUDIT_EXPECTED`];
  }
}

function surplus(name: string, definition: string): string {
  if (name.startsWith('server setting ')) return `it is ${quoted(definition)}; set it back`;
  const shown = definition === '' ? '' : ` (${shortened(definition)})`;
  return `no migration creates it${shown}; remove it`;
}

/** A non-unique index enforces nothing. */
const isFreeIndex = (definition: string) => definition.startsWith('CREATE INDEX');

const addedSport = /^row \S+ of sports$/;

/** Objects that each `migrate` recreates. */
const remade = /^(function|rights|role|setting) /;

function remedyOf(name: string, definition: string): string {
  if (name.startsWith('row ')) return 'insert it again as migrations/sql does';
  if (name.startsWith('system ')) return 'compare with a new server of this version';
  if (remade.test(name)) return 'run `migrate`';
  return definition === '' ? 'create it again' : `it must be ${quoted(definition)}`;
}

/** Objects in which `new-origin` keeps an earlier log. */
const earlierLog = new RegExp(
  `^(schema log_[1-9][0-9]*$|(table|column) log_[1-9][0-9]*\\.(${logTables.join('|')})(\\.|$))`,
);

async function serverCatalog(
  database: Database,
  onRemark: (remark: string) => void,
): Promise<Catalog | undefined> {
  const { rows } = await database.raw(`select current_setting('server_version_num')::int as version`);
  const catalog = expectedOfServer(rows[0].version);
  if (catalog === undefined)
    onRemark('the built-in functions of this PostgreSQL version are unknown, so they were not compared');
  return catalog;
}

/** Names the most recently changed built-in functions as a hint, because the hash does not show which one changed. */
async function lastChanged(database: Database): Promise<string> {
  const { rows }: { rows: { name: string }[] } = await database.raw(
    `select oid::regprocedure::text as name from pg_proc where oid < 16384 and pronamespace = 'pg_catalog'::regnamespace
     order by age(xmin), oid limit 3`,
  );
  return `; those changed last are ${rows.map(({ name }) => name).join(', ')}`;
}

const shortened = (definition: string) =>
  definition.length > 500 ? `${definition.slice(0, 500)}...` : definition;

const quoted = (definition: string) => (definition === '' ? 'there' : `\`${shortened(definition)}\``);
