import { publishCheckpoint } from '../../src/ledger/publishing/publish.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import type { Database, Transaction } from '../../src/platform/database.ts';
import type { RichLog } from '../support/rich-log.ts';

/** The append-only tables and the columns that identify their rows. */
const keysOf: Record<string, readonly string[]> = {
  picks: ['id'],
  closings: ['pick_id'],
  settlements: ['pick_id'],
  notices: ['id'],
  ledger_entries: ['seq'],
  ledger_nodes: ['level', 'index'],
  checkpoints: ['size'],
  ledger_origin: ['id'],
  signing_keys: ['id'],
  data_indexes: ['id'],
  witness_keys: ['vkey'],
};
export const appendOnly = Object.keys(keysOf);

/** A change of a database, and where an audit must find it. */
export interface Tampering {
  kind: string;
  /** For the message of a failing test. */
  about: string;
  /** Rows of which the difference must name one; undefined if any will do. */
  rows?: { table: string; row: string }[];
  /** The changed column. The difference may omit it, but must not name another. */
  column?: string;
  /** The tables, if several rows changed. */
  tables?: string[];
}

export type Random = () => number;

/** Returns reproducible numbers from 0 to 1 for a seed (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const below = (random: Random, n: number) => Math.floor(random() * n);
const oneOf = <T>(random: Random, list: readonly T[]): T => list[below(random, list.length)]!;

interface Column {
  name: string;
  type: string;
}

/** Allows a superuser everything in this database, a copy made for tampering. */
export async function unlock(owner: Database): Promise<void> {
  for (const table of [...appendOnly, 'price_batches'])
    await owner.raw(`alter table ${table} disable trigger all`);
  for (const table of ['picks', 'notices', 'data_indexes'])
    await owner.raw(`alter table ${table} alter column id drop identity`);
  const { rows } = await owner.raw(
    `select conrelid::regclass::text as table, conname as name from pg_constraint
     where contype in ('c', 'f') and conrelid = any(?::regclass[])`,
    [appendOnly],
  );
  for (const { table, name } of rows) await owner.raw(`alter table ${table} drop constraint "${name}"`);
}

/** Makes one change in a transaction. Undefined if the random change violates a constraint or changes nothing. */
export async function tamper(
  transaction: Transaction,
  random: Random,
  log: RichLog,
): Promise<Tampering | undefined> {
  const ways = [
    ...Array.from({ length: 12 }, () => changeColumn),
    removeRow,
    removeRow,
    swapRows,
    insertRow,
    restoreBackup,
    signSmallerTree,
    rewriteAll,
  ];
  const way = oneOf(random, ways);
  try {
    return await transaction.transaction((savepoint) => way(savepoint, random, log));
  } catch (error) {
    // Unique keys and types stay in force, since violations of them cannot exist in a database.
    if (/^(23|22)/.test((error as { code?: string }).code ?? '')) return undefined;
    throw error;
  }
}

type Row = Record<string, unknown>;

async function anyRow(transaction: Transaction, random: Random, table: string): Promise<Row> {
  const { rows } = await transaction.raw(`select ctid::text as "where", t.* from ${table} t order by ctid`);
  return oneOf(random, rows);
}

async function number(transaction: Transaction, query: string): Promise<number> {
  const { rows } = await transaction.raw(`select (${query}) as value`);
  return Number(rows[0].value);
}

async function columnsOf(transaction: Transaction, table: string): Promise<Column[]> {
  const { rows } = await transaction.raw(
    `select column_name as name, udt_name as type from information_schema.columns
     where table_schema = 'public' and table_name = ? order by ordinal_position`,
    [table],
  );
  return rows;
}

function nameOf(table: string, row: Row): { table: string; row: string } {
  const names = (keysOf[table] ?? ['id']).map((key) => (key === 'vkey' ? row[key] : `${key} ${row[key]}`));
  return { table, row: names.join(' ') };
}

/** Tables with many columns are chosen more often. */
const tableOfColumns = (random: Random) =>
  oneOf(random, [
    ...appendOnly,
    'picks',
    'picks',
    'picks',
    'closings',
    'settlements',
    'ledger_entries',
    'ledger_entries',
  ]);

/** Returns the row that an entry names. A changed reference to a missing row looks like the removal of that row. */
function namedBy(table: string, column: string, id: unknown): { table: string; row: string }[] {
  const subject = {
    notice_id: 'notices',
    key_id: 'signing_keys',
    move_id: 'start_moves',
    join_id: 'game_joins',
    capper_key_id: 'capper_keys',
    prices_id: 'price_batches',
    data_id: 'data_indexes',
  }[column];
  return table === 'ledger_entries' && subject !== undefined ? [nameOf(subject, { id })] : [];
}

