import type { LogClient } from '../../src/monitor/log-client.ts';
import { bodyHash, type ClosingBody, type PickBody, type SettlementBody } from '../../src/proof/bodies.ts';
import { signCheckpoint } from '../../src/proof/checkpoint.ts';
import { type DataFile, signDataIndex } from '../../src/proof/data-index.ts';
import { hex, utf8 } from '../../src/proof/encoding.ts';
import { type Entry, entryText } from '../../src/proof/entry.ts';
import { announceKey } from '../../src/proof/key-announcement.ts';
import { sha256 } from '../../src/proof/sha256.ts';
import type { Signer } from '../../src/proof/signed-note.ts';
import { leafHash } from '../../src/proof/tree.ts';
import { formatVerifierKey } from '../../src/proof/verifier-key.ts';
import {
  exampleClosing,
  examplePick,
  exampleSettlement,
  logSigner,
  ORIGIN,
  testSigner,
} from '../proof/example-log.ts';
import { naiveConsistency, naiveInclusion, naiveRoot } from '../proof/naive-tree.ts';

export const trusted = formatVerifierKey(logSigner.key);

/** An in-memory log that follows instructions, including those that no honest log would. */
export interface MemoryLog {
  /** Appends an entry. Missing fields follow from the number of entries. */
  add(entry: Partial<Entry> & Pick<Entry, 'kind'>, body?: unknown): Entry;
  pick(uuid: string): PickBody;
  /** Serves another body than the sealed one. */
  replaceBody(seq: number, body: unknown): void;
  /** Announces a key, signed by the previous one, and signs with it from now on. */
  rotate(signer: Signer, before?: Signer): Promise<void>;
  /** The data files by name. */
  files: Map<string, Uint8Array>;
  /** Adds an index of data files. */
  list(files: DataFile[]): Promise<Entry>;
  clone(): MemoryLog;
  /** Returns a reader's view. Default: all of it. */
  client(size?: number): LogClient;
  /** Replaces the text of an entry, rewriting history. */
  rewrite(seq: number, fields: Partial<Entry>): void;
}

