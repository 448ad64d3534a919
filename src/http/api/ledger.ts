import type { TSchema } from 'typebox';
import { coded, entityTag } from '../../answers/coded.ts';
import { lifetimes } from '../../boards/endpoint.ts';
import { signingKeys, storedOrigin } from '../../ledger/publishing/identity.ts';
import {
  bodiesOf,
  checkpointsOver,
  latestCheckpoint,
  proofOf,
  publishedEntry,
  publishedPrices,
  receiptOf,
  tileBytes,
} from '../../ledger/publishing/published.ts';
import { consistencyHashes } from '../../ledger/sealing/tree.ts';
import type { Database } from '../../platform/database.ts';
import { Field } from '../../platform/field-schemas.ts';
import type { Read } from '../../platform/replica.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { bodyRules, kinds } from '../../proof/bodies.ts';
import { base64, hex } from '../../proof/encoding.ts';
import { entryProof, receiptRules } from '../../proof/receipt.ts';
import type { Rule } from '../../proof/shape.ts';
import { parseTilePath } from '../../proof/tiles.ts';
import { type Answer, cacheControl, jsonType, nameIn, problem } from '../answer.ts';
import { described, type Request, type Route } from '../routes.ts';

/** Schemas of the bodies, receipts, and proofs that `src/proof` declares, for the API reference. */
const schemaOf = ({ schema }: Rule) => schema as unknown as TSchema;

const hash = schemaOf(entryProof.leafHash);
const seq = Type.Integer({ minimum: 0, description: "The entry's index in the log, from 0." });
const treeSize = Type.Integer({ minimum: 1 });
const origin = Field.text("The log's name.");

const inclusion = Object.fromEntries(
  Object.entries(entryProof).map(([name, rule]) => [name, schemaOf(rule)]),
);

const receiptSchema = Type.Union([schemaOf(receiptRules.sealed), schemaOf(receiptRules.unhashed)], {
  title: 'Receipt',
});

const kind = Type.Enum(kinds, { title: 'EntryKind' });

const entryProofSchema = Type.Object({ origin, kind, ...inclusion }, { title: 'EntryProof' });

const entryBodySchema = Type.Union(
  kinds.map((name) =>
    Type.Object(
      { seq, kind: Type.Literal(name), hash, body: schemaOf(bodyRules[name]) },
      { description: `An entry of kind ${name}.` },
    ),
  ),
  { title: 'EntryBody' },
);

const consistencySchema = Type.Object(
  { origin, from: treeSize, to: treeSize, hashes: Type.Array(hash) },
  { title: 'ConsistencyProof' },
);

const checkpointsSchema = Type.Object(
  {
    checkpoints: Type.Array(Field.text(), {
      description: 'Signed notes (C2SP tlog-checkpoint), oldest first.',
    }),
    witnesses: Type.Array(Field.text(), {
      description: 'Verifier keys of all witnesses that ever cosigned a checkpoint.',
    }),
  },
  { title: 'Checkpoints' },
);

const keysSchema = Type.Object(
  {
    origin: nullable(origin),
    key: Field.orNull.text('The current verifier key.'),
    keys: Type.Array(
      Type.Object({
        key: Field.text('The verifier key (C2SP signed-note).'),
        id: Field.text("The key's ID in signatures."),
        publicKey: Field.text('Base64.'),
        announcedAt: Field.orNull.integer('Index of the entry that announced the key.'),
        announcement: Field.orNull.text('The signed note of that entry.'),
      }),
      { description: 'All keys, newest last.' },
    ),
    continues: Type.Array(Field.text(), {
      description:
        'Verifier keys of the earlier logs that this one continues. Statements that cappers signed for them count here.',
    }),
  },
  { title: 'LogKeys' },
);

/** Lifetime of answers that the next checkpoint may change. */
const untilCheckpoint = cacheControl.exactly(5);
/** How long the newest checkpoint is served before it is read again, in ms. */
const checkpointMs = 1000;
const fiveMinutes = cacheControl.exactly(300);

