import { expect } from 'chai';
import { publishCheckpoint } from '../../src/ledger/publishing/publish.ts';
import { signerFromSeed } from '../../src/proof/signed-note.ts';
import { ED25519 } from '../../src/proof/verifier-key.ts';
import { verifyReceipt } from '../../src/proof/verify-receipt.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { withDatabase } from '../support/database.ts';
import { league } from '../support/folders.ts';
import { withRedis } from '../support/redis.ts';
import { ingest, runPipeline } from '../support/whole-way.ts';

const seed = Buffer.alloc(32, 9);
const publisher = { baseUrl: 'https://picks.example', demo: false, key: seed.toString('base64') };
const midway = Date.parse('2024-10-06T19:00:00Z');
const later = Date.parse('2025-01-01T00:00:00Z');

describe('/api/picks/:uuid/receipt', () => {
  const database = withDatabase();
  const redis = withRedis();
  let site: RunningApi;
  let uuids: string[];

  before(async () => {
    // Two checkpoints: picks posted before the first, some settled after it.
    for (const now of [midway, later]) {
      await ingest(database.database, league, now);
      await runPipeline(database.database, now);
      expect(await publishCheckpoint(database.database, publisher, now)).to.be.greaterThan(0);
    }
    uuids = await database.database('picks').orderBy('id').pluck('uuid');
    site = await startApi({ database, redis }, { clock: { now: () => later } });
  });
  after(() => site.close());

  const receipt = async (uuid: string) => (await fetch(`${site.address}/api/picks/${uuid}/receipt`)).json();

  it('verifies offline, for every pick, with only the public key', async () => {
    const { key } = await signerFromSeed('picks.example/ledger', ED25519, seed);
    for (const uuid of uuids) {
      const verdict = await verifyReceipt(await receipt(uuid), { keys: [key] });
      expect(verdict.failed, uuid).to.equal(null);
      expect(verdict.proof).to.equal('ok');
    }
  });

  it('fails verification when anything in it was changed, or when another key is trusted', async () => {
    const { key } = await signerFromSeed('picks.example/ledger', ED25519, seed);
    const { key: other } = await signerFromSeed('picks.example/ledger', ED25519, Buffer.alloc(32, 8));
    const honest = (await receipt(uuids[0]!)) as { pick: { odds_american: number } };
    const forged = { ...honest, pick: { ...honest.pick, odds_american: honest.pick.odds_american + 1 } };
    expect((await verifyReceipt(forged, { keys: [key] })).proof).to.equal('failed');
    expect((await verifyReceipt(honest, { keys: [other] })).proof).to.equal('failed');
  });

  it('proves every event against the first checkpoint that covered it, and never changes after that', async () => {
    const before = await Promise.all(uuids.map(receipt));
    const sizes = new Set(
      (before as { proof: { events: { treeSize: number }[] } }[]).flatMap(({ proof }) =>
        proof.events.map(({ treeSize }) => treeSize),
      ),
    );
    expect(sizes.size).to.equal(2);
    await database
      .database('notices')
      .insert({ at: new Date(later), topic: 'remark', text: 'the log continues' });
    await runPipeline(database.database, later);
    await publishCheckpoint(database.database, publisher, later);
    expect(await Promise.all(uuids.map(receipt))).to.deep.equal(before);
  });

  it('signs nothing twice, and keeps its origin when the address changes', async () => {
    const moved = { ...publisher, baseUrl: 'https://elsewhere.example' };
    expect(await publishCheckpoint(database.database, moved, later)).to.equal(null);
    expect(await database.database('ledger_origin').pluck('origin')).to.deep.equal(['picks.example/ledger']);
  });

  it('answers 304 to its entity tag, and 404 for an unknown pick', async () => {
    const url = `${site.address}/api/picks/${uuids[0]}/receipt`;
    const etag = (await fetch(url)).headers.get('etag') ?? '';
    expect((await fetch(url, { headers: { 'If-None-Match': etag } })).status).to.equal(304);
    const missing = await fetch(`${site.address}/api/picks/00000000-0000-4000-8000-000000000000/receipt`);
    expect(missing.status).to.equal(404);
  });
});

describe('the receipt of a pick that no checkpoint covers yet', () => {
  const database = withDatabase();
  const redis = withRedis();

  it('says so, and proves nothing', async () => {
    await ingest(database.database, league, later);
    const [uuid] = await database.database('picks').pluck('uuid');
    const site = await startApi({ database, redis }, { clock: { now: () => later } });
    const body = await (await fetch(`${site.address}/api/picks/${uuid}/receipt`)).json();
    await site.close();
    expect(body).to.deep.include({ pickUuid: uuid, hashStatus: 'unhashed', pick_hash: null, proof: null });
    expect((await verifyReceipt(body, { keys: [] })).proof).to.equal('unhashed');
  });
});
