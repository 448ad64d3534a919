import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { type Answers, type AnswersDeps, createAnswers } from '../../src/answers/answers.ts';
import { subscribeToChanges } from '../../src/answers/changes.ts';
import { DatabaseUnavailable } from '../../src/platform/availability.ts';
import { isUp } from '../support/api.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { quiet } from '../support/quiet.ts';
import { withRedis } from '../support/redis.ts';
import { type Counting, countingRenderable } from '../support/renderables.ts';
import { until } from '../support/until.ts';

describe('the cache', () => {
  const store = withDatabase();
  const own = withRedis();
  const clock = fixedClock('2026-01-15T12:00:00Z');
  const opened: (() => void)[] = [];

  beforeEach(async () => {
    clock.set('2026-01-15T12:00:00Z');
    await own.redis.flushdb();
  });
  afterEach(() => {
    for (const close of opened.splice(0)) close();
  });

  /** Opens one process's cache; `listening` if it keeps answers in memory too. */
  async function open(listening = false, given: Partial<AnswersDeps> = {}): Promise<Answers> {
    const subscriber: Redis | undefined = listening ? own.openWaiting() : undefined;
    const changes = subscriber === undefined ? undefined : subscribeToChanges(subscriber, quiet);
    if (changes !== undefined) await isUp(changes);
    const cache = createAnswers({
      redis: own.redis,
      clock,
      log: quiet,
      database: store.database,
      baseUrl: '',
      helpLine: '',
      changes,
      renderEveryMs: 0,
      ...given,
    });
    opened.push(() => {
      cache.close();
      changes?.close();
      subscriber?.disconnect();
    });
    return cache;
  }
  const ask = async (cache: Answers, { renderable }: Pick<Counting, 'renderable'>) => {
    const { rendered, source, stale } = await cache.answer(renderable);
    return `${rendered.body.made('identity')} from ${source}${stale ? ', stale' : ''}`;
  };

  it('renders once for concurrent calls', async () => {
    const counted = countingRenderable();
    const cache = await open();
    await Promise.all(Array.from({ length: 20 }, () => cache.answer(counted.renderable)));
    expect(counted.rendered()).to.equal(1);
  });

  it('renders once for all processes', async () => {
    const counted = countingRenderable();
    const [one, other] = [await open(), await open()];
    expect(await ask(one, counted)).to.equal('first from rendered');
    expect(await ask(other, counted)).to.equal('first from redis');
    expect(counted.rendered()).to.equal(1);
  });

  it('replaces an answer as a whole', async () => {
    const counted = countingRenderable({ tags: ['a'] });
    const cache = await open();
    const sizes = new Set<number>();
    for (let version = 1; version <= 4; version += 1) {
      await cache.bump(['a'], version);
      await ask(cache, counted);
      sizes.add(await own.redis.strlen('boards:entry:/counted'));
    }
    expect(counted.rendered()).to.equal(4);
    expect([...sizes])
      .to.have.length(1)
      .and.not.include(0);
  });

  it('renders again after a tag was bumped', async () => {
    const counted = countingRenderable({ tags: ['a', 'b'] });
    const [web, worker] = [await open(), await open()];
    await ask(web, counted);
    counted.set('second');
    await worker.bump(['unrelated'], 1);
    expect(await ask(web, counted)).to.equal('first from redis');
    await worker.bump(['b'], 2);
    expect(await ask(web, counted)).to.equal('second from rendered');
    expect(await ask(web, counted)).to.equal('second from redis');
  });

  it('treats as stale an answer whose tag was bumped during rendering', async () => {
    const counted = countingRenderable();
    const cache = await open();
    const release = counted.hold();
    const first = cache.answer(counted.renderable);
    await until(() => counted.rendered() === 1);
    await cache.bump(['a'], 1);
    release();
    await first;
    expect(await ask(cache, counted)).to.equal('first from rendered');
    expect(counted.rendered()).to.equal(2);
  });

  it('marks an answer whose tag was bumped during rendering, so that no downstream cache keeps it', async () => {
    const counted = countingRenderable();
    const cache = await open(true);
    const release = counted.hold();
    const first = cache.answer(counted.renderable);
    await until(() => counted.rendered() === 1);
    const { position } = cache.memory.now();
    await cache.bump(['a'], 1);
    await until(() => cache.memory.now().position > position);
    release();
    expect((await first).rendered).to.include({ unsettled: true });
    expect((await cache.answer(counted.renderable)).rendered).not.to.have.property('unsettled');
    expect((await cache.answer(counted.renderable)).rendered).not.to.have.property('unsettled');
  });

  it('limits how often it renders a frequently changing answer, and serves the previous one meanwhile', async () => {
    const counted = countingRenderable({ tags: ['a'] });
    const cache = await open(true, { renderEveryMs: 60_000 });
    await ask(cache, counted);
    for (let n = 0; n < 5; n += 1) {
      counted.set(`change ${n}`);
      const position = cache.memory.now().position;
      await cache.bump(['a'], n);
      await until(() => cache.memory.now().position > position);
      expect(await ask(cache, counted)).to.equal('first from memory');
    }
    expect(counted.rendered()).to.equal(1);
  });

  it('renders a rarely changing answer at once, and serves nothing older', async () => {
    const counted = countingRenderable({ tags: ['a'] });
    const cache = await open(true, { renderEveryMs: 1 });
    await ask(cache, counted);
    await pause(110);
    counted.set('second');
    const position = cache.memory.now().position;
    await cache.bump(['a'], 1);
    await until(() => cache.memory.now().position > position);
    expect(await ask(cache, counted)).to.equal('second from rendered');
  });

  it('renders again when the lifetime is over', async () => {
    const counted = countingRenderable({ lifetime: 60 });
    const cache = await open();
    await ask(cache, counted);
    clock.set('2026-01-15T12:00:59.999Z');
    expect(await ask(cache, counted)).to.equal('first from redis');
    clock.set('2026-01-15T12:01:00Z');
    expect(await ask(cache, counted)).to.equal('first from rendered');
  });

  it('renders everything again after FLUSHALL and after a new epoch', async () => {
    const counted = countingRenderable();
    const cache = await open();
    await ask(cache, counted);
    await own.redis.flushdb();
    expect(await ask(cache, counted)).to.equal('first from rendered');
    await cache.renewEpoch();
    expect(await ask(cache, counted)).to.equal('first from rendered');
    expect(counted.rendered()).to.equal(3);
  });

  it('serves the stale answer when a refresh exceeds its timeout, and completes the refresh', async () => {
    const counted = countingRenderable();
    const cache = await open();
    await ask(cache, counted);
    await cache.bump(['a'], 1);
    counted.set('second');
    const release = counted.hold();
    const began = performance.now();
    expect(await ask(cache, counted)).to.equal('first from redis, stale');
    expect(performance.now() - began).to.be.at.least(140);
    release();
    await until(async () => (await ask(cache, counted)) === 'second from redis');
    expect(counted.rendered()).to.equal(2);
  });

  for (const [restart, at] of [
    ['later', '2026-01-16T13:00:00Z'],
    ['earlier', '2026-01-14T11:00:00Z'],
  ])
    it(`serves nothing from before a restart under a ${restart} clock, except while rendering is impossible`, async () => {
      const counted = countingRenderable();
      await ask(await open(true), counted);
      clock.set(at as string);
      const restarted = await open(true, { refreshTimeoutMs: 1 });
      counted.set('second');
      const release = counted.hold();
      const asked = ask(restarted, counted);
      await until(() => counted.rendered() === 2);
      setTimeout(release, 50);
      expect(await asked).to.equal('second from rendered');

      clock.set('2026-01-20T12:00:00Z');
      const away = () => Promise.reject(new DatabaseUnavailable());
      const without = await open(true, { availability: { run: away } });
      expect(await ask(without, counted)).to.equal('second from redis, stale');
    });

  it('stores nothing marked as uncacheable', async () => {
    const counted = countingRenderable({ text: 'unkept' });
    const cache = await open(true);
    await cache.answer(counted.renderable);
    await cache.answer(counted.renderable);
    expect(counted.rendered()).to.equal(2);
    expect(await own.redis.keys('boards:entry:*')).to.deep.equal([]);
    expect(cache.memory.any('/counted')).to.equal(undefined);
  });

  describe('in a process subscribed to changes', () => {
    it('answers from memory until a tag is bumped', async () => {
      const counted = countingRenderable();
      const [web, worker] = [await open(true), await open()];
      expect(await ask(web, counted)).to.equal('first from rendered');
      expect(await ask(web, counted)).to.equal('first from memory');
      counted.set('second');
      await worker.bump(['b'], 1);
      await until(async () => (await ask(web, counted)).startsWith('second'));
    });

    it('forgets everything when an epoch begins', async () => {
      const counted = countingRenderable();
      const [web, worker] = [await open(true), await open()];
      await ask(web, counted);
      await worker.renewEpoch();
      await until(async () => (await ask(web, counted)) === 'first from memory' && counted.rendered() === 2);
    });

    it('does not keep an answer as fresh if its tag was bumped during rendering', async () => {
      const counted = countingRenderable();
      const [web, worker] = [await open(true), await open()];
      const release = counted.hold();
      const first = web.answer(counted.renderable);
      await until(() => counted.rendered() === 1);
      const { position } = web.memory.now();
      await worker.bump(['a'], 1);
      await until(() => web.memory.now().position > position);
      release();
      await first;
      expect(await ask(web, counted)).to.equal('first from rendered');
    });
  });

  describe('refreshing ahead', () => {
    it('renders only stale answers', async () => {
      const counted = countingRenderable();
      const ahead = [counted.renderable, counted.other];
      const cache = await open();
      expect(await cache.refreshAhead(ahead)).to.deep.equal({ checked: 2, rendered: 2, failed: 0 });
      expect(await cache.refreshAhead(ahead)).to.deep.equal({ checked: 2, rendered: 0, failed: 0 });
      await cache.bump(['a'], 1);
      expect(await cache.refreshAhead(ahead)).to.include({ rendered: 2 });
      expect(await ask(await open(), { renderable: counted.other })).to.equal('first from redis');
    });

    it('renders before the lifetime is over', async () => {
      const { renderable } = countingRenderable({ lifetime: 120 });
      const cache = await open();
      await cache.refreshAhead([renderable]);
      clock.set('2026-01-15T12:01:25Z');
      expect(await cache.refreshAhead([renderable])).to.include({ rendered: 0 });
      clock.set('2026-01-15T12:01:31Z');
      expect(await cache.refreshAhead([renderable])).to.include({ rendered: 1 });
    });

    it('is due when an answer nears its end, and after a failure', async () => {
      const soon = countingRenderable({ key: '/soon', lifetime: 120 }).renderable;
      const later = countingRenderable({ key: '/later', lifetime: 300 }).renderable;
      const failing = countingRenderable({ key: '/failing', text: 'missing' }).renderable;
      const cache = await open();
      expect(cache.aheadDue()).to.equal(true);
      await cache.refreshAhead([soon, later]);
      expect(cache.aheadDue()).to.equal(false);
      clock.set('2026-01-15T12:01:31Z');
      expect(cache.aheadDue()).to.equal(true);
      await cache.refreshAhead([soon, later]);
      expect(cache.aheadDue()).to.equal(false);
      await cache.refreshAhead([failing, later]);
      expect(cache.aheadDue()).to.equal(true);
    });

    it('renders answers that another process made stale, and lost ones', async () => {
      const counted = countingRenderable();
      const ahead = [counted.renderable, counted.other];
      const [cache, elsewhere] = [await open(), await open()];
      const rendered = async () => (await cache.refreshAhead(ahead)).rendered;
      expect(await rendered()).to.equal(2);
      await elsewhere.bump(['a'], 1);
      expect(await rendered()).to.equal(2);
      expect(await rendered()).to.equal(0);
      await elsewhere.renewEpoch();
      expect(await rendered()).to.equal(2);
      await own.redis.del((await own.redis.keys('boards:entry:*'))[0]!);
      expect(await rendered()).to.equal(1);
      expect(await rendered()).to.equal(0);
    });

    it('continues after an answer that fails', async () => {
      const failing = countingRenderable({ key: '/failing', text: 'missing' });
      const counted = countingRenderable();
      const cache = await open();
      const refreshed = await cache.refreshAhead([failing.renderable, counted.renderable]);
      expect(refreshed).to.deep.equal({ checked: 2, rendered: 1, failed: 1 });
    });
  });
});
