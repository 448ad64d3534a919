import type { FollowersAnswer, LogClient } from '../../src/monitor/log-client.ts';
import { bodyHash } from '../../src/proof/bodies.ts';
import { parseCheckpoint, signCheckpoint } from '../../src/proof/checkpoint.ts';
import { fromUtf8, hex, utf8 } from '../../src/proof/encoding.ts';
import { type Entry, entryText } from '../../src/proof/entry.ts';
import type { LoggedPrice } from '../../src/proof/prices.ts';
import type { SealedReceipt } from '../../src/proof/receipt.ts';
import { sha256 } from '../../src/proof/sha256.ts';
import { parseNote } from '../../src/proof/signed-note.ts';
import { leafHash } from '../../src/proof/tree.ts';
import { logSigner, ORIGIN } from '../proof/example-log.ts';
import { naiveInclusion, naiveRoot } from '../proof/naive-tree.ts';

type Body = { uuid?: string; prev?: string | null; capper_prev?: string | null };

/** Changes that a lying log makes before it signs again. */
export interface Forgery {
  body?(kind: string, body: Body): Body;
  /** Matches entries that are left out. */
  without?(entry: Entry): boolean;
  /** The rows that it publishes for an entry. */
  shown?(rows: LoggedPrice[], seq: number): LoggedPrice[] | undefined;
  /** The rows that it puts into receipts. */
  receipt?(rows: LoggedPrice[], seq: number): LoggedPrice[] | undefined;
  followers?(all: FollowersAnswer | null | undefined): FollowersAnswer | null | undefined;
}

/**
 * Copies a log, changed by a forgery, with new hashes, chains, tree, signatures, and receipts: everything that a holder of the key could sign.
 * @param isPublic whether it publishes its prices
 */
export async function signAgain(log: LogClient, isPublic: boolean, forgery: Forgery): Promise<LogClient> {
  const { body: change = (_kind, body) => body, without = () => false } = forgery;
  const { size } = parseCheckpoint(parseNote(await log.checkpoint()).text);
  const texts: string[] = [];
  const bodies: Body[] = [];
  const rows = new Map<number, LoggedPrice[]>();
  /** The hash of the last event of each pick, and of the last pick of each capper. */
  const last = new Map<string | null, string>();
  /** The index that an entry has here. */
  const moved = new Map<number, number>();
  for await (const bundle of log.entries(0, size))
    for (const bytes of bundle) {
      const old: Entry = JSON.parse(fromUtf8(bytes));
      if (without(old)) continue;
      const seq = texts.length;
      moved.set(old.seq, seq);
      const known = (await log.body(old.seq)) as Body;
      const body = change(old.kind, {
        ...known,
        ...('prev' in known && { prev: last.get(old.uuid)! }),
        ...(known.capper_prev != null && { capper_prev: last.get(old.capper)! }),
      });
      const hash = bodyHash(old.kind, body as never);
      texts.push(entryText({ ...old, seq, hash, prev: body.prev ?? old.prev }));
      bodies.push(body);
      if (old.uuid !== null) last.set(old.uuid, hash);
      if (old.kind === 'posted') last.set(old.capper, hash);
      if (old.kind === 'prices' && isPublic) rows.set(seq, (await log.prices(old.seq)) as LoggedPrice[]);
    }
  const leaves = texts.map((text) => utf8(text));
  const rootHash = hex(naiveRoot(leaves));
  const checkpoint = await signCheckpoint({ origin: ORIGIN, size: leaves.length, root: naiveRoot(leaves) }, [
    logSigner,
  ]);
  const proofOf = (seq: number) => ({
    seq,
    entry: texts[seq]!,
    leafHash: hex(leafHash(leaves[seq]!, sha256)),
    treeSize: leaves.length,
    rootHash,
    checkpoint,
    inclusion: naiveInclusion(seq, leaves).map((hash) => hex(hash)),
  });
  return {
    ...log,
    checkpoint: () => Promise.resolve(checkpoint),
    async *entries(from, to) {
      for (let seq = from; seq < to; seq += 100) yield leaves.slice(seq, Math.min(to, seq + 100));
    },
    body: (seq) => Promise.resolve(bodies[seq]),
    prices: (seq) => {
      const own = rows.get(seq);
      return Promise.resolve(own && (forgery.shown ?? ((same) => same))(own, seq));
    },
    async followers(uuid) {
      const all = await log.followers(uuid);
      return (forgery.followers ?? ((same) => same))(all);
    },
    async receipt(uuid) {
      const given = (await log.receipt(uuid)) as SealedReceipt;
      const receipt = structuredClone(given);
      receipt.proof.events = receipt.proof.events.map(({ event, seq }) => ({
        event,
        ...proofOf(moved.get(seq)!),
      }));
      for (const { event, seq, entry } of receipt.proof.events) {
        const { hash } = JSON.parse(entry) as Entry;
        const names = { posted: 'pick', closed: 'closing', settled: 'settlement' } as const;
        Object.assign(receipt, { [names[event]]: bodies[seq], [`${names[event]}_hash`]: hash });
      }
      receipt.clv_bps = receipt.closing?.clv_bps ?? null;
      receipt.proof.prices = receipt.proof.prices.map(({ seq, body, prices }) => ({
        body,
        ...proofOf(moved.get(seq)!),
        prices: prices.map((each) => ({
          ...each,
          price: (forgery.receipt ?? ((same) => same))([each.price], seq)![0]!,
        })),
      }));
      return receipt;
    },
    keys: () => Promise.resolve([logSigner.key]),
  };
}
