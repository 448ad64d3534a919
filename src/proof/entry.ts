import { kinds } from './bodies.ts';
import { canonical, parseCanonical } from './canonical.ts';
import { hash, integer, nullable, type Of, oneOf, shape, text, uuid } from './shape.ts';

/** An entry of the log, one leaf of its tree. It names the event and its pick, and contains the hash of the body. */
const entryShape = shape({
  v: oneOf(1),
  /** Index of the entry in the log, from 0, without gaps. */
  seq: integer(0),
  kind: oneOf(...kinds),
  uuid: nullable(uuid),
  capper: nullable(text),
  /** Number of the pick among its capper's picks, equal in all of the pick's entries. */
  capper_seq: nullable(integer(1)),
  hash,
  /** Hash of the pick's previous event; null for all but `closed` and `settled`. */
  prev: nullable(hash),
});

export type Entry = Of<typeof entryShape>;

/** @throws TypeError that names the invalid key */
function checkEntry(entry: unknown): asserts entry is Entry {
  entryShape(entry, 'entry');
  const value = entry as Entry;
  const ofPick = value.kind === 'posted' || value.kind === 'closed' || value.kind === 'settled';
  if (ofPick && (value.uuid === null || value.capper === null || value.capper_seq === null)) {
    throw new TypeError(
      `entry.uuid, entry.capper and entry.capper_seq must name the pick that was ${value.kind}`,
    );
  }
  if ((value.kind === 'closed' || value.kind === 'settled') !== (value.prev !== null)) {
    throw new TypeError(
      `entry.prev must be the hash of the pick's previous event, and null if there is none`,
    );
  }
}

/**
 * Encodes an entry as `JCS({ v, seq, kind, uuid, capper, capper_seq, hash, prev })`. Its UTF-8 bytes are the leaf.
 *
 * @throws TypeError naming the invalid key
 */
export function entryText(entry: Entry): string {
  checkEntry(entry);
  return canonical(entry);
}

/** @throws SyntaxError if the text is not canonical JSON, TypeError if it is not an entry */
export function parseEntry(entry: string): Entry {
  const value = parseCanonical(entry);
  checkEntry(value);
  return value;
}
