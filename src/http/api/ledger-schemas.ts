import { hashedSchemas } from '../../ledger/pick-forms.ts';
import { priceVerdictSchema, resultSchema } from '../../ledger/schemas.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';

/** Schemas of the bodies, receipts, and proofs that `src/proof` defines, for the API reference. */
export const hash = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 in hex.' });
export const seq = Type.Integer({ minimum: 0, description: "The entry's index in the log, from 0." });
export const treeSize = Type.Integer({ minimum: 1 });
export const origin = Type.String({ description: "The log's name." });
const instant = Type.String({ format: 'date-time' });
const version = Type.Literal(1);
const uuid = Type.String({ format: 'uuid' });
const lineE3 = nullable(Type.Integer({ description: 'Thousandths of a point.' }));

const author = Type.Object(
  { key: Type.String(), nonce: Type.String(), at: instant, signature: Type.String() },
  { title: 'Author', description: "The capper's own signature over the pick." },
);

const pickBody = Type.Object(
  {
    v: version,
    ...hashedSchemas,
    capper_seq: Type.Integer({ minimum: 1, description: "Number of the pick among the capper's picks." }),
    capper_prev: nullable(Type.String({ description: "The hash of the capper's previous pick." })),
    author: nullable(author),
  },
  { title: 'PickBody', description: 'The fields that are hashed when a pick is posted.' },
);

const closingBody = Type.Object(
  {
    v: version,
    uuid,
    prev: hash,
    closed_at: instant,
    odds_american: Type.Integer(),
    line_e3: lineE3,
    book: nullable(Type.String()),
    captured_at: instant,
    prices: Type.Array(Type.Object({ side: Type.String(), odds_american: Type.Integer() })),
    clv_bps: Type.Integer({ description: 'Basis points.' }),
  },
  { title: 'ClosingBody', description: 'The fields that are hashed when a pick closes.' },
);

const score = nullable(Type.Integer({ minimum: 0 }));

const setScore = Type.Array(Type.Integer({ minimum: 0 }), {
  minItems: 2,
  maxItems: 2,
  description: 'Games won by home and away.',
});

const stat = Type.Object(
  { name: Type.String(), value_e3: Type.Integer({ description: 'Thousandths.' }) },
  { title: 'Stat', description: 'The statistic that graded a player market.' },
);

const priceCheck = Type.Object(
  {
    verdict: priceVerdictSchema,
    odds_american: nullable(Type.Integer()),
    book: nullable(Type.String()),
    captured_at: nullable(instant),
  },
  {
    title: 'SealedPriceCheck',
    description: 'Whether the odds were available, and the odds they were compared with.',
  },
);

const settlementBody = Type.Object(
  {
    v: version,
    uuid,
    prev: hash,
    result: resultSchema,
    half: Type.Boolean({ description: 'Only half the stake counted.' }),
    settled_at: instant,
    away_score: score,
    home_score: score,
    sets: nullable(Type.Array(setScore)),
    played: nullable(Type.Enum(['full', 'shortened'])),
    stat: nullable(stat),
    price_check: nullable(priceCheck),
    net_units_e4: Type.Integer({ description: 'Ten-thousandths of a unit.' }),
    grader: Type.String(),
  },
  { title: 'SettlementBody', description: 'The fields that are hashed when a pick settles.' },
);

const keyBody = Type.Object(
  { v: version, note: Type.String({ description: 'A signed note that announces the key.' }) },
  { title: 'KeyBody' },
);

const noticeBody = Type.Object(
  { v: version, at: instant, topic: Type.String(), text: Type.String() },
  { title: 'NoticeBody' },
);

const startMovedBody = Type.Object(
  {
    v: version,
    sport: Type.String(),
    game: Type.String(),
    announced_start: nullable({ ...instant, description: 'The first announced start.' }),
    from: nullable(instant),
    to: nullable(instant),
    at: { ...instant, description: 'When it was moved.' },
    by: Type.String({ description: 'The process that moved it.' }),
  },
  { title: 'StartMovedBody', description: "A move of a game's start." },
);

const signature = Type.String({ description: 'An Ed25519 signature, base64.' });