export function createMemoryLog(
  entries: string[] = [],
  bodies = new Map<number, unknown>(),
  first: Signer = logSigner,
  files = new Map<string, Uint8Array>(),
): MemoryLog {
  let signer = first;
  const leaves = (size: number) => entries.slice(0, size).map((entry) => utf8(entry));
  const checkpoint = (size: number) =>
    signCheckpoint({ origin: ORIGIN, size, root: naiveRoot(leaves(size)) }, [signer]);
  const receiptOf = async (uuid: string, size: number) => {
    const own = entries.slice(0, size).flatMap((text, seq) => {
      const entry: Entry = JSON.parse(text);
      return entry.uuid === uuid ? { entry, text, seq, body: bodies.get(seq) } : [];
    });
    if (own.length === 0) return undefined;
    const events = own.map(async ({ entry: { kind }, text, seq }) => ({
      event: kind,
      seq,
      entry: text,
      leafHash: hex(leafHash(utf8(text), sha256)),
      treeSize: size,
      rootHash: hex(naiveRoot(leaves(size))),
      checkpoint: await checkpoint(size),
      inclusion: naiveInclusion(seq, leaves(size)).map((hash) => hex(hash)),
    }));
    const of = (wanted: string) => own.find(({ entry: { kind } }) => kind === wanted);
    const [posted, closed, settled] = [of('posted'), of('closed'), of('settled')];
    return {
      pickUuid: uuid,
      hashStatus: 'sealed',
      pick: posted?.body,
      pick_hash: posted?.entry.hash,
      closing: closed?.body ?? null,
      closing_hash: closed?.entry.hash ?? null,
      settlement: settled?.body ?? null,
      settlement_hash: settled?.entry.hash ?? null,
      clv_bps: (closed?.body as ClosingBody | undefined)?.clv_bps ?? null,
      proof: { origin: ORIGIN, events: await Promise.all(events), keys: [], prices: [] },
    };
  };
  const self: MemoryLog = {
    files,
    async list(files) {
      const note = await signDataIndex({ origin: ORIGIN, at: '2026-03-01T00:00:00.000Z', files }, signer);
      const body = { v: 1 as const, note };
      return self.add({ kind: 'data', hash: bodyHash('data', body) }, body);
    },
    add(given, body) {
      const seq = entries.length;
      if (body !== undefined) bodies.set(seq, body);
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
      const body = { v: 1 as const, note };
      bodies.set(entries.length, body);
      self.add({ kind: 'key', hash: bodyHash('key', body) });
      signer = next;
    },
    clone: () => createMemoryLog([...entries], new Map(bodies), signer, new Map(files)),
    pick(uuid) {
      const found = [...bodies.values()].find((body) => {
        const pick = body as Partial<PickBody>;
        return pick.uuid === uuid && pick.capper !== undefined;
      });
      if (found === undefined) throw new Error(`no pick ${uuid}`);
      return found as PickBody;
    },
    replaceBody: (seq, body) => bodies.set(seq, body),
    rewrite(seq, fields) {
      entries[seq] = entryText({ ...(JSON.parse(entries[seq]!) as Entry), ...fields });
    },
    client: (size = entries.length) => ({
      checkpoint: () => checkpoint(size),
      async *entries(from, to) {
        for (let seq = from; seq < to; seq += 3) yield leaves(to).slice(seq, seq + 3);
      },
      body: (seq) => Promise.resolve(bodies.get(seq)),
      prices: () => Promise.resolve(undefined),
      checkpoints: async (from, to) => ({
        checkpoints: await Promise.all(
          Array.from({ length: to - from }, (_, at) => checkpoint(from + at + 1)),
        ),
        witnesses: [],
      }),
      dataFile: ({ name }) => Promise.resolve(files.get(name)),
      followers: () => Promise.resolve(undefined),
      receipt: (uuid) => receiptOf(uuid, size),
      consistency: (from, to) => Promise.resolve(naiveConsistency(from, leaves(to)).map((hash) => hex(hash))),
      keys: () => Promise.resolve([signer.key]),
    }),
  };
  return self;
}

/** Adds the posted event of pick `n`. */
export function post(
  log: MemoryLog,
  capper: string,
  number: number,
  n: number,
  fields: Partial<PickBody> = {},
): Entry {
  const before = number === 1 ? null : '0'.repeat(64);
  const body = examplePick(n, { capper, capper_seq: number, capper_prev: before, ...fields });
  const { uuid } = body;
  return log.add({ kind: 'posted', uuid, capper, capper_seq: number, hash: bodyHash('posted', body) }, body);
}

/** Adds an event that follows another of the same pick. */
export function follow(
  log: MemoryLog,
  before: Entry,
  kind: 'closed' | 'settled',
  fields: Partial<Entry> = {},
  bodyFields: Partial<ClosingBody> | Partial<SettlementBody> = {},
): Entry {
  const { uuid, capper, capper_seq } = before;
  const prev = fields.prev ?? before.hash;
  if (fields.uuid !== undefined || !isKnown(log, uuid!))
    return log.add({ kind, uuid, capper, capper_seq, prev, ...fields });
  const pick = log.pick(uuid!);
  const body =
    kind === 'closed'
      ? { ...exampleClosing(pick), prev, prices_to: null, ...(bodyFields as Partial<ClosingBody>) }
      : exampleSettlement(pick, prev, {
          grader: 'score',
          prices_to: null,
          ...(bodyFields as Partial<SettlementBody>),
        });
  return log.add(
    { kind, uuid, capper, capper_seq, prev, hash: bodyHash(kind, body as never), ...fields },
    body,
  );
}

function isKnown(log: MemoryLog, uuid: string): boolean {
  try {
    return log.pick(uuid) !== undefined;
  } catch {
    return false;
  }
}

export const otherSigner = await testSigner(ORIGIN, 9);
