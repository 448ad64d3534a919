import { expect } from 'chai';
import { bucketStorage } from '../../src/ledger/publishing/log-files/bucket.ts';
import { configuredStorage } from '../../src/ledger/publishing/log-files/configured.ts';
import { type LogFiles, openLogFiles } from '../../src/ledger/publishing/log-files/log-files.ts';
import { publishCheckpoint } from '../../src/ledger/publishing/publish.ts';
import { latestCheckpoint } from '../../src/ledger/publishing/published.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import { parseCheckpoint } from '../../src/proof/checkpoint.ts';
import { parseNote } from '../../src/proof/signed-note.ts';
import { newTiles, tileLevels, tilePath } from '../../src/proof/tiles.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { withDatabase } from '../support/database.ts';
import { type ObjectStore, startObjectStore, storeKey } from '../support/object-store.ts';
import { withRedis } from '../support/redis.ts';

const now = Date.parse('2025-01-01T00:00:00Z');

describe('the log in a bucket', () => {
  const database = withDatabase();
  const redis = withRedis();
  let store: ObjectStore;
  let site: RunningApi;

  before(async () => {
    store = await startObjectStore();
    site = await startApi({ database, redis }, { clock: { now: () => now } });
  });
  after(async () => {
    await site.close();
    await store.close();
  });
  afterEach(() => {
    store.misbehave = () => undefined;
    store.conditional = true;
    store.bareTags = false;
    store.requests = [];
  });

  const publisher = {
    baseUrl: 'https://picks.example',
    demo: false,
    key: Buffer.alloc(32, 1).toString('base64'),
  };
  async function grow(by: number): Promise<void> {
    const remarks = Array.from({ length: by }, (_, n) => ({ topic: 'remark', text: `no ${n}` }));
    await database.database('notices').insert(remarks.map((remark) => ({ at: new Date(now), ...remark })));
    await sealAll(database.database);
    await publishCheckpoint(database.database, publisher, now);
  }
  const open = (prefix: string, given: object = {}): LogFiles =>
    openLogFiles(database.database, bucketStorage({ ...store.at(prefix), ...given }));
  const keys = (prefix: string) =>
    [...store.objects.keys()]
      .filter((key) => key.startsWith(`${prefix}/`))
      .map((key) => key.slice(prefix.length + 1));
  const sizeIn = (prefix: string) => {
    const note = store.objects.get(`${prefix}/checkpoint`);
    return note === undefined ? 0 : parseCheckpoint(parseNote(note.body.toString()).text).size;
  };
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => 'it was written',
      (error: Error) => error.message,
    );

  it("equals the API's answers, with their headers, as the log grows", async () => {
    const files = open('grown');
    for (const by of [1, 200, 100, 300]) {
      await grow(by);
      await files.update();
      const { size, note } = (await latestCheckpoint(database.database))!;
      expect(store.objects.get('grown/checkpoint')!.body.toString()).to.equal(note);
      expect(sizeIn('grown')).to.equal(size);
      const wanted = tileLevels(size).flatMap((level) => newTiles(level, 0, size).map(tilePath));
      expect(keys('grown')).to.include.members([...wanted, 'checkpoint']);
      for (const key of keys('grown')) {
        const { body, headers } = store.objects.get(`grown/${key}`)!;
        const answer = await fetch(`${site.address}/ledger/${key}`);
        const answered = Buffer.from(await answer.arrayBuffer());
        // The site answers the checkpoint from memory for a second.
        if (key !== 'checkpoint') expect(Buffer.compare(body, answered), key).to.equal(0);
        for (const name of ['content-type', 'cache-control'])
          expect(headers[name], `${name} of ${key}`).to.equal(answer.headers.get(name));
      }
    }
    expect(keys('grown').filter((key) => key.startsWith('tile/entries/000'))).to.deep.equal([
      'tile/entries/000',
    ]);
    store.requests = [];
    await files.update();
    expect(store.requests, 'nothing to write').to.deep.equal(['GET grown/checkpoint']);
  });

  it('has tiles before the checkpoint that covers them, and resumes after a failed write', async () => {
    const files = open('stopped');
    for (const status of [500, 503]) {
      store.misbehave = (request) => (request === 'PUT stopped/tile/0/001' ? status : undefined);
      expect(await failure(files.update())).to.equal(
        `the bucket picks refused a PUT: ${status} InternalError`,
      );
      expect(keys('stopped')).not.to.include('checkpoint');
    }
    expect(keys('stopped')).to.include('tile/entries/000');
    store.misbehave = () => undefined;
    store.requests = [];
    await files.update();
    expect(sizeIn('stopped')).to.equal((await latestCheckpoint(database.database))!.size);
    expect(store.requests).to.include('PUT stopped/tile/0/001');
    expect(store.requests).not.to.include('PUT stopped/tile/entries/000');
  });

  it('gives up on a silent store', async () => {
    const files = open('silent', { timeoutMs: 100 });
    store.misbehave = (request) => (request.startsWith('PUT silent/tile') ? 'silent' : undefined);
    expect(await failure(files.update())).to.equal('the bucket picks refused a PUT: no answer in 100 ms');
    expect(keys('silent')).to.deep.equal([]);
  });

  it('may have several writers: the checkpoint never goes back', async () => {
    const writers = Array.from({ length: 3 }, () => open('shared'));
    let size = 0;
    for (let round = 0; round < 4; round += 1) {
      const behind = writers.map((writer) => writer.update());
      await grow(3);
      await Promise.all([...behind, ...writers.map((writer) => writer.update())]);
      expect(sizeIn('shared')).to.be.at.least(size);
      size = sizeIn('shared');
    }
    await writers[0]!.update();
    expect(sizeIn('shared')).to.equal((await latestCheckpoint(database.database))!.size);
  });

  it('keeps a checkpoint that another writer stored between read and write', async () => {
    const storage = bucketStorage(store.at('raced'));
    expect(await storage.swapCheckpoint(null, 'first')).to.equal(true);
    expect(await storage.swapCheckpoint(null, 'other')).to.equal(false);
    store.misbehave = (request) => {
      if (request !== 'PUT raced/checkpoint') return undefined;
      store.objects.get('raced/checkpoint')!.etag = '"another"';
      return undefined;
    };
    expect(await storage.swapCheckpoint('first', 'second')).to.equal(false);
    expect(await storage.readCheckpoint()).to.equal('first');
  });

  it('is not written over the files of another log', async () => {
    const files = open('other');
    await files.update();
    const kept = store.objects.get('other/checkpoint')!;
    kept.body = Buffer.from(kept.body.toString().replace('picks.example', 'other.example'));
    expect(await failure(files.update())).to.match(
      /^the bucket holds the checkpoint of another log, of \d+ entries: empty the bucket, or name another in LOG_FILES$/,
    );
  });

  it('is written to a store that compares entity tags without their quotation marks', async () => {
    store.bareTags = true;
    const files = open('bare');
    for (const by of [2, 2]) {
      await grow(by);
      await files.update();
      expect(sizeIn('bare')).to.equal((await latestCheckpoint(database.database))!.size);
    }
    expect(keys('bare').filter((key) => key.includes('probe'))).to.deep.equal([]);
  });

  it('is not written to a store in which If-Match never matches', async () => {
    store.misbehave = (request) => {
      for (const [key, stored] of store.objects)
        if (request === `PUT ${key}` && key.includes('probe')) stored.etag = '"another"';
      return undefined;
    };
    expect(await failure(open('never').update())).to.equal(
      'the store of the bucket picks does not support conditional writes (If-Match): use another store',
    );
    expect(keys('never')).to.deep.equal([]);
  });

  it('is not written to a store that ignores conditions', async () => {
    store.conditional = false;
    expect(await failure(open('ignored').update())).to.equal(
      'the store of the bucket picks does not support conditional writes (If-Match): use another store',
    );
    expect(keys('ignored')).to.deep.equal([]);
  });

  it('is written as the settings name it', async () => {
    const { endpoint, region } = store.at('');
    const files = { bucket: 'picks', prefix: 'configured', region, endpoint };
    const filesKey = `${storeKey.accessKeyId}:${storeKey.secretAccessKey}`;
    await openLogFiles(database.database, configuredStorage({ files, filesKey })!).update();
    expect(sizeIn('configured')).to.equal((await latestCheckpoint(database.database))!.size);
  });

  it('reports what the store refuses, without the key', async () => {
    expect(
      await failure(open('refused', { key: { ...storeKey, secretAccessKey: 'another-secret' } }).update()),
    ).to.equal('the bucket picks refused a PUT: 403 SignatureDoesNotMatch');
    expect(await failure(open('refused', { bucket: 'nowhere' }).update())).to.equal(
      'the bucket nowhere does not exist: create it, or correct LOG_FILES',
    );
  });
});
