import type { LogClient } from '../../src/monitor/log-client.ts';
import { bodyHash, type KeyBody } from '../../src/proof/bodies.ts';
import { signCheckpoint } from '../../src/proof/checkpoint.ts';
import { hex, utf8 } from '../../src/proof/encoding.ts';
import { type Entry, entryText } from '../../src/proof/entry.ts';
import { announceKey } from '../../src/proof/key-announcement.ts';
import type { Signer } from '../../src/proof/signed-note.ts';
import { formatVerifierKey } from '../../src/proof/verifier-key.ts';
import { logSigner, ORIGIN, testSigner } from '../proof/example-log.ts';
import { naiveConsistency, naiveRoot } from '../proof/naive-tree.ts';

export const trusted = formatVerifierKey(logSigner.key);

/** A log in memory that does what it is told to, also what no log may do. */
export interface MemoryLog {
  /** Appends an entry; what is left out follows from the number of entries. */
  add(entry: Partial<Entry> & Pick<Entry, 'kind'>): Entry;
  /** Announces a key, signed by the one before, and signs with it from now on. */
  rotate(signer: Signer, before?: Signer): Promise<void>;
  /** Another one with the same entries so far. */
  clone(): MemoryLog;
  /** What a reader sees; by default all of it. */
  client(size?: number): LogClient;
  /** Replaces the text of an entry, as one who rewrites history. */
  rewrite(seq: number, fields: Partial<Entry>): void;
}

export function createMemoryLog(
  entries: string[] = [],
  bodies = new Map<number, unknown>(),
  first: Signer = logSigner,
): MemoryLog {
  let signer = first;
  const leaves = (size: number) => entries.slice(0, size).map((entry) => utf8(entry));
  const self: MemoryLog = {
    add(given) {
      const seq = entries.length;
      const entry: Entry = {
        v: 1,
        seq,
        uuid: null,
        capper: null,
        capper_seq: null,
        hash: seq.toString(16).padStart(64, '0'),
        prev: null,
        ...given,
      };
      entries.push(entryText(entry));
      return entry;
    },
    async rotate(next, before = signer) {
      const note = await announceKey(ORIGIN, '2026-03-01T00:00:00.000Z', next, before);
      const body: KeyBody = { v: 1, note };
      bodies.set(entries.length, body);
      self.add({ kind: 'key', hash: bodyHash('key', body) });
      signer = next;
    },
    clone: () => createMemoryLog([...entries], new Map(bodies), signer),
    rewrite(seq, fields) {
      entries[seq] = entryText({ ...(JSON.parse(entries[seq]!) as Entry), ...fields });
    },
    client: (size = entries.length) => ({
      checkpoint: () => signCheckpoint({ origin: ORIGIN, size, root: naiveRoot(leaves(size)) }, [signer]),
      async *entries(from, to) {
        for (let seq = from; seq < to; seq += 3) yield leaves(to).slice(seq, seq + 3);
      },
      body: (seq) => Promise.resolve(bodies.get(seq)),
      consistency: (from, to) => Promise.resolve(naiveConsistency(from, leaves(to)).map((hash) => hex(hash))),
      keys: () => Promise.resolve([signer.key]),
    }),
  };
  return self;
}

const uuidOf = (n: number) => `3f2504e0-4f89-41d3-9a0c-${String(n).padStart(12, '0')}`;

/** Adds the posted event of pick `n`. */
export function post(log: MemoryLog, capper: string, number: number, n: number): Entry {
  return log.add({ kind: 'posted', uuid: uuidOf(n), capper, capper_seq: number });
}

/** Adds an event that follows another of the same pick. */
export function follow(
  log: MemoryLog,
  before: Entry,
  kind: 'closed' | 'settled',
  fields: Partial<Entry> = {},
): Entry {
  const { uuid, capper, capper_seq, hash } = before;
  return log.add({ kind, uuid, capper, capper_seq, prev: hash, ...fields });
}

export const otherSigner = await testSigner(ORIGIN, 9);