const unreachable = { 503: 'The ledger is unavailable. Try again after Retry-After.' };
const beyond = { 404: 'The latest checkpoint does not cover it.', ...unreachable };

const size = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const range = Type.Object({
  from: Type.Integer({ ...size, minimum: 0, description: 'The size above which to begin.' }),
  to: { ...size, description: 'The last size: at most 256 more.' },
});
const sizes = Type.Object({
  from: { ...size, description: 'The size of the older tree.' },
  to: Type.Optional(
    Type.Integer({
      ...size,
      description: 'The size of the newer tree. Default: that of the latest checkpoint.',
    }),
  ),
});

/** Serves the published log as in C2SP tlog-tiles, and as JSON for people, but no entries beyond the newest checkpoint. */
export function ledgerRoutes({ read, publishPrices }: { read: Read; publishPrices: boolean }): Route[] {
  const tile = async ({ path }: Request): Promise<Answer> => {
    const wanted = parseTilePath(path.slice('/ledger/'.length));
    const bytes = wanted === null ? undefined : await read((database) => tileBytes(database, wanted));
    if (wanted === null || bytes === undefined) throw problem(404, `The log has no tile ${path}.`);
    const answer = tagged(Buffer.from(bytes), 'application/octet-stream');
    if (wanted.width < 256) return { ...answer, lifetime: untilCheckpoint };
    return { ...answer, lifetime: cacheControl.immutable, key: path, keep: {} };
  };
  const index = Field.text('The tile number in tlog-tiles format: `x001/234` or `000.p/15`.');
  const tileAnswer = { type: 'application/octet-stream', schema: Type.String({ format: 'binary' }) };
  return [
    described({
      path: '/ledger/checkpoint',
      lifetime: untilCheckpoint,
      id: 'getCheckpoint',
      section: 'log',
      about: 'The latest checkpoint: signed size and root of the tree (C2SP tlog-checkpoint).',
      answer: { type: 'text/plain; charset=utf-8', schema: Field.text() },
      refusals: { 404: 'No checkpoint is signed yet.', ...unreachable },
      examples: [{}],
      async handle() {
        const { note } = await read(mustHaveCheckpoint);
        const keep = { maxAgeMs: checkpointMs };
        return { ...tagged(note, 'text/plain; charset=utf-8'), key: '/ledger/checkpoint', keep };
      },
    }),
    described({
      path: '/ledger/checkpoints',
      lifetime: fiveMinutes,
      query: range,
      id: 'getCheckpoints',
      section: 'log',
      about:
        'The checkpoints that the log has signed with sizes above `from`, up to `to`: when each entry was first covered, and by which witnesses. Together with `/ledger/tile/entries`, a copy of the log.',
      answer: { schema: checkpointsSchema },
      refusals: { 400: 'A size is invalid, or the two are more than 256 apart.', ...beyond },
      examples: [{ from: '0', to: '1' }],
      handle({ query }) {
        const { from, to } = query();
        if (to <= from || to - from > 256)
          throw problem(400, 'There is no such list of checkpoints.', {
            errors: [{ path: '/to', message: 'must be above from by 1 to 256' }],
          });
        return read(async (database) => {
          if (to > (await mustHaveCheckpoint(database)).size)
            throw problem(404, `The newest checkpoint does not cover ${to} entries.`);
          return {
            ...json(await checkpointsOver(database, from, to)),
            key: `/ledger/checkpoints?from=${from}&to=${to}`,
            keep: {},
          };
        });
      },
    }),
    described({
      path: '/ledger/tile/:level/*index',
      id: 'getTile',
      section: 'log',
      about: 'Up to 256 hashes of the tree (C2SP tlog-tiles). Full tiles never change.',
      params: Type.Object({ level: Field.text('The level of the tiles.'), index }),
      answer: tileAnswer,
      refusals: beyond,
      examples: [{ level: '0', index: '000.p/1' }],
      handle: tile,
    }),
    described({
      path: '/ledger/tile/entries/*index',
      id: 'getEntryBundle',
      section: 'log',
      about: 'Up to 256 entries of the log (C2SP tlog-tiles). Full bundles never change.',
      params: Type.Object({ index }),
      answer: tileAnswer,
      refusals: beyond,
      examples: [{ index: '000.p/1' }],
      handle: tile,
    }),
    described({
      path: '/ledger/proof/:seq',
      lifetime: untilCheckpoint,
      id: 'getEntryProof',
      section: 'log',
      about: 'An entry and its proof of inclusion in the latest checkpoint (RFC 6962).',
      params: Type.Object({ seq }),
      answer: { schema: entryProofSchema },
      refusals: beyond,
      examples: [{ seq: '0' }],
      handle: ({ params }) =>
        read(async (database) => {
          const { entry, checkpoint } = await mustHaveEntry(database, String(params.seq));
          const proof = await proofOf(database, entry, checkpoint);
          return json({ origin: await storedOrigin(database), kind: entry.kind, ...proof });
        }),
    }),
    described({
      path: '/ledger/body/:seq',
      lifetime: cacheControl.immutable,
      id: 'getEntryBody',
      section: 'log',
      about: 'The body whose hash is in an entry.',
      params: Type.Object({ seq }),
      answer: { schema: entryBodySchema },
      refusals: beyond,
      examples: [{ seq: '0' }],
      handle: ({ params }) =>
        read(async (database) => {
          const { entry } = await mustHaveEntry(database, String(params.seq));
          const [body] = await bodiesOf(database, [entry]);
          const { seq, kind, hash } = entry;
          return { ...json({ seq, kind, hash, body }), key: `/ledger/body/${seq}`, keep: {} };
        }),
    }),
    described({
      path: '/ledger/prices/:seq',
      lifetime: cacheControl.immutable,
      id: 'getEntryPrices',
      section: 'log',
      about:
        "The prices of an entry of kind `prices`, one a line as canonical JSON: the leaves of the entry's tree. Only if the service publishes its prices.",
      params: Type.Object({ seq }),
      answer: { type: 'application/x-ndjson', schema: Field.text() },
      refusals: { 404: 'The service does not publish prices, or the entry has none.', ...unreachable },
      examples: [],
      async handle({ params, path }) {
        if (!publishPrices)
          throw problem(404, 'This service does not publish its prices. Receipts have those that decided.');
        const text = String(params.seq);
        const rows = isSeq(text)
          ? await read((database) => publishedPrices(database, Number(text)))
          : undefined;
        if (rows === undefined) throw problem(404, `The log has no prices in entry ${JSON.stringify(text)}.`);
        return { ...tagged(rows, 'application/x-ndjson'), key: path, keep: {} };
      },
    }),
    described({
      path: '/ledger/consistency',
      lifetime: fiveMinutes,
      query: sizes,
      id: 'getConsistencyProof',
      section: 'log',
      about: 'The proof that a tree extends an older one (RFC 6962).',
      answer: { schema: consistencySchema },
      refusals: { 400: 'A size is invalid, or there is no proof between the two.', ...beyond },
      examples: [{ from: '1' }, { from: '1', to: '2' }],
      handle({ query }) {
        const wanted = query();
        return read(async (database) => {
          const { from, to } = await provenSizes(database, wanted);
          const hashes = await consistencyHashes(database, from, to);
          const proof = json({ origin: await storedOrigin(database), from, to, hashes: hashes.map(hex) });
          if (wanted.to === undefined) return proof;
          return { ...proof, key: `/ledger/consistency?from=${from}&to=${to}`, keep: {} };
        });
      },
    }),
    described({
      path: '/ledger/key',
      lifetime: fiveMinutes,
      id: 'getLogKeys',
      section: 'log',
      about: "The log's verifier keys (C2SP signed-note), each announced by the previous one.",
      answer: { schema: keysSchema },
      refusals: unreachable,
      examples: [{}],
      handle: () => read(async (database) => json(await keysOf(database))),
    }),
  ];
}

