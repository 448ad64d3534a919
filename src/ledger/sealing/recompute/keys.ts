import type { Database } from '../../../platform/database.ts';
import { changedFile, type DataIndex, openDataIndex } from '../../../proof/data-index.ts';
import { openKeyAnnouncement } from '../../../proof/key-announcement.ts';
import { parseNote } from '../../../proof/signed-note.ts';
import { formatVerifierKey, parseVerifierKey, type VerifierKey } from '../../../proof/verifier-key.ts';
import { Difference } from '../../difference.ts';

export interface KnownKeys {
  origin: string;
  /** The log's keys, oldest first. */
  own: VerifierKey[];
  witnesses: VerifierKey[];
}

/** @returns null if nothing was ever signed. @throws Difference */
export async function auditKeys(database: Database): Promise<KnownKeys | null> {
  const origins: { id: number; origin: string }[] = await database('ledger_origin').select('id', 'origin');
  const rows: { id: number; vkey: string; note: string | null }[] =
    await database('signing_keys').orderBy('id');
  const signed: { note: string } | undefined = await database('checkpoints').orderBy('size').first('note');
  if (rows.length === 0 && signed === undefined) return null;
  const origin = origins.find(({ id }) => id === 1)?.origin;
  if (origin === undefined) throw new Difference('ledger_origin', 'id 1', null, 'it is missing');
  if (origins.length > 1) throw new Difference('ledger_origin', 'id 1', 'id', 'there is more than one row');

  const own: VerifierKey[] = [];
  for (const [index, row] of rows.entries()) {
    if (row.id < index + 1)
      throw new Difference('signing_keys', `id ${row.id}`, 'id', 'it has no place in the chain of keys');
    if (row.id > index + 1) throw new Difference('signing_keys', `id ${index + 1}`, null, 'it is missing');
    own.push(await auditKey(origin, row, own.at(-1), signed?.note));
  }
  if (own.length === 0) throw new Difference('signing_keys', 'id 1', null, 'it is missing');
  return { origin, own, witnesses: await witnessKeys(database) };
}

async function auditKey(
  origin: string,
  { id, vkey, note }: { id: number; vkey: string; note: string | null },
  before: VerifierKey | undefined,
  firstCheckpoint: string | undefined,
): Promise<VerifierKey> {
  const key = parsed('signing_keys', `id ${id}`, vkey);
  if (key.name !== origin) {
    const isOld = firstCheckpoint?.startsWith(`${key.name}\n`) === true;
    throw isOld
      ? new Difference('ledger_origin', 'id 1', 'origin', `it is ${origin}, but ${key.name} has signed`)
      : new Difference('signing_keys', `id ${id}`, 'vkey', `it is a key of ${key.name}, not of ${origin}`);
  }
  if (before === undefined) {
    if (note !== null)
      throw new Difference('signing_keys', `id ${id}`, 'note', 'the first key has an announcement');
    return key;
  }
  const faulty = (sentence: string) => new Difference('signing_keys', `id ${id}`, 'note', sentence);
  if (note === null) throw faulty('it is missing');
  try {
    const announced = await openKeyAnnouncement(note, origin, before);
    if (formatVerifierKey(announced.key) !== vkey)
      throw new Difference('signing_keys', `id ${id}`, 'vkey', `${announced.key.id} was announced`);
  } catch (error) {
    if (error instanceof Difference) throw error;
    if (!signedBy(note, before))
      throw new Difference('signing_keys', `id ${id - 1}`, 'vkey', `key ${id} was announced by another`);
    throw faulty((error as Error).message);
  }
  return key;
}

/** Skips rows whose announcement the previous key did not sign, because the sealing login could insert such rows. */
export async function announcedKeys<Row extends { vkey: string; note: string | null }>(
  rows: readonly Row[],
): Promise<(Row & { key: VerifierKey })[]> {
  const keys: (Row & { key: VerifierKey })[] = [];
  for (const row of rows) {
    const key = await announcedKey(row, keys.at(-1)?.key);
    if (key !== undefined) keys.push({ ...row, key });
  }
  return keys;
}

async function announcedKey(
  { vkey, note }: { vkey: string; note: string | null },
  before: VerifierKey | undefined,
): Promise<VerifierKey | undefined> {
  try {
    const key = parseVerifierKey(vkey);
    if (before === undefined || note === null) return before === undefined ? key : undefined;
    const announced = await openKeyAnnouncement(note, before.name, before);
    return formatVerifierKey(announced.key) === vkey ? key : undefined;
  } catch {
    return undefined;
  }
}

function signedBy(note: string, { id }: VerifierKey): boolean {
  try {
    return parseNote(note).signatures.some((signature) => signature.id === id);
  } catch {
    return true;
  }
}

async function witnessKeys(database: Database): Promise<VerifierKey[]> {
  const vkeys: string[] = await database('witness_keys').orderBy('vkey').pluck('vkey');
  return vkeys.map((vkey) => parsed('witness_keys', vkey, vkey));
}

function parsed(table: string, row: string, vkey: string): VerifierKey {
  try {
    return parseVerifierKey(vkey);
  } catch (error) {
    throw new Difference(table, row, 'vkey', (error as Error).message);
  }
}

/** A stored index of data files: opened, or the reason why it cannot be one. */
type StoredDataIndex = { id: number; note: string } & (
  | { index: DataIndex; fault?: undefined }
  | { index?: undefined; fault: Difference }
);

/** Oldest first. An index must be signed by the log and repeat every line of the index before: a file never changes. */
export async function dataIndexes(database: Database): Promise<StoredDataIndex[]> {
  const rows: { id: number; note: string }[] = await database('data_indexes')
    .orderBy('id')
    .select('id', 'note');
  if (rows.length === 0) return [];
  const [{ origin } = { origin: '' }]: { origin: string }[] = await database('ledger_origin').where({
    id: 1,
  });
  const known = await announcedKeys<{ vkey: string; note: string | null }>(
    await database('signing_keys').orderBy('id').select('vkey', 'note'),
  );
  const keys = known.map(({ key }) => key);
  let files: DataIndex['files'] = [];
  const found: StoredDataIndex[] = [];
  for (const row of rows) {
    const faulty = (sentence: string) =>
      found.push({ ...row, fault: new Difference('data_indexes', `id ${row.id}`, 'note', sentence) });
    try {
      const index = await openDataIndex(row.note, origin, keys);
      const changed = changedFile(files, index);
      if (changed !== undefined) {
        faulty(`it changes or leaves out ${changed}, which an index before it lists`);
        continue;
      }
      found.push({ ...row, index });
      files = index.files;
    } catch (error) {
      faulty((error as Error).message);
    }
  }
  return found;
}
