import type { ClosingBody, PickBody, SettlementBody } from './bodies.ts';
import { hash, integer, list, nullable, oneOf, plainObject, type Rule, shape, text, uuid } from './shape.ts';

/** The events of a pick, in the order in which they happen. */
export const PICK_EVENTS = ['posted', 'closed', 'settled'] as const;

export type PickEvent = (typeof PICK_EVENTS)[number];

/**
 * What `/api/picks/:uuid/receipt` answers (decisions: Ledger). It holds all that is needed to verify it
 * offline, save the log's public key, which must come from elsewhere. It has these keys and no others:
 * whatever stood beside them would be unproven.
 */
export type Receipt = SealedReceipt | UnhashedReceipt;

/** The receipt of a pick that is in the log. A closing or settlement is in it from when it is sealed, too. */
export interface SealedReceipt {
  pickUuid: string;
  hashStatus: 'sealed';
  pick: PickBody;
  pick_hash: string;
  closing: ClosingBody | null;
  closing_hash: string | null;
  settlement: SettlementBody | null;
  settlement_hash: string | null;
  /** The same as in the closing. */
  clv_bps: number | null;
  proof: {
    origin: string;
    /** One for each of pick, closing and settlement that is not null, in this order. */
    events: EventProof[];
  };
}

/** The receipt of a pick that is stored but not yet in the log: it proves nothing. */
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

/** One event's entry in the log, and its way up to a root that the log has signed. */
export interface EventProof {
  event: PickEvent;
  seq: number;
  /** The entry's text: see `entry.ts`. */
  entry: string;
  leafHash: string;
  /** Size and root of the tree of the first checkpoint that covered the entry. */
  treeSize: number;
  rootHash: string;
  /** That checkpoint, a signed note, with the witnesses' cosignatures that it had. */
  checkpoint: string;
  /** The inclusion proof's hashes, the leaf's neighbour first. */
  inclusion: string[];
}

const absent: Rule = (value, path) => {
  if (value !== null) throw new TypeError(`${path} must be null`);
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
    events: list(
      shape<EventProof>({
        event: oneOf(...PICK_EVENTS),
        seq: integer(0),
        entry: text,
        leafHash: hash,
        treeSize: integer(1),
        rootHash: hash,
        checkpoint: text,
        inclusion: list(hash, 64),
      }),
      PICK_EVENTS.length,
    ),
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

/** What a receipt says of one event: the body and its hash; null where the event has not happened. */
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
 * Checks that a value is formed like a receipt, so that it can be verified. The bodies' own fields are left
 * to that.
 *
 * @throws TypeError that names the key at fault
 */
export function checkReceipt(value: unknown): asserts value is Receipt {
  const receipt = plainObject(value, 'receipt');
  if (receipt.hashStatus === 'unhashed') return unhashed(receipt, 'receipt');
  sealed(receipt, 'receipt');
  if ((receipt.closing === null) !== (receipt.closing_hash === null)) {
    throw new TypeError('receipt.closing and receipt.closing_hash must be there both or neither');
  }
  if ((receipt.settlement === null) !== (receipt.settlement_hash === null)) {
    throw new TypeError('receipt.settlement and receipt.settlement_hash must be there both or neither');
  }
  const claimed = PICK_EVENTS.filter((event) => claimOf(receipt, event) !== null).join(', ');
  const proven = receipt.proof.events.map(({ event }) => event).join(', ');
  if (claimed !== proven) throw new TypeError(`receipt.proof.events must be ${claimed}, in this order`);
}