/** Without an envelope, because fields beside a receipt would be unproven. */
export function receiptRoute({ read }: { read: Read }): Route {
  return described({
    path: '/api/picks/:uuid/receipt',
    lifetime: lifetimes.board,
    id: 'getPickReceipt',
    section: 'record',
    about: 'The receipt of a pick: the hashed bodies, their hashes, and the proof that they are in the log.',
    params: Type.Object({ uuid: Field.uuid('The UUID of a pick.') }),
    answer: { schema: receiptSchema },
    refusals: { 404: 'There is no such pick.', ...unreachable },
    examples: [{ uuid: '{uuid}' }],
    async handle({ params }) {
      const uuid = nameIn(params.uuid, 'pick');
      const receipt = await read((database) => receiptOf(database, uuid));
      if (receipt === undefined) throw problem(404, `There is no pick ${JSON.stringify(uuid)}.`);
      const answer = coded(JSON.stringify(receipt));
      // The pick is sealed within seconds.
      if (receipt.hashStatus === 'unhashed') return { ...answer, lifetime: 10 };
      // A receipt changes until the pick has settled.
      if (receipt.settlement === null) return answer;
      return { ...answer, key: `/api/picks/${uuid}/receipt`, keep: {} };
    },
  });
}

function tagged(body: string | Buffer, type: string): Answer {
  return { type, etag: entityTag(body), body };
}

