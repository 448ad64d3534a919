import type { Database } from '../../platform/database.ts';
import { type Bodies, bodyHash, kinds } from '../../proof/bodies.ts';
import { hex } from '../../proof/encoding.ts';
import { TILE_HEIGHT } from '../../proof/tiles.ts';
import { append, type Frontier } from '../../proof/tree.ts';
import { Difference, differencesIn, differing } from '../difference.ts';
import { closedFields, copiedFields, settledFields } from '../events.ts';
import { columnName, type Field } from '../field.ts';
import { pickFields } from '../pick.ts';
import { copiedColumns } from '../pick-forms.ts';
import { readEntries } from '../publishing/published.ts';
import { type Chains, entryOf, type LogEntry, leafOf, linkedBody, sha256 } from '../sealing/log-entry.ts';
import { pricesTo } from '../sealing/number-prices.ts';
import { eventOf, findBodies, type StoredEvent, subjectColumns, subjects } from '../sealing/stored-events.ts';

const covered = ['kind', 'uuid', 'capper', 'capper_seq', 'hash', 'prev'] as const;

const derived = ['capper_prev', 'body', ...subjectColumns, 'prices_to'] as const;

export const batch = 2_000;

/** Undefined for an event that is not stored. */
export interface Run {
  entries: LogEntry[];
  events: (StoredEvent | undefined)[];
}

/** From 0, also reads entries with a negative `seq`. */
export async function readRun(database: Database, seq: number, limit = batch): Promise<Run> {
  const from = seq === 0 ? Number.MIN_SAFE_INTEGER : seq;
  const entries = await readEntries(database, (query) => query.where('seq', '>=', from).limit(limit));
  const events = await findBodies(database, entries.map(eventOf));
  return { entries, events };
}

/**
 * @param seq the expected `seq` of the first entry
 * @returns the entries' leaf hashes, in hex
 * @throws Difference
 */
export async function auditRun(
  database: Database,
  { entries, events }: Run,
  seq: number,
  chains: Chains,
): Promise<string[]> {
  const leaves: string[] = [];
  for (const [offset, entry] of entries.entries()) {
    if (entry.seq !== seq + offset) throw misplaced(entry.seq, seq + offset);
    const recomputed = recompute(events[offset], entry, chains);
    if (!(recomputed.entry !== undefined && isSame(recomputed.entry, entry)))
      throw await explain(database, entry, events[offset], recomputed);
    // Settled picks have no further events, so the chain need not remember them.
    if (entry.kind === 'settled') chains.picks.delete(entry.pick_id!);
    leaves.push(entry.leaf_hash);
  }
  return leaves;
}

function misplaced(found: number, expected: number): Difference {
  return found < expected
    ? new Difference('ledger_entries', `seq ${found}`, 'seq', 'it has no place in the log')
    : new Difference('ledger_entries', `seq ${expected}`, null, 'it is missing');
}

interface Recomputed {
  entry?: LogEntry;
  fault?: string;
}

