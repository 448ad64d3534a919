import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { Type } from 'typebox';
import { keptOrigin } from '../ledger/origin.ts';
import { consistencyHashes } from '../ledger/proofs.ts';
import { bodiesOf, latestCheckpoint, proofOf, publishedEntry, tileBytes } from '../ledger/published.ts';
import { signingKeys } from '../ledger/signing-keys.ts';
import type { Availability } from '../platform/availability.ts';
import type { Database } from '../platform/database.ts';
import { checker } from '../platform/schema.ts';
import { base64, hex } from '../proof/encoding.ts';
import { parseTilePath } from '../proof/tiles.ts';
import { noneMatches } from './conditional.ts';
import { problem } from './errors.ts';
import type { Route } from './routes.ts';

export interface LedgerRoutesDeps {
  database: Database;
  availability: Availability;
}

/** Seconds for which an answer that the next checkpoint may change is kept. */
const briefly = 5;

const immutable = 'public, max-age=31536000, immutable';

/**
 * The published log: `/ledger/checkpoint` and `/ledger/tile/...` as C2SP tlog-tiles says, and JSON for people (decisions, section 4).
 * Nothing beyond the newest checkpoint is shown.
 */
export function ledgerRoutes({ database, availability }: LedgerRoutesDeps): Route[] {
  const get = (path: string, answer: (ctx: Context) => Promise<void>): Route => ({
    method: 'GET',
    path,
    handle: (ctx) => availability.run(() => answer(ctx)),
  });
  return [
    get('/ledger/checkpoint', async (ctx) => {
      const { note } = await mustHaveCheckpoint(database);
      send(ctx, note, 'text/plain; charset=utf-8', cached(briefly));
    }),
    get('/ledger/tile/*path', async (ctx) => {
      const tile = parseTilePath(ctx.path.slice('/ledger/'.length));
      const bytes = tile === null ? undefined : await tileBytes(database, tile);
      if (tile === null || bytes === undefined) throw problem(404, `The log has no tile ${ctx.path}.`);
      const lifetime = tile.width === 256 ? immutable : cached(briefly);
      send(ctx, Buffer.from(bytes), 'application/octet-stream', lifetime);
    }),
    get('/ledger/proof/:seq', async (ctx) => {
      const { entry, checkpoint } = await mustHaveEntry(database, String(ctx.params.seq));
      const proof = await proofOf(database, entry, checkpoint);
      sendJson(ctx, { origin: await keptOrigin(database), kind: entry.kind, ...proof }, cached(briefly));
    }),
    get('/ledger/body/:seq', async (ctx) => {
      const { entry } = await mustHaveEntry(database, String(ctx.params.seq));
      const [body] = await bodiesOf(database, [entry]);
      sendJson(ctx, { seq: entry.seq, kind: entry.kind, hash: entry.hash, body }, immutable);
    }),
    get('/ledger/consistency', async (ctx) => {
      const { from, to } = await consistencyQuery(ctx, database);
      const hashes = await consistencyHashes(database, from, to);
      sendJson(ctx, { origin: await keptOrigin(database), from, to, hashes: hashes.map(hex) }, cached(300));
    }),
    get('/ledger/key', async (ctx) => sendJson(ctx, await keysOf(database), cached(300))),
  ];
}

const cached = (seconds: number) => `public, max-age=${seconds}`;

function send(ctx: Context, body: Buffer | string, type: string, cacheControl: string): void {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  ctx.set({ ETag: etag, 'Cache-Control': cacheControl });
  if (noneMatches(ctx.get('If-None-Match') || undefined, etag)) {
    ctx.status = 304;
    return;
  }
  ctx.body = body;
  ctx.set('Content-Type', type);
}

function sendJson(ctx: Context, body: object, cacheControl: string): void {
  send(ctx, `${JSON.stringify(body)}\n`, 'application/json; charset=utf-8', cacheControl);
}

async function mustHaveCheckpoint(database: Database) {
  const checkpoint = await latestCheckpoint(database);
  if (checkpoint === undefined) throw problem(404, 'The log has signed no checkpoint yet.');
  return checkpoint;
}

async function mustHaveEntry(database: Database, seq: string) {
  const isNumber = /^(0|[1-9]\d{0,14})$/.test(seq);
  const found = isNumber ? await publishedEntry(database, Number(seq)) : undefined;
  if (found === undefined)
    throw problem(404, `The newest checkpoint covers no entry ${JSON.stringify(seq)}.`);
  return found;
}

const size = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const checkQuery = checker(Type.Object({ from: size, to: Type.Optional(size) }), { coerce: true });

/** Two sizes with a consistency proof between them; without `to`, up to the newest checkpoint. */
async function consistencyQuery(ctx: Context, database: Database): Promise<{ from: number; to: number }> {
  const { from, to } = Object.fromEntries(new URLSearchParams(ctx.querystring));
  const checked = checkQuery({
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  });
  if (!checked.ok) throw problem(400, 'The sizes cannot be read.', { errors: checked.faults });
  const newest = await mustHaveCheckpoint(database);
  const sizes = { to: newest.size, ...checked.value };
  const errors = [
    ...(sizes.to > newest.size
      ? [{ path: '/to', message: `must be at most ${newest.size}, the size of the newest checkpoint` }]
      : []),
    ...(sizes.from > sizes.to ? [{ path: '/from', message: `must be at most ${sizes.to}` }] : []),
  ];
  if (errors.length > 0) throw problem(400, 'There is no proof between these sizes.', { errors });
  return sizes;
}

/** The log's keys, the newest last. Whoever verifies must have them from elsewhere, or follow them from one that they trust. */
async function keysOf(database: Database): Promise<object> {
  const keys = await signingKeys(database);
  return {
    origin: (await keptOrigin(database)) ?? null,
    key: keys.at(-1)?.vkey ?? null,
    keys: keys.map(({ vkey, key, note, seq }) => ({
      key: vkey,
      id: key.id,
      publicKey: base64(key.publicKey),
      announcedAt: seq,
      announcement: note,
    })),
  };
}
