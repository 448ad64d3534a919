import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { type BoardCache, type BoardCacheDeps, createBoardCache } from '../../src/cache/board-cache.ts';
import { hearChanges } from '../../src/cache/changes.ts';
import { fixedClock } from '../../src/platform/clock.ts';
import { isUp } from '../support/api.ts';
import { countingBoard } from '../support/boards.ts';
import { withDatabase } from '../support/database.ts';
import { quiet } from '../support/quiet.ts';
import { withRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';

describe('the cache of boards', () => {
  const store = withDatabase();
  const own = withRedis();
  const clock = fixedClock('2026-01-15T12:00:00Z');
  const opened: (() => Promise<void>)[] = [];

  beforeEach(async () => {
    clock.set('2026-01-15T12:00:00Z');
    await own.redis.flushdb();
  });
  afterEach(async () => {
    for (const close of opened.splice(0)) await close();
  });

  /** One process's cache; `listening` when it keeps answers in memory too. */
  async function open(listening = false, given: Partial<BoardCacheDeps> = {}): Promise<BoardCache> {
    const subscriber: Redis | undefined = listening ? own.openWaiting() : undefined;
    const changes = subscriber === undefined ? undefined : hearChanges(subscriber, quiet);
    if (changes !== undefined) await isUp(changes);
    const cache = createBoardCache({
      redis: own.redis,
      database: store.database,
      clock,
      baseUrl: 'https://picks.example',
      helpLine: '1-800-GAMBLER',
      log: quiet,
      ...(changes === undefined ? {} : { changes }),
      ...given,
    });
    opened.push(async () => {
      await cache.close();
      subscriber?.disconnect();
    });
    return cache;
  }
  const said = async (cache: BoardCache, { board }: ReturnType<typeof countingBoard>, given = {}) => {
    const { rendered, source, stale } = await cache.answer(board, given);
    const { value } = JSON.parse(rendered.bytes.identity.toString());
    return `${value} from ${source}${stale ? ', stale' : ''}`;
  };

  it('computes a board once for all who ask at the same time', async () => {
    const counted = countingBoard();
    const cache = await open();
    await Promise.all(Array.from({ length: 20 }, () => cache.answer(counted.board, {})));
    expect(counted.computed()).to.equal(1);
  });

  it('computes a board once for all processes', async () => {
    const counted = countingBoard();
    const [one, other] = [await open(), await open()];
    expect(await said(one, counted)).to.equal('first from rendered');
    expect(await said(other, counted)).to.equal('first from redis');
    expect(counted.computed()).to.equal(1);
  });

  it('takes parameters that mean the same for the same answer', async () => {
    const counted = countingBoard();
    const cache = await open();
    for (const given of [{}, { limit: '10' }, { other: 'x' }, { sport: '' }])
      await cache.answer(counted.board, given);
    expect(counted.computed()).to.equal(1);
  });

  it('keeps nothing of the answer before in the one that takes its place', async () => {
    const counted = countingBoard({ tags: ['a'] });
    const cache = await open();
    const sizes = new Set<number>();
    for (let version = 1; version <= 4; version += 1) {
      await cache.bump(['a'], version);
      await said(cache, counted);
      sizes.add(await own.redis.strlen('boards:entry:/api/counted?limit=10'));
    }
    expect(counted.computed()).to.equal(4);
    expect([...sizes])
      .to.have.length(1)
      .and.not.include(0);
  });

  it('computes anew after a tag was bumped', async () => {
    const counted = countingBoard({ tags: ['a', 'b'] });
    const [web, worker] = [await open(), await open()];
    await said(web, counted);
    counted.set('second');
    await worker.bump(['unrelated'], 1);
    expect(await said(web, counted)).to.equal('first from redis');
    await worker.bump(['b'], 2);
    expect(await said(web, counted)).to.equal('second from rendered');
    expect(await said(web, counted)).to.equal('second from redis');
  });

  it('counts what was bumped while it was computed as stale', async () => {
    const counted = countingBoard();
    const cache = await open();
    const release = counted.hold();
    const first = cache.answer(counted.board, {});
    await until(() => counted.computed() === 1);
    await cache.bump(['a'], 1);
    release();
    await first;
    expect(await said(cache, counted)).to.equal('first from rendered');
    expect(counted.computed()).to.equal(2);
  });

  it('computes anew when the lifetime is over', async () => {
    const counted = countingBoard({ lifetime: 60 });
    const cache = await open();
    await said(cache, counted);
    clock.set('2026-01-15T12:00:59.999Z');
    expect(await said(cache, counted)).to.equal('first from redis');
    clock.set('2026-01-15T12:01:00Z');
    expect(await said(cache, counted)).to.equal('first from rendered');
  });

  it('computes everything anew after FLUSHALL and after a new epoch', async () => {
    const counted = countingBoard();
    const cache = await open();
    await said(cache, counted);
    await own.redis.flushdb();
    expect(await said(cache, counted)).to.equal('first from rendered');
    await cache.renewEpoch();
    expect(await said(cache, counted)).to.equal('first from rendered');
    expect(counted.computed()).to.equal(3);
  });

  it('serves what is stale when the refresh takes longer than a moment, and goes on with it', async () => {
    const counted = countingBoard();
    const cache = await open();
    await said(cache, counted);
    await cache.bump(['a'], 1);
    counted.set('second');
    const release = counted.hold();
    const began = performance.now();
    expect(await said(cache, counted)).to.equal('first from redis, stale');
    expect(performance.now() - began).to.be.within(140, 1000);
    release();
    await until(async () => (await said(cache, counted)) === 'second from redis');
    expect(counted.computed()).to.equal(2);
  });

  it('renders a format at its own key, with the same parameters', async () => {
    const counted = countingBoard();
    const cache = await open();
    const format = counted.board.formats?.[0];
    const { rendered } = await cache.answer(counted.board, { limit: '3' }, format);
    expect(rendered.bytes.identity.toString()).to.equal('https://picks.example first 3');
    expect((await cache.answer(counted.board, { limit: '3' }, format)).source).to.equal('redis');
  });

  it('keeps nothing that its board says may not be kept', async () => {
    const counted = countingBoard();
    const cache = await open(true);
    await cache.answer(counted.board, { text: 'untold' });
    await cache.answer(counted.board, { text: 'untold' });
    expect(counted.computed()).to.equal(2);
    expect(await own.redis.keys('boards:entry:*')).to.deep.equal([]);
    expect(cache.memory.any('/api/counted?limit=10&text=untold')).to.equal(undefined);
  });

  describe('in a process that listens', () => {
    it('answers from memory until a tag is bumped', async () => {
      const counted = countingBoard();
      const [web, worker] = [await open(true), await open()];
      expect(await said(web, counted)).to.equal('first from rendered');
      expect(await said(web, counted)).to.equal('first from memory');
      counted.set('second');
      await worker.bump(['b'], 1);
      await until(async () => (await said(web, counted)).startsWith('second'));
    });

    it('forgets everything when an epoch begins', async () => {
      const counted = countingBoard();
      const [web, worker] = [await open(true), await open()];
      await said(web, counted);
      await worker.renewEpoch();
      await until(async () => (await said(web, counted)) === 'first from memory' && counted.computed() === 2);
    });

    it('does not remember as fresh what was bumped while it was computed', async () => {
      const counted = countingBoard();
      const [web, worker] = [await open(true), await open()];
      const release = counted.hold();
      const first = web.answer(counted.board, {});
      await until(() => counted.computed() === 1);
      await worker.bump(['a'], 1);
      await pause(50);
      release();
      await first;
      expect(await said(web, counted)).to.equal('first from rendered');
    });
  });

  describe('rendering ahead', () => {
    it('renders what is declared, and only what is stale', async () => {
      const counted = countingBoard({ ahead: [{}, { limit: '5' }] });
      const cache = await open();
      expect(await cache.refreshStale([counted.board])).to.deep.equal({ looked: 2, rendered: 2, failed: 0 });
      expect(await cache.refreshStale([counted.board])).to.deep.equal({ looked: 2, rendered: 0, failed: 0 });
      await cache.bump(['a'], 1);
      expect(await cache.refreshStale([counted.board])).to.include({ rendered: 2 });
      expect(await said(await open(), counted, { limit: '5' })).to.equal('first from redis');
    });

    it('renews before the lifetime is over', async () => {
      const counted = countingBoard({ lifetime: 120 });
      const cache = await open();
      await cache.refreshStale([counted.board]);
      clock.set('2026-01-15T12:01:25Z');
      expect(await cache.refreshStale([counted.board])).to.include({ rendered: 0 });
      clock.set('2026-01-15T12:01:31Z');
      expect(await cache.refreshStale([counted.board])).to.include({ rendered: 1 });
    });

    it('goes on after a board that fails', async () => {
      const failing = countingBoard({ path: '/api/failing', ahead: [{ text: 'missing' }] });
      const counted = countingBoard();
      const cache = await open();
      const refreshed = await cache.refreshStale([failing.board, counted.board]);
      expect(refreshed).to.deep.equal({ looked: 2, rendered: 1, failed: 1 });
    });
  });
});