function recompute(event: StoredEvent | undefined, { seq, prices_to }: LogEntry, chains: Chains): Recomputed {
  if (event === undefined) return {};
  try {
    // The hash covers `prices_to`, and `auditPrices` compares it with the stored prices.
    return { entry: entryOf(event, seq, chains, prices_to) };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}

function isSame(one: LogEntry, other: LogEntry): boolean {
  return (
    one.leaf_hash === other.leaf_hash &&
    covered.every((column) => one[column] === other[column]) &&
    derived.every((column) => one[column] === other[column])
  );
}

/** A changed entry, if its leaf hash does not match it, or else a changed row behind it. */
async function explain(
  database: Database,
  stored: LogEntry,
  event: StoredEvent | undefined,
  recomputed: Recomputed,
): Promise<Difference> {
  const differs = differing('ledger_entries', `seq ${stored.seq}`);
  if (ownLeaf(stored) !== stored.leaf_hash) return entryDifference(stored, recomputed.entry, differs);

  const { entry, fault } = recomputed;
  const surplus = subjectColumns.find(
    (column) => column !== subjects[stored.kind].column && stored[column] !== null,
  );
  if (surplus !== undefined) return differs(surplus, otherwise(null));
  if (await namesOtherPick(database, stored)) return differs('pick_id', `pick ${stored.uuid} has another id`);
  if (event === undefined) return missingSubject(stored);
  if (entry === undefined || entry.hash !== stored.hash) {
    if (entry !== undefined && 'lastLineId' in event) {
      const bound = (await pricesTo(database, [event])).get(event) ?? null;
      const body = linkedBody(event, { ...entry, prices_to: bound }) as Bodies['closed' | 'settled'];
      if (bodyHash(event.kind, body, sha256) === stored.hash) return differs('prices_to', otherwise(bound));
    }
    const chained = fault !== undefined && /before it was sealed/.test(fault);
    return chained ? differs(null, fault) : await bodyDifference(database, stored, event, fault);
  }
  const column =
    derived.find((name) => entry[name] !== stored[name]) ??
    covered.find((name) => entry[name] !== stored[name]);
  return differs(column ?? null, column === undefined ? 'it differs' : otherwise(entry[column]));
}

/** Explains an entry that does not match its own leaf hash: a column or the hash was changed. */
function entryDifference(
  stored: LogEntry,
  expected: LogEntry | undefined,
  differs: ReturnType<typeof differing>,
): Difference {
  const kind = kinds.find((each) => ownLeaf({ ...stored, kind: each }) === stored.leaf_hash);
  if (kind !== undefined) return differs('kind', otherwise(kind));
  const changed = covered.find((column) => expected !== undefined && expected[column] !== stored[column]);
  if (changed === undefined)
    return differs(expected === undefined ? null : 'leaf_hash', `its columns give ${ownLeaf(stored)}`);
  const others = covered.filter((column) => expected![column] !== stored[column]);
  return others.length === 1
    ? differs(changed, otherwise(expected![changed]))
    : differs(null, `it is not the entry that was sealed here: ${others.join(', ')} differ`);
}

const otherwise = (expected: string | number | null) => `it must be ${expected}`;

function ownLeaf(entry: LogEntry): string {
  try {
    return leafOf(entry);
  } catch (error) {
    return (error as Error).message;
  }
}

/** Reports whether the entry's uuid names a pick other than `pick_id` whose event has the entry's hash. */
async function namesOtherPick(database: Database, stored: LogEntry): Promise<boolean> {
  const { uuid, pick_id, kind, hash } = stored;
  if (uuid === null) return false;
  const named: { id: number } | undefined = await database('picks').where({ uuid }).first('id');
  if (named === undefined || named.id === pick_id) return false;
  const [event] = await findBodies(database, [{ kind, subjectId: named.id }]);
  try {
    return event !== undefined && bodyHash(kind, linkedBody(event, stored), sha256) === hash;
  } catch {
    return false;
  }
}

function missingSubject(entry: LogEntry): Difference {
  const { kind, seq, uuid } = entry;
  const { table, key, column } = subjects[kind];
  const whose = uuid === null ? '' : ` (pick ${uuid})`;
  const sentence = `it is missing, but entry ${seq} of the log refers to it${whose}`;
  return new Difference(table, `${key} ${entry[column]}`, null, sentence);
}

/**
 * Compares the subtrees that the leaves complete with the stored nodes.
 * @param onSize called after each leaf
 * @throws Difference
 */
export async function auditNodes(
  database: Database,
  frontier: Frontier,
  leaves: readonly string[],
  onSize: (size: number) => void,
): Promise<void> {
  const from = frontier.size;
  const expected: string[][] = [];
  for (const leaf of leaves) {
    const nodes = append(frontier, Buffer.from(leaf, 'hex'), sha256);
    for (let level = 1; level < nodes.length; level += 1) {
      expected[level] ??= [];
      expected[level]!.push(hex(nodes[level]!));
    }
    onSize(frontier.size);
  }
  for (let level = TILE_HEIGHT; level < expected.length; level += TILE_HEIGHT) {
    const first = Math.floor(from / 2 ** level);
    await compareLevel(database, level, first, expected[level] ?? []);
  }
}

async function compareLevel(
  database: Database,
  level: number,
  first: number,
  expected: readonly string[],
): Promise<void> {
  const rows: { index: number; hash: Buffer }[] = await database('ledger_nodes')
    .where({ level })
    .whereBetween('index', [first, first + expected.length - 1])
    .orderBy('index')
    .select('index', 'hash');
  expected.forEach((hash, offset) => {
    const index = first + offset;
    const differs = differing('ledger_nodes', `level ${level} index ${index}`);
    const row = rows[offset];
    if (row?.index !== index) throw differs(null, 'it is missing');
    if (row.hash.toString('hex') !== hash) throw differs('hash', `the entries below it give ${hash}`);
  });
}

/** @throws Difference */
export async function auditOrphanNodes(database: Database, size: number): Promise<void> {
  const orphans = differencesIn(
    database,
    `select 'ledger_nodes' as "table", format('level %s index %s', level, index) as row, null as column,
       format('a tree of %s entries has no such node', cast(:size as bigint)) as sentence
     from ledger_nodes
     where level < 1 or level > 52 or level % ${TILE_HEIGHT} <> 0 or index < 0 or (index + 1) * power(2, level) > :size
     order by level, index limit 1`,
    { size },
  );
  for await (const orphan of orphans) throw orphan;
}

const copiesOf = (event: keyof typeof copiedFields) =>
  Object.fromEntries(copiedFields[event].map(({ field, column }) => [columnName(field), column]));

/** Columns that boards copy. No proof depends on the copies. The hash shows that a column changed, and the copies help to name it. */
const copies = {
  posted: {
    table: 'picks',
    key: 'id',
    columns: Object.fromEntries(
      copiedColumns
        .filter((column) => column !== 'starts_at' && column !== 'book')
        .map((column) => [column, column]),
    ),
  },
  closed: { table: 'closings', key: 'pick_id', columns: copiesOf('closed') },
  settled: { table: 'settlements', key: 'pick_id', columns: copiesOf('settled') },
} as const;

const fieldsOf = { posted: pickFields, closed: closedFields, settled: settledFields };

/** The row's body does not match the entry's hash. @param fault why the body cannot be hashed */
async function bodyDifference(
  database: Database,
  entry: LogEntry,
  event: StoredEvent,
  fault: string | undefined,
): Promise<Difference> {
  const sentence = `it does not have the hash ${entry.hash} that was sealed as entry ${entry.seq}`;
  if (!('pickId' in event))
    return new Difference(subjects[event.kind].table, `id ${event.subjectId}`, null, sentence);
  const { table, key, columns } = copies[event.kind];
  const row = `${key} ${event.pickId}`;
  // A fault begins with the path of the field: `pick/v1.odds_american`.
  const path = /^[a-z]+\/v1\.([a-z_0-9.]+)/.exec(fault ?? '')?.[1];
  if (path !== undefined) {
    // If only some parts of an object are null, any of them could have been changed.
    const field = Object.values<Field>(fieldsOf[event.kind]).find(({ hashed }) => hashed === path);
    const named = path.includes('.') || field === undefined ? null : columnName(field);
    return new Difference(table, row, named, fault!);
  }
  if (event.kind === 'posted' && entry.capper !== event.capper)
    return new Difference(table, row, 'capper_id', `${sentence}; it was posted by ${entry.capper}`);
  const pairs = Object.entries(columns);
  const { rows }: { rows: Record<string, boolean>[] } = await database.raw(
    `select ${pairs.map(([ours, theirs]) => `t.${ours} is distinct from b.${theirs} as ${ours}`).join(', ')}
     from ${table} t join board_picks b on b.pick_id = t.${key} where t.${key} = ?`,
    [event.pickId],
  );
  const column = pairs.map(([ours]) => ours).find((ours) => rows[0]?.[ours] === true) ?? null;
  return new Difference(table, row, column, sentence);
}