async function changeColumn(transaction: Transaction, random: Random): Promise<Tampering | undefined> {
  const table = tableOfColumns(random);
  const row = await anyRow(transaction, random, table);
  // No entry covers these; the audit of closings checks them.
  const derived = ['last_line_id', 'fair_e9', 'fair_books', 'edge_method', 'edge_source'];
  const columns = (await columnsOf(transaction, table)).filter(({ name }) => !derived.includes(name));
  const column = oneOf(random, columns);
  const value = otherValue(random, column, row[column.name]);
  const { rowCount } = await transaction.raw(
    `update ${table} set "${column.name}" = ? where ctid = ?::tid and "${column.name}" is distinct from ?`,
    [value, row.where as string, value] as never,
  );
  if (rowCount === 0) return undefined;
  return {
    kind: 'changed column',
    about: `${table}.${column.name} of ${nameOf(table, row).row}: ${shown(row[column.name])} to ${shown(value)}`,
    // A row with a changed key is known by the old key or by the new one.
    rows: [
      nameOf(table, row),
      nameOf(table, { ...row, [column.name]: value }),
      ...namedBy(table, column.name, value),
    ],
    column: column.name,
  };
}

function shown(value: unknown): string {
  return Buffer.isBuffer(value) ? value.toString('hex') : JSON.stringify(value);
}

/** Returns another value of the column's type. */
function otherValue(random: Random, { type }: Column, value: unknown): unknown {
  if (value !== null && random() < 0.1) return null;
  const n = 1 + below(random, 1000);
  switch (type) {
    case 'int2':
    case 'int4':
    case 'int8':
      return Number(value ?? 0) + (random() < 0.5 ? -n : n);
    case 'timestamptz':
      return new Date(Number(value ?? 0) + (random() < 0.5 ? -n : n));
    case 'bytea': {
      const bytes = Buffer.from((value as Buffer | null) ?? Buffer.alloc(32));
      bytes[below(random, bytes.length)]! ^= 1 << below(random, 8);
      return bytes;
    }
    case 'uuid': {
      const text = String(value ?? '00000000-0000-4000-8000-000000000000');
      const at = below(random, 8);
      return text.slice(0, at) + (text[at] === 'a' ? 'b' : 'a') + text.slice(at + 1);
    }
    case 'jsonb': {
      // Arrays hold the games of sets. Other documents are the prices of a closing.
      if (value === null || Array.isArray((value as unknown[])[0]))
        return JSON.stringify([[below(random, 8), n % 100]]);
      const prices = structuredClone(value) as { side: string; odds_american: number }[];
      const price = oneOf(random, prices);
      if (random() < 0.3) prices.pop();
      else if (random() < 0.5) price.side = `${price.side}x`;
      else price.odds_american += n;
      return JSON.stringify(prices);
    }
    default: {
      const text = String(value ?? '');
      const at = below(random, text.length + 1);
      return (
        text.slice(0, at) + oneOf(random, ['a', 'b', 'win', '7', 'é']) + text.slice(at + below(random, 3))
      );
    }
  }
}

async function removeRow(transaction: Transaction, random: Random): Promise<Tampering> {
  const table = oneOf(random, appendOnly);
  const row = await anyRow(transaction, random, table);
  await transaction.raw(`delete from ${table} where ctid = ?::tid`, [row.where as string]);
  const named = nameOf(table, row);
  return { kind: 'removed row', about: `${table} ${named.row}`, rows: [named] };
}

/** Swaps two rows: each gets all columns of the other except the key. */
async function swapRows(transaction: Transaction, random: Random): Promise<Tampering | undefined> {
  const table = oneOf(
    random,
    appendOnly.filter((name) => !['ledger_origin', 'witness_keys'].includes(name)),
  );
  const [one, other] = [await anyRow(transaction, random, table), await anyRow(transaction, random, table)];
  if (one.where === other.where) return undefined;
  const keys = keysOf[table]!;
  // A temporary key first, because the columns are unique.
  const set = keys.map((key) => `"${key}" = ?`).join(', ');
  const values = (row: Row) => keys.map((key) => row[key] as number);
  const away = keys.map(() => 30_000);
  const move = (to: number[], from: number[]) =>
    transaction.raw(`update ${table} set ${set} where ${set.replaceAll(', ', ' and ')}`, [...to, ...from]);
  await move(away, values(one));
  await move(values(one), values(other));
  await move(values(other), away);
  return {
    kind: 'swapped rows',
    about: `${table} ${nameOf(table, one).row} and ${nameOf(table, other).row}`,
    tables: [table, 'ledger_entries'],
  };
}