function json(body: object): Answer {
  return tagged(`${JSON.stringify(body)}\n`, jsonType);
}

async function mustHaveCheckpoint(database: Database) {
  const checkpoint = await latestCheckpoint(database);
  if (checkpoint === undefined) throw problem(404, 'The log has signed no checkpoint yet.');
  return checkpoint;
}

const isSeq = (text: string) => /^(0|[1-9]\d{0,14})$/.test(text);

async function mustHaveEntry(database: Database, text: string) {
  const found = isSeq(text) ? await publishedEntry(database, Number(text)) : undefined;
  if (found === undefined)
    throw problem(404, `The newest checkpoint does not cover entry ${JSON.stringify(text)}.`);
  return found;
}

/** Returns two tree sizes with a consistency proof between them. The default for `to` is the newest checkpoint. */
async function provenSizes(
  database: Database,
  wanted: { from: number; to?: number },
): Promise<{ from: number; to: number }> {
  const newest = await mustHaveCheckpoint(database);
  const found = { to: newest.size, ...wanted };
  const errors = [
    ...(found.to > newest.size
      ? [{ path: '/to', message: `must be at most ${newest.size}, the size of the newest checkpoint` }]
      : []),
    ...(found.from > found.to ? [{ path: '/from', message: `must be at most ${found.to}` }] : []),
  ];
  if (errors.length > 0) throw problem(400, 'There is no proof between these sizes.', { errors });
  return found;
}

/** Returns the log's keys, newest last. A verifier needs one of them from elsewhere, or follows the announcements from a key it trusts. */
async function keysOf(database: Database): Promise<object> {
  const keys = await signingKeys(database);
  const log: { origin: string; continues: string[] } | undefined = await database('ledger_origin').first(
    'origin',
    'continues',
  );
  return {
    origin: log?.origin ?? null,
    key: keys.at(-1)?.vkey ?? null,
    keys: keys.map(({ vkey, key, note, seq: announcedAt }) => ({
      key: vkey,
      id: key.id,
      publicKey: base64(key.publicKey),
      announcedAt,
      announcement: note,
    })),
    continues: log?.continues ?? [],
  };
}
