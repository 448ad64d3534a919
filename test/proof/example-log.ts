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
import { type LoggedPrice, priceLeaf, pricePath, pricesRoot } from '../../src/proof/prices.ts';
import type { EventProof, PickEvent, PricesProof, SealedReceipt } from '../../src/proof/receipt.ts';
import { type Signer, signerFromSeed } from '../../src/proof/signed-note.ts';
import { append, emptyFrontier, leafHash, type Node, proofHashes, rootOf } from '../../src/proof/tree.ts';
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
    prices_to: 12,
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
            verdict: 'unchecked',
            odds_american: null,
            book: null,
            captured_at: null,
            counted_american: pick.odds_american,
          }
        : null,
    prices_to: 34,
    net_units_e4: 13_636,
    grader: 'scores',
    ...fields,
  };
}

/** Creates a small in-memory log: entries are sealed, then a checkpoint covers them. */
export function createExampleLog() {
  const frontier = emptyFrontier();
  const nodes: Uint8Array[][] = [];
  let unpublished: {
    proof: EventProof;
    receipt: SealedReceipt | null;
    priced: Pick<PricesProof, 'body' | 'prices'> | undefined;
  }[] = [];
  const read = ({ level, index }: Node): Uint8Array => nodes[level]![index]!;

  /** Seals a body and returns its hash. For a pick's events: the pick, and the receipt that waits for the proof. */
  function seal<K extends Kind>(
    kind: K,
    body: Bodies[K],
    pick: PickBody | null,
    receipt: SealedReceipt | null,
    priced?: Pick<PricesProof, 'body' | 'prices'>,
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
    unpublished.push({ proof, receipt, priced });
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
    for (const { proof, receipt, priced } of unpublished) {
      const inclusion = proofHashes(inclusionRanges(proof.seq, size), read, nodeSha256).map(hex);
      const { event, ...own } = { ...proof, treeSize: size, rootHash: hex(root), checkpoint, inclusion };
      if (priced === undefined) receipt?.proof.events.push({ event, ...own });
      else receipt?.proof.prices.push({ ...own, ...priced });
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

/** Returns the body of an entry of two prices, and their proofs: of the given fields, and of another side. They decided an event. */
function examplePrices(
  pick: PickBody,
  to: number,
  decided: 'closed' | 'settled',
  fields: Partial<LoggedPrice>,
): Pick<PricesProof, 'body' | 'prices'> {
  const price: LoggedPrice = {
    price_seq: to,
    sport: pick.sport,
    game: pick.game,
    starts_at: pick.starts_at,
    day: pick.day,
    market: pick.market,
    subject: pick.subject,
    side: pick.side,
    line_e3: pick.line_e3,
    odds_american: pick.odds_american,
    book: 'alpha-book',
    captured_at: '2026-03-01T12:30:00.000Z',
    stored_at: '2026-03-01T18:56:00.000Z',
    source: 'provider',
    closing: false,
    ...fields,
  };
  const rows = [{ ...price, price_seq: to - 1, side: pick.side === 'away' ? 'home' : 'away' }, price];
  const leaves = rows.map((row) => priceLeaf(row, nodeSha256));
  const root = hex(pricesRoot(leaves, nodeSha256));
  const inclusion = pricePath(leaves, 1, nodeSha256).map(hex);
  return {
    body: { v: 1, from_seq: to - 1, to_seq: to, count: 2, root },
    prices: [{ price, decided: [decided], inclusion }],
  };
}

/** Seals the prices that decided an event of a receipt, unless none did or it says that none was stored. */
export function sealPrices(
  log: ReturnType<typeof createExampleLog>,
  receipt: SealedReceipt,
  decided: 'closed' | 'settled',
): void {
  const { pick, closing, settlement } = receipt;
  const by = decided === 'closed' ? closing : settlement!.price_check;
  const to = (decided === 'closed' ? closing : settlement)!.prices_to;
  if (by === null || by.odds_american === null || to === null) return;
  const { odds_american, book, captured_at } = by;
  const given = { ...(book !== null && { book }), ...(captured_at !== null && { captured_at }) };
  const line_e3 = 'line_e3' in by ? by.line_e3 : pick.line_e3;
  const priced = examplePrices(pick, to, decided, { odds_american, line_e3, ...given });
  log.seal('prices', priced.body, null, receipt, priced);
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
    proof: { origin: ORIGIN, events: [], keys: [], prices: [] },
  };
  log.fill(before[0]);
  receipt.pick_hash = log.seal('posted', pick, pick, receipt);
  await log.publish(cosigners, cosignedAt, signedAt);
  if (plan.closing !== null) {
    log.fill(before[1]);
    receipt.closing = exampleClosing(pick, plan.closing);
    receipt.clv_bps = receipt.closing.clv_bps;
    sealPrices(log, receipt, 'closed');
    receipt.closing_hash = log.seal('closed', receipt.closing, pick, receipt);
    await log.publish(cosigners, cosignedAt + 3600);
  }
  if (plan.settlement !== null) {
    log.fill(before[2]);
    receipt.settlement = exampleSettlement(pick, receipt.closing_hash ?? receipt.pick_hash, plan.settlement);
    sealPrices(log, receipt, 'settled');
    receipt.settlement_hash = log.seal('settled', receipt.settlement, pick, receipt);
    await log.publish(cosigners, cosignedAt + 7200);
  }
  return receipt;
}
