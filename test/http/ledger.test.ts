import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { newState, poll } from '../../src/monitor/follow.ts';
import { openLog } from '../../src/monitor/log-client.ts';
import { bodyHash } from '../../src/proof/bodies.ts';
import { openCheckpoint } from '../../src/proof/checkpoint.ts';
import { fromHex, hex, utf8 } from '../../src/proof/encoding.ts';
import { verifyInclusion } from '../../src/proof/inclusion.ts';
import { followKeys } from '../../src/proof/key-announcement.ts';
import { formatVerifierKey, parseVerifierKey } from '../../src/proof/verifier-key.ts';
import { naiveConsistency, naiveRoot } from '../proof/naive-tree.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { withRedis } from '../support/redis.ts';
import { origin, type RichLog, richLog } from '../support/rich-log.ts';

describe('the published log', () => {
  const database = withDatabase();
  const redis = withRedis();
  const folder = withFolder();
  let site: RunningApi;
  let log: RichLog;
  let size: number;
  let root: Uint8Array;

  before(async () => {
    log = await richLog(database.database, folder, 50);
    site = await startApi({ database, redis }, { clock: { now: () => log.now } });
    ({ size, root } = (await openCheckpoint(await text('checkpoint'), origin, log.keys)).checkpoint);
  });
  after(() => site.close());

  const get = (path: string, init: RequestInit = {}) => fetch(`${site.address}/ledger/${path}`, init);
  const text = async (path: string) => (await get(path)).text();
  // biome-ignore lint/suspicious/noExplicitAny: bodies are what is being tested
  const json = async (path: string): Promise<any> => (await get(path)).json();
  const bytes = async (path: string) => Buffer.from(await (await get(path)).arrayBuffer());

  /** Reads a level's tiles by only the paths of C2SP tlog-tiles. */
  async function level(of: string, count: number): Promise<Buffer[]> {
    const tiles: Buffer[] = [];
    for (let first = 0; first < count; first += 256) {
      const width = Math.min(256, count - first);
      const index = String(first / 256).padStart(3, '0');
      tiles.push(await bytes(`tile/${of}/${index}${width < 256 ? `.p/${width}` : ''}`));
    }
    return tiles;
  }

  async function entries(): Promise<Buffer[]> {
    const found: Buffer[] = [];
    for (const bundle of await level('entries', size))
      for (let at = 0; at < bundle.length; at += 2 + bundle.readUInt16BE(at))
        found.push(bundle.subarray(at + 2, at + 2 + bundle.readUInt16BE(at)));
    return found;
  }

  it('shows its newest signed checkpoint as plain text with a short lifetime', async () => {
    const response = await get('checkpoint');
    expect(response.headers.get('content-type')).to.equal('text/plain; charset=utf-8');
    expect(response.headers.get('cache-control')).to.equal('public, max-age=5');
    expect(response.headers.get('access-control-allow-origin')).to.equal('*');
    expect(size).to.be.greaterThan(256);
    const etag = response.headers.get('etag') ?? '';
    expect((await get('checkpoint', { headers: { 'If-None-Match': etag } })).status).to.equal(304);
    expect((await get('checkpoint', { method: 'HEAD' })).status).to.equal(200);
    expect((await get('checkpoint', { method: 'OPTIONS' })).headers.get('allow')).to.contain('GET');
  });

  it('has entry bundles that anyone can compute the signed root from', async () => {
    const all = await entries();
    expect(all).to.have.length(size);
    expect(hex(naiveRoot(all))).to.equal(hex(root));
  });

  it('has hash tiles that anyone can compute the signed root from', async () => {
    const leaves = Buffer.concat(await level('0', size));
    const all = await entries();
    all.forEach((entry, seq) => {
      const leaf = createHash('sha256')
        .update(Buffer.concat([Buffer.of(0), entry]))
        .digest();
      expect(leaves.subarray(32 * seq, 32 * seq + 32).equals(leaf), String(seq)).to.equal(true);
    });
    // The hash at level 1 is the root of the first full tile. Leaves follow it.
    const [above] = await level('1', Math.floor(size / 256));
    expect(hex(above!)).to.equal(hex(naiveRoot(all.slice(0, 256))));
    const rest = naiveRoot(all.slice(256));
    const whole = createHash('sha256')
      .update(Buffer.concat([Buffer.of(1), above!, rest]))
      .digest();
    expect(hex(whole)).to.equal(hex(root));
  });

  it('caches full tiles forever and partial ones briefly, and serves earlier partial ones', async () => {
    expect((await get('tile/0/000')).headers.get('cache-control')).to.equal(
      'public, max-age=31536000, immutable',
    );
    const partial = await get(`tile/entries/001.p/${size - 256}`);
    expect(partial.headers.get('cache-control')).to.equal('public, max-age=5');
    expect(partial.headers.get('content-type')).to.equal('application/octet-stream');
    const full = await bytes('tile/0/000');
    expect((await bytes('tile/0/000.p/7')).equals(full.subarray(0, 7 * 32))).to.equal(true);
  });

  it('answers 404 for tiles beyond the checkpoint or with another spelling', async () => {
    const beyond = [`tile/0/001.p/${size - 255}`, 'tile/0/001', 'tile/0/002.p/1', 'tile/2/000.p/1'];
    const spelt = [
      'tile/0/0',
      'tile/0/000.p/256',
      'tile/0/000.p/0',
      'tile/00/000',
      'tile/64/000',
      'tile/0/x000/000',
    ];
    for (const path of [...beyond, ...spelt, 'tile/', 'tile/entries/..%2F000']) {
      const response = await get(path);
      expect(response.status, path).to.equal(404);
      expect(response.headers.get('content-type')).to.equal('application/problem+json');
    }
  });

  it('proves every entry against the newest checkpoint', async () => {
    const all = await entries();
    for (let seq = 0; seq < size; seq += 7) {
      const proof = await json(`proof/${seq}`);
      expect(proof).to.include({ origin, seq, treeSize: size, rootHash: hex(root) });
      expect(proof.entry).to.equal(all[seq]!.toString('utf8'));
      const inclusion = { index: seq, size, hashes: proof.inclusion.map(fromHex) };
      expect(verifyInclusion(fromHex(proof.leafHash), inclusion, root)).to.equal(true);
    }
    for (const seq of [String(size), '-1', '1.5', '01', 'x', '9'.repeat(30)])
      expect((await get(`proof/${seq}`)).status, seq).to.equal(404);
  });

  it('shows the body of every entry, including keys and notices, with the hash in the entry', async () => {
    const kinds = new Set<string>();
    for (const [seq, entry] of (await entries()).entries()) {
      const { kind, hash } = JSON.parse(entry.toString('utf8'));
      if (kinds.has(kind) && seq % 11 > 0) continue;
      kinds.add(kind);
      const shown = await json(`body/${seq}`);
      expect(shown).to.include({ seq, kind, hash });
      expect(bodyHash(kind, shown.body)).to.equal(hash);
    }
    expect([...kinds].sort()).to.deep.equal([
      'closed',
      'key',
      'notice',
      'posted',
      'prices',
      'settled',
      'start_moved',
    ]);
    expect((await get(`body/${size}`)).status).to.equal(404);
  });

  it('proves consistency between any two sizes', async () => {
    const all = await entries();
    for (const [from, to] of [
      [1, size],
      [255, 257],
      [256, size],
      [100, 101],
      [size, size],
      [26, 190],
    ] as const) {
      const { hashes } = await json(`consistency?from=${from}&to=${to}`);
      expect(hashes, `${from} to ${to}`).to.deep.equal(naiveConsistency(from, all.slice(0, to)).map(hex));
    }
    expect(await json(`consistency?from=9`)).to.include({ from: 9, to: size });
  });

  it('says why two sizes have no proof between them', async () => {
    for (const [query, path] of [
      ['', '/from'],
      ['?from=0', '/from'],
      ['?from=x', '/from'],
      ['?from=2&to=1', '/from'],
      [`?from=1&to=${size + 1}`, '/to'],
    ]) {
      const response = await get(`consistency${query}`);
      expect(response.status, query).to.equal(400);
      const { errors } = (await response.json()) as { errors: { path: string }[] };
      expect(errors.map((error) => error.path)).to.include(path);
    }
  });

  it('can be followed by a monitor that trusts only the first key', async () => {
    const state = newState(origin, [formatVerifierKey(log.keys[0]!)]);
    const seen = await poll(openLog(site.address), state, { now: Date.now(), history: true });
    expect(seen.findings).to.deep.equal([]);
    expect(seen).to.include({ entries: size, size });
    expect(await poll(openLog(site.address), seen.state, { now: Date.now() })).to.deep.include({
      findings: [],
      entries: 0,
    });
  });

  it('lists its keys, each announced by the previous one', async () => {
    const { key, keys } = await json('key');
    expect(key).to.equal(formatVerifierKey(log.keys[1]!));
    expect(keys.map((each: { key: string }) => each.key)).to.deep.equal(log.keys.map(formatVerifierKey));
    const [first, second] = keys;
    expect(first).to.include({ announcedAt: null, announcement: null });
    const followed = await followKeys(parseVerifierKey(first.key), [second.announcement]);
    expect(followed.map(formatVerifierKey)).to.deep.equal([first.key, second.key]);
    const announced = await json(`body/${second.announcedAt}`);
    expect(announced.body).to.deep.equal({ v: 1, note: second.announcement });
    expect(utf8(second.announcement).length).to.be.greaterThan(100);
  });
});

describe('a log without a signature', () => {
  const database = withDatabase();
  const redis = withRedis();

  it('says so', async () => {
    const site = await startApi({ database, redis });
    const statuses = [];
    for (const path of ['checkpoint', 'proof/0', 'body/0', 'tile/0/000', 'consistency?from=1'])
      statuses.push((await fetch(`${site.address}/ledger/${path}`)).status);
    const key = await (await fetch(`${site.address}/ledger/key`)).json();
    await site.close();
    expect(statuses).to.deep.equal([404, 404, 404, 404, 404]);
    expect(key).to.deep.equal({ origin: null, key: null, keys: [], continues: [] });
  });
});
