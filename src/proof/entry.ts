import type { Kind } from './bodies.ts';
import { canonical, parseCanonical } from './canonical.ts';
import { hash, integer, nullable, oneOf, shape, text, uuid } from './shape.ts';

/** One leaf of the log: which event, of which pick, and the hash of its body. */
export interface Entry {
  v: 1;
  /** The entry's place in the log, from 0, without gaps. */
  seq: number;
  kind: Kind;
  uuid: string | null;
  capper: string | null;
  /** The pick's number among its capper's, the same in all of the pick's entries. */
  capper_seq: number | null;
  /** The hash of the body. */
  hash: string;
  /** The hash of the pick's event before this one; null for a posted pick and for what is not a pick's. */
  prev: string | null;
}

const entryShape: (value: unknown, path: string) => asserts value is Entry = shape<Entry>({
  v: oneOf(1),
  seq: integer(0),
  kind: oneOf('posted', 'closed', 'settled', 'key', 'notice'),
  uuid: nullable(uuid),
  capper: nullable(text),
  capper_seq: nullable(integer(1)),
  hash,
  prev: nullable(hash),
});

/** @throws TypeError that names the key at fault */
function checkEntry(value: unknown): asserts value is Entry {
  entryShape(value, 'entry');
  const ofPick = value.kind === 'posted' || value.kind === 'closed' || value.kind === 'settled';
  if (ofPick && (value.uuid === null || value.capper === null || value.capper_seq === null)) {
    throw new TypeError(
      `entry.uuid, entry.capper and entry.capper_seq must name the pick that was ${value.kind}`,
    );
  }
  if ((value.kind === 'closed' || value.kind === 'settled') !== (value.prev !== null)) {
    throw new TypeError(`entry.prev must be the hash of the pick's event before, where there is one`);
  }
}

/**
 * The text of an entry: `JCS({ v, seq, kind, uuid, capper, capper_seq, hash, prev })`. Its UTF-8 bytes are
 * the leaf.
 *
 * @throws TypeError that names the key at fault
 */
export function entryText(entry: Entry): string {
  checkEntry(entry);
  return canonical(entry);
}

/**
 * Reads the text of an entry.
 *
 * @throws SyntaxError when it is not canonical JSON, TypeError when it is not an entry
 */
export function parseEntry(entry: string): Entry {
  const value = parseCanonical(entry);
  checkEntry(value);
  return value;
}
