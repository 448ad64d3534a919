import type { Database } from '../../platform/database.ts';
import { type Bodies, bodyHash, kinds } from '../../proof/bodies.ts';
import { Difference } from '../difference.ts';
import { readEntries } from '../publishing/published.ts';
import { type Chains, entryOf, type LogEntry, leafOf, linkedBody, sha256 } from '../sealing/log-entry.ts';
import { pricesTo } from '../sealing/number-prices.ts';
import { eventOf, findBodies, type StoredEvent, subjectColumns, subjects } from '../sealing/stored-events.ts';
import { bodyDifference } from './pick-columns.ts';

/** Columns that the leaf hash covers. */
const covered = ['kind', 'uuid', 'capper', 'capper_seq', 'hash', 'prev'] as const;

/** Further columns that follow from the entry's event. */
const derived = ['capper_prev', 'body', ...subjectColumns, 'prices_to'] as const;

/** Entries per query. */
export const batch = 2_000;

/** A run of entries and their events; undefined for an event that is not stored. */
export interface Run {
  entries: LogEntry[];
  events: (StoredEvent | undefined)[];
}

/** Reads entries from `seq` on. From 0, also reads entries with a negative `seq`. */
export async function readRun(database: Database, seq: number, limit = batch): Promise<Run> {
  const from = seq === 0 ? Number.MIN_SAFE_INTEGER : seq;
  const entries = await readEntries(database, (query) => query.where('seq', '>=', from).limit(limit));
  const events = await findBodies(database, entries.map(eventOf));
  return { entries, events };
}

/**
 * Recomputes a run of entries from their events, and compares every column.
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
  /** The reason why the event cannot become an entry. */
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

/** Explains a difference: a changed entry, if its leaf hash does not match it, or else a changed row behind it. */
async function explain(
  database: Database,
  stored: LogEntry,
  event: StoredEvent | undefined,
  recomputed: Recomputed,
): Promise<Difference> {
  const differs = (column: string | null, sentence: string) =>
    new Difference('ledger_entries', `seq ${stored.seq}`, column, sentence);
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
  differs: (column: string | null, sentence: string) => Difference,
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
