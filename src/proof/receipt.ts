import type { CapperKeyBody, ClosingBody, PickBody, SettlementBody } from './bodies.ts';
import { hash, integer, list, nullable, oneOf, plainObject, type Rule, shape, text, uuid } from './shape.ts';

/** The events of a pick, in order. */
export const PICK_EVENTS = ['posted', 'closed', 'settled'] as const;

export type PickEvent = (typeof PICK_EVENTS)[number];

/**
 * The response of `/api/picks/:uuid/receipt` (docs/rules/ledger.md). It contains everything needed for offline verification except the
 * log's public key, which must come from another source. Unknown keys are rejected, because nothing would prove their values.
 */
export type Receipt = SealedReceipt | UnhashedReceipt;

/** The receipt of a sealed pick. The closing and settlement appear once they are sealed. */
export interface SealedReceipt {
  pickUuid: string;
  hashStatus: 'sealed';
  pick: PickBody;
  pick_hash: string;
  closing: ClosingBody | null;
  closing_hash: string | null;
  settlement: SettlementBody | null;
  settlement_hash: string | null;
  /** The `clv_bps` of the closing. */
  clv_bps: number | null;
  proof: {
    origin: string;
    /** The events of the pick, closing, and settlement, in this order, without those that are null. */
    events: EventProof[];
    /** A chain of keys, each endorsed by the one before; the last one signed the pick. Empty for an unsigned pick. */
    keys: KeyProof[];
  };
}

/** The receipt of a pick that is stored but not sealed yet. It proves nothing. */
export interface UnhashedReceipt {
  pickUuid: string;
  hashStatus: 'unhashed';
  pick: object | null;
  pick_hash: null;
  closing: object | null;
  closing_hash: null;
  settlement: object | null;
  settlement_hash: null;
  clv_bps: number | null;
  proof: null;
}

/** An entry and its inclusion in a tree whose root the log has signed. */
export interface EntryProof {
  seq: number;
  /** The entry's text: see `entry.ts`. */
  entry: string;
  leafHash: string;
  /** Size and root of the first checkpoint that covers the entry. */
  treeSize: number;
  rootHash: string;
  /** That checkpoint as a signed note, including witnesses' cosignatures. */
  checkpoint: string;
  /** Hashes of the inclusion proof, the leaf's own sibling first. */
  inclusion: string[];
}

/** The entry of one of the pick's events. */
export interface EventProof extends EntryProof {
  event: PickEvent;
}

/** The entry that added one of the capper's keys. */
export interface KeyProof extends EntryProof {
  body: CapperKeyBody;
}

/** Maximum number of keys in a receipt. */
export const maxKeys = 32;

const absent: Rule = (value, path) => {
  if (value !== null) throw new TypeError(`${path} must be null`);
};

const entryProof: { readonly [K in keyof EntryProof]: Rule } = {
  seq: integer(0),
  entry: text,
  leafHash: hash,
  treeSize: integer(1),
  rootHash: hash,
  checkpoint: text,
  inclusion: list(hash, 64),
};

const sealed: (value: unknown, path: string) => asserts value is SealedReceipt = shape<SealedReceipt>({
  pickUuid: uuid,
  hashStatus: oneOf('sealed'),
  pick: plainObject,
  pick_hash: hash,
  closing: nullable(plainObject),
  closing_hash: nullable(hash),
  settlement: nullable(plainObject),
  settlement_hash: nullable(hash),
  clv_bps: nullable(integer()),
  proof: shape<SealedReceipt['proof']>({
    origin: text,
    events: list(shape<EventProof>({ event: oneOf(...PICK_EVENTS), ...entryProof }), PICK_EVENTS.length),
    keys: list(shape<KeyProof>({ body: plainObject, ...entryProof }), maxKeys),
  }),
});

const unhashed: (value: unknown, path: string) => asserts value is UnhashedReceipt = shape<UnhashedReceipt>({
  pickUuid: uuid,
  hashStatus: oneOf('unhashed'),
  pick: nullable(plainObject),
  pick_hash: absent,
  closing: nullable(plainObject),
  closing_hash: absent,
  settlement: nullable(plainObject),
  settlement_hash: absent,
  clv_bps: nullable(integer()),
  proof: absent,
});

/** Returns the body of an event and the hash that the receipt gives for it; null if the event has not happened. */
export function claimOf(
  receipt: SealedReceipt,
  event: PickEvent,
): { body: PickBody | ClosingBody | SettlementBody; hash: string } | null {
  const bodies = { posted: receipt.pick, closed: receipt.closing, settled: receipt.settlement };
  const hashes = {
    posted: receipt.pick_hash,
    closed: receipt.closing_hash,
    settled: receipt.settlement_hash,
  };
  const body = bodies[event];
  const hash = hashes[event];
  return body === null || hash === null ? null : { body, hash };
}

/**
 * Checks that a value has the shape of a receipt, on which verification depends. Does not check the fields of the bodies.
 *
 * @throws TypeError naming the invalid key
 */
export function checkReceipt(value: unknown): asserts value is Receipt {
  const receipt = plainObject(value, 'receipt');
  if (receipt.hashStatus === 'unhashed') return unhashed(receipt, 'receipt');
  sealed(receipt, 'receipt');
  if ((receipt.closing === null) !== (receipt.closing_hash === null)) {
    throw new TypeError('receipt.closing and receipt.closing_hash must both be present or both null');
  }
  if ((receipt.settlement === null) !== (receipt.settlement_hash === null)) {
    throw new TypeError('receipt.settlement and receipt.settlement_hash must both be present or both null');
  }
  const claimed = PICK_EVENTS.filter((event) => claimOf(receipt, event) !== null).join(', ');
  const proven = receipt.proof.events.map(({ event }) => event).join(', ');
  if (claimed !== proven) throw new TypeError(`receipt.proof.events must be ${claimed}, in this order`);
}