/** Inserts a row that resembles another one. */
async function insertRow(transaction: Transaction, random: Random): Promise<Tampering> {
  const table = oneOf(
    random,
    appendOnly.filter((name) => name !== 'witness_keys'),
  );
  const row: Row = await anyRow(transaction, random, table);
  const { where: _, ...copy } = row;
  const [key] = keysOf[table]!;
  const last = table === 'ledger_nodes' ? 'index' : key!;
  const max = await number(transaction, `select max("${last}") from ${table}`);
  copy[last] = max + 1 + below(random, 3);
  if ('uuid' in copy)
    copy.uuid = `${String(below(random, 1e8)).padStart(8, '0')}-0000-4000-8000-000000000000`;
  if (table === 'ledger_entries')
    for (const name of ['pick_id', 'notice_id', 'key_id', 'data_id'])
      if (copy[name] !== null) copy[name] = Number(copy[name]) + 1_000_000;
  if (table === 'ledger_entries' && copy.capper_seq !== null) copy.capper_seq = 9_999;
  if (table === 'checkpoints') copy.previous = max;
  if (table === 'signing_keys') copy.vkey = `${copy.vkey}x`;
  if (table === 'closings') copy.prices = JSON.stringify(copy.prices);
  const columns = await columnsOf(transaction, table);
  const stored = columns.map(({ name, type }) =>
    type === 'timestamptz' && copy[name] !== null ? new Date(copy[name] as number) : copy[name],
  );
  await transaction.raw(
    `insert into ${table} (${columns.map(({ name }) => `"${name}"`).join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    stored as never,
  );
  return {
    kind: 'inserted row',
    about: `${table} ${nameOf(table, copy).row}`,
    tables: [table],
  };
}

/** Restores the database to an earlier number of entries. */
async function toEarlierSize(transaction: Transaction, random: Random): Promise<number> {
  const count = await number(transaction, 'select count(*) from ledger_entries');
  // Games would still have starts that moved after that.
  const first = await number(
    transaction,
    "select coalesce(max(seq), 0) + 1 from ledger_entries where kind in ('start_moved', 'game_joined')",
  );
  const size = first + below(random, count - first);
  const later = (kind: string, column: string) =>
    `(select ${column} from ledger_entries where kind = '${kind}' and seq >= ${size})`;
  await transaction.raw(`delete from settlements where pick_id in ${later('settled', 'pick_id')}`);
  await transaction.raw(`delete from closings where pick_id in ${later('closed', 'pick_id')}`);
  await transaction.raw(`delete from picks where id in ${later('posted', 'pick_id')}`);
  await transaction.raw(`delete from notices where id in ${later('notice', 'notice_id')}`);
  await transaction.raw(`delete from signing_keys where id in ${later('key', 'key_id')}`);
  await transaction.raw(`delete from data_indexes where id in ${later('data', 'data_id')}`);
  await transaction.raw(`delete from price_batches where id in ${later('prices', 'prices_id')}`);
  await transaction.raw(`delete from ledger_entries where seq >= ${size}`);
  await transaction.raw(`delete from ledger_nodes where (index + 1) * power(2, level) > ${size}`);
  await transaction.raw(`delete from checkpoints where size > ${size}`);
  return size;
}

/** At least one checkpoint older: nothing outside can know what was never signed. */
async function restoreBackup(transaction: Transaction, random: Random): Promise<Tampering> {
  const size = await toEarlierSize(transaction, random);
  // The witness's key arrived with the checkpoint that it cosigned.
  await transaction.raw(
    `delete from witness_keys where not exists (select from checkpoints where note like '%witness.example%')`,
  );
  return { kind: 'restored backup', about: `of ${size} entries`, tables: ['ledger_entries', 'signing_keys'] };
}

async function signSmallerTree(transaction: Transaction, random: Random, log: RichLog): Promise<Tampering> {
  await restoreBackup(transaction, random);
  // The signer has the newest key, which is announced again if its announcement is gone.
  const count = await number(transaction, 'select count(*) from signing_keys');
  const keyed = count === 1 ? { ...log.publisher, key: firstKey } : log.publisher;
  const size = await publishCheckpoint(transaction, { ...keyed, store: undefined }, log.now);
  return {
    kind: 're-signed smaller tree',
    about: `of ${size} entries`,
    tables: ['ledger_entries', 'signing_keys'],
  };
}

const firstKey = Buffer.alloc(32, 9).toString('base64');

/** Changes a pick and rewrites the whole log from there, with the true key, at its full size. */
async function rewriteAll(transaction: Transaction, random: Random, log: RichLog): Promise<Tampering> {
  const { rows } = await transaction.raw(
    `select seq, pick_id from ledger_entries where kind = 'posted' order by seq`,
  );
  const { seq, pick_id }: { seq: number; pick_id: number } = oneOf(random, rows);
  // Other odds would contradict the closing and the settlement, which sealing would set aside.
  await transaction('picks')
    .where({ id: pick_id })
    .update({ pick: `Rewritten ${below(random, 100)}` });
  await transaction.raw(
    `insert into unsealed_events (kind, subject_id)
     select kind, coalesce(pick_id, notice_id, key_id, move_id, join_id, capper_key_id, prices_id, data_id) from ledger_entries where seq >= ? order by seq`,
    [seq],
  );
  const size = await number(transaction, 'select count(*) from ledger_entries');
  await transaction.raw('delete from ledger_entries where seq >= ?', [seq]);
  await transaction.raw('delete from ledger_nodes where (index + 1) * power(2, level) > ?', [seq]);
  await transaction.raw('delete from checkpoints where size > ?', [seq]);
  await sealAll(transaction);
  await publishCheckpoint(transaction, { ...log.publisher, store: undefined }, log.now);
  return {
    kind: 'rewritten log',
    about: `pick ${pick_id} of ${size} entries`,
    tables: ['CHECKPOINT_STORE', 'checkpoints', 'checkpoint_times', 'witness_keys'],
  };
}
