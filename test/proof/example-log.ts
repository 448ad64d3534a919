import {
  type Bodies,
  bodyHash,
  type ClosingBody,
  type Kind,
  type PickBody,
  type SettlementBody,
} from '../../src/proof/bodies.ts';
import { cosign, signCheckpoint } from '../../src/proof/checkpoint.ts';
import { hex, utf8 } from '../../src/proof/encoding.ts';
import { entryText } from '../../src/proof/entry.ts';
import { inclusionRanges } from '../../src/proof/inclusion.ts';
import type { EventProof, PickEvent, SealedReceipt } from '../../src/proof/receipt.ts';
import { type Signer, signerFromSeed } from '../../src/proof/signed-note.ts';
import { type Node, proofHashes } from '../../src/proof/subtrees.ts';
import { append, emptyFrontier, leafHash, rootOf } from '../../src/proof/tree.ts';
import { COSIGNATURE, ED25519, type SignatureType } from '../../src/proof/verifier-key.ts';
import { nodeSha256 } from './grown-tree.ts';

export const ORIGIN = 'picks.example/ledger';

/** Returns a signer whose secret is 32 times the same byte. */
export function testSigner(name: string, byte: number, type: SignatureType = ED25519): Promise<Signer> {
  return signerFromSeed(name, type, new Uint8Array(32).fill(byte));
}

export const logSigner = await testSigner(ORIGIN, 1);
export const witnesses = await Promise.all(
  [2, 3, 4].map((byte) => testSigner(`witness.example/w${byte}`, byte, COSIGNATURE)),
);

const pickUuid = (n: number): string => `3f2504e0-4f89-41d3-9a0c-${String(n).padStart(12, '0')}`;

/** Returns pick number `n`, by default the only one of its capper. */
export function examplePick(n: number, fields: Partial<PickBody> = {}): PickBody {
  return {
    v: 1,
    id: n,
    uuid: pickUuid(n),
    capper: `capper-${n}`,
    capper_seq: 1,
    capper_prev: null,
    tier: 'verified_sharp',
    sport: 'nba',
    game: 'Harbor Herons @ Mesa Muleteers',
    starts_at: '2026-03-01T19:00:00.000Z',
    day: null,
    market: 'spread',
    subject: null,
    side: 'home',
    line_e3: -3500,
    pick: 'Mesa Muleteers −3½',
    odds_american: -110,
    stake_e4: 15_000,
    book: 'alpha-book',
    source: 'operator',
    provenance: 'live',
    posted_at: '2026-03-01T12:34:56.789Z',
    author: null,
    ...fields,
  };
}

export function exampleClosing(pick: PickBody, fields: Partial<ClosingBody> = {}): ClosingBody {
  return {
    v: 1,
    uuid: pick.uuid,
    prev: bodyHash('posted', pick),
    closed_at: '2026-03-01T19:00:00.000Z',
    odds_american: -125,
    line_e3: -3500,
    book: pick.book,
    captured_at: '2026-03-01T18:55:00.000Z',
    prices: [
      { side: 'away', odds_american: 105 },
      { side: 'home', odds_american: -125 },
    ],
    clv_bps: 606,
    ...fields,
  };
}

export function exampleSettlement(
  pick: PickBody,
  prev: string,
  fields: Partial<SettlementBody> = {},
): SettlementBody {
  return {
    v: 1,
    uuid: pick.uuid,
    prev,
    result: 'win',
    half: false,
    settled_at: '2026-03-01T21:40:00.000Z',
    away_score: 101,
    home_score: 109,
    sets: null,
    played: null,
    stat: null,
    price_check:
      pick.provenance === 'live'
        ? {
            ...{ verdict: 'unchecked', odds_american: null, book: null, captured_at: null },
            counted_american: pick.odds_american,
          }
        : null,
    net_units_e4: 13_636,
    grader: 'scores',
    ...fields,
  };
}