const capperKeyBody = Type.Object(
  {
    v: version,
    capper: Type.String(),
    action: Type.Enum(['add', 'revoke']),
    key: Type.String({ description: 'The Ed25519 public key, base64.' }),
    purpose: Type.Enum(['device', 'recovery']),
    first: Type.Boolean({ description: 'Whether it is the first key of the capper.' }),
    at: { ...instant, description: 'When the statement was signed.' },
    by: Type.Enum(['capper', 'operator']),
    possession: nullable({ ...signature, description: "The key's own signature. Null: it was revoked." }),
    endorsed_by: nullable(Type.String({ description: "The ID of the capper's key that signed it, too." })),
    endorsement: nullable(signature),
  },
  { title: 'CapperKeyBody', description: "A capper's key, added or revoked." },
);

const bodies = {
  posted: pickBody,
  closed: closingBody,
  settled: settlementBody,
  key: keyBody,
  notice: noticeBody,
  start_moved: startMovedBody,
  capper_key: capperKeyBody,
} as const;

/** An entry's index in the log, and its inclusion in the tree of a signed checkpoint. */
const inclusion = {
  seq,
  entry: Type.String({ description: 'Canonical JSON (RFC 8785).' }),
  leafHash: hash,
  treeSize,
  rootHash: hash,
  checkpoint: Type.String({ description: 'A signed note (C2SP).' }),
  inclusion: Type.Array(hash, { description: "The inclusion proof, from the leaf's sibling up." }),
};

const eventProof = Type.Object(
  { event: Type.Enum(['posted', 'closed', 'settled']), ...inclusion },
  {
    title: 'EventProof',
    description: "An event's entry with its proof against the first checkpoint that includes it.",
  },
);

const keyProof = Type.Object(
  { body: capperKeyBody, ...inclusion },
  { title: 'KeyProof', description: "The entry of a capper's key with its proof." },
);

const proof = Type.Object({
  origin,
  events: Type.Array(eventProof),
  keys: Type.Array(keyProof, {
    description:
      "The author's key last, and before it those that endorsed it. Empty: nobody signed the pick.",
  }),
});

/** Fields that are always null here, typed as in a sealed receipt: generators drop fields that can only be null. */
const unproven = {
  pick: nullable(pickBody),
  pick_hash: nullable(hash),
  closing: nullable(closingBody),
  closing_hash: nullable(hash),
  settlement: nullable(settlementBody),
  settlement_hash: nullable(hash),
  clv_bps: nullable(Type.Integer()),
  proof: nullable(proof),
};

/** A receipt, as `src/proof/receipt.ts` defines it. */
export const receiptSchema = Type.Union(
  [
    Type.Object(
      {
        pickUuid: uuid,
        hashStatus: Type.Literal('sealed'),
        pick: pickBody,
        pick_hash: hash,
        closing: nullable(closingBody),
        closing_hash: nullable(hash),
        settlement: nullable(settlementBody),
        settlement_hash: nullable(hash),
        clv_bps: nullable(Type.Integer()),
        proof,
      },
      { title: 'SealedReceipt', description: 'The receipt of a pick that is in the log.' },
    ),
    Type.Object(
      {
        pickUuid: uuid,
        hashStatus: Type.Literal('unhashed'),
        ...unproven,
      },
      {
        title: 'UnhashedReceipt',
        description: 'A pick that no signed checkpoint includes yet: every field is null.',
      },
    ),
  ],
  { title: 'Receipt' },
);

const kind = Type.Enum(['posted', 'closed', 'settled', 'key', 'notice', 'start_moved', 'capper_key'], {
  title: 'EntryKind',
});

export const entryProofSchema = Type.Object({ origin, kind, ...inclusion }, { title: 'EntryProof' });

export const entryBodySchema = Type.Union(
  Object.entries(bodies).map(([name, body]) =>
    Type.Object({ seq, kind: Type.Literal(name), hash, body }, { description: `An entry of kind ${name}.` }),
  ),
  { title: 'EntryBody' },
);

export const consistencySchema = Type.Object(
  { origin, from: treeSize, to: treeSize, hashes: Type.Array(hash) },
  { title: 'ConsistencyProof' },
);

export const keysSchema = Type.Object(
  {
    origin: nullable(origin),
    key: nullable(Type.String({ description: 'The current verifier key.' })),
    keys: Type.Array(
      Type.Object({
        key: Type.String({ description: 'The verifier key (C2SP signed-note).' }),
        id: Type.String({ description: "The key's ID in signatures." }),
        publicKey: Type.String({ description: 'Base64.' }),
        announcedAt: nullable(Type.Integer({ description: 'Index of the entry that announced the key.' })),
        announcement: nullable(Type.String({ description: 'The signed note of that entry.' })),
      }),
      { description: 'All keys, newest last.' },
    ),
  },
  { title: 'LogKeys' },
);
