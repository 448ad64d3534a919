import { bodyRules, type ClosingBody, type PickBody, type SettlementBody } from './bodies.ts';
import { loggedPrice } from './prices.ts';
import {
  about,
  hash,
  integer,
  list,
  nullable,
  type Of,
  oneOf,
  plainObject,
  type Rule,
  rule,
  shape,
  text,
  unchecked,
  uuid,
} from './shape.ts';

export const PICK_EVENTS = ['posted', 'closed', 'settled'] as const;

export type PickEvent = (typeof PICK_EVENTS)[number];

/** An entry, and its inclusion in a tree whose root the log has signed. */
export const entryProof = {
  seq: about(integer(0), "The entry's index in the log, from 0."),
  entry: about(text, 'Canonical JSON (RFC 8785).'),
  leafHash: hash,
  treeSize: about(integer(1), 'The size of the first checkpoint that covers the entry.'),
  rootHash: hash,
  checkpoint: about(text, "That checkpoint as a signed note (C2SP), with the witnesses' cosignatures."),
  inclusion: about(list(hash, 64), "The inclusion proof, from the leaf's sibling up."),
};

const eventProof = shape(
  { event: oneOf(...PICK_EVENTS), ...entryProof },
  {
    title: 'EventProof',
    description: "An event's entry with its proof against the first checkpoint that includes it.",
  },
);

export const maxKeys = 32;

const keyProof = shape(
  { body: unchecked(bodyRules.capper_key), ...entryProof },
  { title: 'KeyProof', description: "The entry of a capper's key with its proof." },
);

const decidingPrice = shape(
  {
    price: loggedPrice,
    decided: about(
      list(oneOf('closed', 'settled'), 2),
      'What it decided: the closing, or the price check of the settlement.',
    ),
    inclusion: about(
      list(hash, 64),
      "The inclusion proof, from the price's sibling up to the root of the entry.",
    ),
  },
  { title: 'DecidingPrice', description: 'A stored price that decided the closing or the price check.' },
);

/** Maximum number of entries with prices in a receipt, and of deciding prices under one. */
const maxPrices = 512;

const pricesProof = shape(
  { body: unchecked(bodyRules.prices), ...entryProof, prices: list(decidingPrice, maxPrices) },
  {
    title: 'PricesProof',
    description: 'An entry of prices with its proof, and those of its prices that decided.',
  },
);

const bodies = {
  pick: unchecked(bodyRules.posted),
  closing: nullable(unchecked(bodyRules.closed)),
  settlement: nullable(unchecked(bodyRules.settled)),
};

const proof = shape({
  origin: about(text, "The log's name."),
  events: about(
    list(eventProof, PICK_EVENTS.length),
    'Of the pick, its closing, and its settlement, in this order.',
  ),
  keys: about(
    list(keyProof, maxKeys),
    "The author's key last, and before it those that endorsed it. Empty: nobody signed the pick.",
  ),
  prices: about(
    list(pricesProof, maxPrices),
    'The prices that decided the closing and the price check, in the order of the log.',
  ),
});

const sealed = shape(
  {
    pickUuid: uuid,
    hashStatus: oneOf('sealed'),
    pick: bodies.pick,
    pick_hash: hash,
    closing: bodies.closing,
    closing_hash: nullable(hash),
    settlement: bodies.settlement,
    settlement_hash: nullable(hash),
    clv_bps: about(nullable(integer()), 'The `clv_bps` of the closing.'),
    proof,
  },
  {
    title: 'SealedReceipt',
    description: 'The receipt of a pick that is in the log. Later events appear once they are sealed.',
  },
);

/** Accepts only null, and is described as nullable: generators drop fields that can only be null. */
const absent = (other: Rule): Rule<null> =>
  rule(nullable(other).schema, (value, path) => {
    if (value !== null) throw new TypeError(`${path} must be null`);
  });

const unhashed = shape(
  {
    pickUuid: uuid,
    hashStatus: oneOf('unhashed'),
    pick: nullable(bodies.pick),
    pick_hash: absent(hash),
    closing: bodies.closing,
    closing_hash: absent(hash),
    settlement: bodies.settlement,
    settlement_hash: absent(hash),
    clv_bps: nullable(integer()),
    proof: absent(proof),
  },
  {
    title: 'UnhashedReceipt',
    description: 'A pick that no signed checkpoint includes yet: every field is null.',
  },
);

/**
 * The response of `/api/picks/:uuid/receipt` (docs/rules/ledger.md). It contains everything needed for offline verification except the
 * log's public key, which must come from another source. Unknown keys are rejected, because nothing would prove their values.
 */
export const receiptRules = { sealed, unhashed };
export type SealedReceipt = Of<typeof sealed>;
export type UnhashedReceipt = Of<typeof unhashed>;
export type Receipt = SealedReceipt | UnhashedReceipt;
export type EventProof = Of<typeof eventProof>;
export type KeyProof = Of<typeof keyProof>;
export type PricesProof = Of<typeof pricesProof>;
export type DecidingPrice = Of<typeof decidingPrice>;
export type EntryProof = Omit<EventProof, 'event'>;

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
  if (plainObject(value, 'receipt').hashStatus === 'unhashed') return unhashed(value, 'receipt');
  sealed(value, 'receipt');
  const receipt = value as SealedReceipt;
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