/** Creates a small in-memory log: entries are sealed, then a checkpoint covers them. */
export function createExampleLog() {
  const frontier = emptyFrontier();
  const nodes: Uint8Array[][] = [];
  let unpublished: { proof: EventProof; receipt: SealedReceipt | null }[] = [];
  const read = ({ level, index }: Node): Uint8Array => nodes[level]![index]!;

  /** Seals a body and returns its hash. For a pick's events: the pick, and the receipt that waits for the proof. */
  function seal<K extends Kind>(
    kind: K,
    body: Bodies[K],
    pick: PickBody | null,
    receipt: SealedReceipt | null,
  ): string {
    const hash = bodyHash(kind, body, nodeSha256);
    const seq = frontier.size;
    const { uuid, capper, capper_seq } = pick ?? { uuid: null, capper: null, capper_seq: null };
    const prev = 'prev' in body ? body.prev : null;
    const entry = entryText({ v: 1, seq, kind, uuid, capper, capper_seq, hash, prev });
    const leaf = leafHash(utf8(entry), nodeSha256);
    append(frontier, leaf, nodeSha256).forEach((node, level) => {
      nodes[level] ??= [];
      nodes[level].push(node);
    });
    const event = kind as PickEvent;
    const proof = {
      event,
      seq,
      entry,
      leafHash: hex(leaf),
      treeSize: 0,
      rootHash: '',
      checkpoint: '',
      inclusion: [],
    };
    unpublished.push({ proof, receipt });
    return hash;
  }

  /** Signs a checkpoint, lets witnesses cosign it, and proves against it what was sealed since the last one. */
  async function publish(cosigners: readonly Signer[] = [], timestamp = 0, time?: string): Promise<string> {
    const { size } = frontier;
    const root = rootOf(frontier, nodeSha256);
    let checkpoint = await signCheckpoint(
      { origin: ORIGIN, size, root, ...(time !== undefined && { time }) },
      [logSigner],
    );
    for (const cosigner of cosigners) checkpoint += await cosign(checkpoint, cosigner, timestamp);
    for (const { proof, receipt } of unpublished) {
      const inclusion = proofHashes(inclusionRanges(proof.seq, size), read, nodeSha256).map(hex);
      receipt?.proof.events.push({ ...proof, treeSize: size, rootHash: hex(root), checkpoint, inclusion });
    }
    unpublished = [];
    return checkpoint;
  }

  /** Seals entries that are no picks', so that the tree grows. */
  function fill(count: number): void {
    for (let n = 0; n < count; n += 1) {
      seal('notice', { v: 1, at: '2026-01-01T00:00:00.000Z', topic: 'filler', text: `${n}` }, null, null);
    }
  }

  return { seal, publish, fill };
}

/** When the witnesses of {@link exampleReceipt} cosign the posted pick, an hour before the start. */
export const COSIGNED_AT = Date.UTC(2026, 2, 1, 18) / 1000;

/** Variations of an example receipt. `null` means that an event has not happened. */
export interface ReceiptPlan {
  pick?: Partial<PickBody>;
  closing?: Partial<ClosingBody> | null;
  settlement?: Partial<SettlementBody> | null;
  /** The number of other entries before each event. */
  before?: [number, number, number];
  cosigners?: readonly Signer[];
  cosignedAt?: number;
  /** The time stated in the checkpoint of the posted pick. Default: none. */
  signedAt?: string;
}

/** Returns a receipt from its own log, in which other entries precede each of the pick's. */
export async function exampleReceipt(plan: ReceiptPlan = {}): Promise<SealedReceipt> {
  const { before = [5, 3, 9], cosigners = [], cosignedAt = COSIGNED_AT, signedAt } = plan;
  const log = createExampleLog();
  const pick = examplePick(7, plan.pick);
  const receipt: SealedReceipt = {
    pickUuid: pick.uuid,
    hashStatus: 'sealed',
    pick,
    pick_hash: '',
    closing: null,
    closing_hash: null,
    settlement: null,
    settlement_hash: null,
    clv_bps: null,
    proof: { origin: ORIGIN, events: [], keys: [] },
  };
  log.fill(before[0]);
  receipt.pick_hash = log.seal('posted', pick, pick, receipt);
  await log.publish(cosigners, cosignedAt, signedAt);
  if (plan.closing !== null) {
    log.fill(before[1]);
    receipt.closing = exampleClosing(pick, plan.closing);
    receipt.clv_bps = receipt.closing.clv_bps;
    receipt.closing_hash = log.seal('closed', receipt.closing, pick, receipt);
    await log.publish(cosigners, cosignedAt + 3600);
  }
  if (plan.settlement !== null) {
    log.fill(before[2]);
    receipt.settlement = exampleSettlement(pick, receipt.closing_hash ?? receipt.pick_hash, plan.settlement);
    receipt.settlement_hash = log.seal('settled', receipt.settlement, pick, receipt);
    await log.publish(cosigners, cosignedAt + 7200);
  }
  return receipt;
}
