import { hash as digest } from 'node:crypto';
import { type Bodies, bodyHash, type Kind } from '../../proof/bodies.ts';
import { canonical } from '../../proof/canonical.ts';
import { utf8 } from '../../proof/encoding.ts';
import { entryText } from '../../proof/entry.ts';
import { leafHash } from '../../proof/tree.ts';
import {
  type StoredEvent,
  type SubjectColumn,
  subjectColumns,
  subjectOf,
  subjects,
} from './stored-events.ts';

/** A row of `ledger_entries`, its hashes in hex. One of the columns that refer to a row is set. */
export interface LogEntry extends Record<SubjectColumn, number | null> {
  seq: number;
  kind: Kind;
  /** The last price that a closing or settlement could use; null for other kinds, and without prices. */
  prices_to: number | null;
  uuid: string | null;
  capper: string | null;
  capper_seq: number | null;
  capper_prev: string | null;
  hash: string;
  prev: string | null;
  leaf_hash: string;
  /** The canonical JSON of the body; null for events of picks, whose bodies derive from the ledger's tables. */
  body: string | null;
}

export interface Chains {
  /** By handle: the capper's last sealed pick. */
  cappers: Map<string, { seq: number; hash: string | null }>;
  /** By pick id: the hash of its last event, and its number among the capper's picks. */
  picks: Map<number, { hash: string; capperSeq: number }>;
}

export type Links = Pick<LogEntry, 'capper_seq' | 'capper_prev' | 'prev' | 'prices_to'>;

/** An event that cannot become an entry; the message says why. */
export class UnsealableEvent extends Error {
  override name = 'UnsealableEvent';
}

/**
 * @param pricesTo the number of the last price that a closing or settlement could use; null if there is none, and for other kinds
 * @throws UnsealableEvent if the pick's posted event has no entry yet, or the body cannot be hashed
 */
export function entryOf(
  event: StoredEvent,
  seq: number,
  chains: Chains,
  pricesTo: number | null = null,
): LogEntry {
  const mayUsePrices = event.kind === 'closed' || event.kind === 'settled';
  const links = { ...linksOf(event, chains), prices_to: mayUsePrices ? pricesTo : null };
  const body = linkedBody(event, links);
  const ofPick = 'pickId' in event;
  const named = {
    seq,
    kind: event.kind,
    uuid: ofPick ? event.body.uuid : null,
    capper: ofPick ? event.capper : null,
    capper_seq: links.capper_seq,
    hash: hashOf(event.kind, body),
    prev: links.prev,
  };
  if (ofPick) extendChains(event, named.hash, links, chains);
  return {
    ...named,
    ...noSubject,
    [subjects[event.kind].column]: subjectOf(event),
    prices_to: links.prices_to,
    capper_prev: links.capper_prev,
    leaf_hash: leafOf(named),
    body: ofPick ? null : canonical(body),
  };
}

const noSubject = Object.fromEntries(subjectColumns.map((column) => [column, null])) as Record<
  SubjectColumn,
  null
>;

/** Returns the text of a stored entry. Its bytes are the leaf. */
export function textOf({
  seq,
  kind,
  uuid,
  capper,
  capper_seq,
  hash,
  prev,
}: Omit<LogEntry, keyof Subject>): string {
  return entryText({ v: 1, seq, kind, uuid, capper, capper_seq, hash, prev });
}

type Subject = Pick<LogEntry, SubjectColumn | 'prices_to' | 'capper_prev' | 'leaf_hash' | 'body'>;

export function leafOf(entry: Omit<LogEntry, keyof Subject>): string {
  return Buffer.from(leafHash(utf8(textOf(entry)), sha256)).toString('hex');
}

/** Returns the body as hashed: the stored fields plus the links, which the entry stores. */
export function linkedBody(
  event: StoredEvent,
  { capper_seq, capper_prev, prev, prices_to }: Links,
): Bodies[Kind] {
  if (event.kind === 'posted') return { ...event.body, capper_seq, capper_prev } as Bodies['posted'];
  if (event.kind === 'closed') return { ...event.body, prev, prices_to } as Bodies['closed'];
  if (event.kind === 'settled') return { ...event.body, prev, prices_to } as Bodies['settled'];
  return event.body;
}

function hashOf(kind: Kind, body: Bodies[Kind]): string {
  try {
    return bodyHash(kind, body, sha256);
  } catch (error) {
    // The message of `canonical()` names the field.
    if (error instanceof TypeError) throw new UnsealableEvent(error.message);
    throw error;
  }
}

function linksOf(event: StoredEvent, chains: Chains): Omit<Links, 'prices_to'> {
  if (!('pickId' in event)) return { capper_seq: null, capper_prev: null, prev: null };
  if (event.kind === 'posted') {
    const last = chains.cappers.get(event.capper) ?? { seq: 0, hash: null };
    return { capper_seq: last.seq + 1, capper_prev: last.hash, prev: null };
  }
  const before = chains.picks.get(event.pickId);
  if (before === undefined)
    throw new UnsealableEvent(`pick ${event.pickId} was ${event.kind} before it was sealed`);
  return { capper_seq: before.capperSeq, capper_prev: null, prev: before.hash };
}

function extendChains(
  event: StoredEvent & { pickId: number; capper: string },
  hash: string,
  { capper_seq }: Pick<Links, 'capper_seq'>,
  { cappers, picks }: Chains,
): void {
  const capperSeq = capper_seq!;
  if (event.kind === 'posted') cappers.set(event.capper, { seq: capperSeq, hash });
  picks.set(event.pickId, { hash, capperSeq });
}

/**
 * SHA-256 of `node:crypto`, much faster than the portable one. The detour through a string takes half the time of `hash(…, 'buffer')`,
 * which allocates outside the heap.
 */
export function sha256(bytes: Uint8Array): Uint8Array {
  return Buffer.from(digest('sha256', bytes, 'binary'), 'latin1');
}
