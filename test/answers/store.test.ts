import { expect } from 'chai';
import { createStore, type Store } from '../../src/answers/store.ts';
import { answer } from '../support/answers.ts';
import { quiet } from '../support/quiet.ts';
import { withRedis } from '../support/redis.ts';

describe('answers in Redis', () => {
  const own = withRedis();
  let store: Store;
  beforeEach(async () => {
    await own.redis.flushdb();
    store = createStore(own.redis, quiet, 10_000);
  });

  it('are read with the epoch and the current versions of their tags', async () => {
    const empty = await store.read('/k', ['a', 'b']);
    expect(empty?.rendered).to.equal(undefined);
    expect(empty?.versions).to.deep.equal([null, null]);
    const kept = answer({ key: '/k', tags: ['a', 'b'], versions: [null, null], epoch: empty?.epoch ?? '' });
    await store.write(kept, true);
    await store.bump(['b'], 7);
    const found = await store.read('/k', ['a', 'b']);
    expect(found?.rendered).to.deep.equal(kept);
    expect(found?.epoch).to.equal(empty?.epoch);
    expect(found?.versions[0]).to.equal(null);
    expect(found?.versions[1]).to.match(/^7-/);
  });

  it('get another version after each bump, even at the same position of the log', async () => {
    await store.bump(['a'], 7);
    const first = await store.read('/k', ['a']);
    await store.bump(['a'], 7);
    const second = await store.read('/k', ['a']);
    expect(second?.versions).not.to.deep.equal(first?.versions);
  });

  it('get another epoch after Redis lost everything', async () => {
    const before = await store.read('/k', []);
    await own.redis.flushdb();
    const after = await store.read('/k', []);
    expect(after?.epoch).to.be.a('string').and.not.equal(before?.epoch);
  });

  it('expire, and tag versions expire later', async () => {
    await store.write(answer({ key: '/k' }), false);
    await store.bump(['a'], 1);
    const entry = await own.redis.pttl('boards:entry:/k');
    const version = await own.redis.pttl('boards:version:a');
    expect(entry).to.be.within(1, 3 * 3_600_000);
    expect(version).to.be.above(entry);
  });

  it('live briefly unless they are refreshed ahead', async () => {
    const life = (key: string) => own.redis.pttl(`boards:entry:${key}`);
    for (const ahead of [false, true]) await store.write(answer({ key: `/${ahead}` }), ahead);
    expect(await life('/false')).to.be.within(1, 15 * 60_000);
    expect(await life('/true')).to.be.above(2 * 3_600_000);
  });

  it('cannot fill Redis: once over budget, it takes only known answers and those refreshed ahead', async () => {
    const bytes = Buffer.alloc(4500);
    for (const key of ['/a', '/b', '/c', '/d']) await store.write(answer({ key, bytes }), false);
    expect((await own.redis.keys('boards:entry:*')).sort()).to.deep.equal([
      'boards:entry:/a',
      'boards:entry:/b',
    ]);
    await store.write(answer({ key: '/a', bytes: Buffer.alloc(7500), etag: 'W/"new"' }), false);
    expect((await store.read('/a', []))?.rendered?.etag).to.equal('W/"new"');
    await store.write(answer({ key: '/ahead', bytes }), true);
    expect((await store.read('/ahead', []))?.rendered?.key).to.equal('/ahead');
  });

  it('take thousands of bumps at once', async () => {
    const tags = Array.from({ length: 2500 }, (_, index) => `t${index}`);
    await store.bump(tags, 3);
    expect((await store.read('/k', ['t0', 't2499']))?.versions).not.to.include(null);
  });
});
