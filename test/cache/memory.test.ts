import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import type { Changes } from '../../src/cache/changes.ts';
import { createMemory } from '../../src/cache/memory.ts';
import { finish } from '../../src/cache/renderable.ts';
import { decode, encode, type Rendered, sizeOf } from '../../src/cache/rendered.ts';
import { headersOf } from '../../src/http/headers.ts';
import { answer } from '../support/answers.ts';
import { fixedClock } from '../support/fixed-clock.ts';

describe('answers in memory', () => {
  const clock = fixedClock(1000);
  let changed: Set<string>;
  const changes: Changes = {
    position: () => 5,
    changedSince: (position, tags) => position < 5 || tags.some((tag) => changed.has(tag)),
    close: () => {},
  };
  beforeEach(() => {
    changed = new Set();
    clock.set(1000);
  });

  it('are fresh until one of their tags changes', () => {
    const memory = createMemory(clock, changes, 2 ** 20);
    const kept = answer({ tags: ['a', 'b'] });
    memory.put(kept, 5);
    expect(memory.fresh(kept.key)).to.equal(kept);
    changed.add('b');
    expect(memory.fresh(kept.key)).to.equal(undefined);
    expect(memory.any(kept.key)).to.equal(kept);
  });

  it('are fresh until their time is over', () => {
    const memory = createMemory(clock, changes, 2 ** 20);
    const kept = answer({ goodUntil: 2000 });
    memory.put(kept, 5);
    clock.set(2000);
    expect(memory.fresh(kept.key)).to.equal(undefined);
  });

  it('are not fresh when what they rest on changed while they were made', () => {
    const memory = createMemory(clock, changes, 2 ** 20);
    memory.put(answer(), 4);
    expect(memory.fresh(answer().key)).to.equal(undefined);
  });

  it('are fresh for `freshMs`, whatever changes', async () => {
    const memory = createMemory(clock, undefined, 2 ** 20);
    const kept = answer();
    memory.put(kept, undefined, 30);
    expect(memory.fresh(kept.key)).to.equal(kept);
    await new Promise((next) => setTimeout(next, 40));
    expect(memory.fresh(kept.key)).to.equal(undefined);
  });

  it('are forgotten, the least used first, when they take too many bytes', () => {
    const memory = createMemory(clock, changes, 100_000);
    for (const key of ['a', 'b', 'c', 'd']) memory.put(answer({ key, bytes: Buffer.alloc(2000) }), 5);
    expect(['a', 'b', 'c', 'd'].filter((key) => memory.any(key) !== undefined)).to.deep.equal(['d']);
  });

  it('that were asked for once do not displace those that were asked for again', () => {
    const memory = createMemory(clock, changes, 2 ** 20);
    const popular = answer({ key: '/popular' });
    memory.put(popular, 5);
    expect(memory.fresh('/popular')).to.equal(popular);
    for (let n = 0; n < 1000; n += 1) memory.put(answer({ key: `/odd-${n}` }), 5);
    expect(memory.fresh('/popular')).to.equal(popular);
    expect(memory.has('/odd-999')).to.equal(true);
    expect(memory.has('/odd-0')).to.equal(false);
  });

  it('keep alive no larger blocks of memory than they count', async () => {
    const renderable = { key: '/k', tags: [], lifetime: 60, contentType: 'text/plain' };
    for (const text of ['{}', 'x'.repeat(3000), 'y'.repeat(100_000)]) {
      const made = await finish(renderable, { text }, 1000, { versions: [], epoch: 'e' });
      // As Redis' client gives it: a part of what the connection received.
      const received = Buffer.concat([encode(made), Buffer.alloc(64 * 1024)]);
      const stored = decode(received.subarray(0, -64 * 1024));
      for (const { bytes } of [made, stored as Rendered]) {
        const sum = bytes.identity.length + bytes.gzip.length + bytes.br.length;
        for (const coded of Object.values(bytes)) expect(coded.buffer.byteLength).to.equal(sum);
      }
    }
  });

  it('count as what they cost', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const cost = () => {
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    /** The cost of what is alive: other tests of this process leave garbage that takes several collections. */
    const alive = async () => {
      for (let last = Number.POSITIVE_INFINITY; ; ) {
        collect();
        await new Promise((next) => setImmediate(next));
        const now = cost();
        if (now > last - 100_000) return now;
        last = now;
      }
    };
    const count = 3000;
    const before = await alive();
    const kept: Rendered[] = [];
    for (let n = 0; n < count; n += 1) {
      const about = {
        key: `/api/cappers?cursor=${n}`,
        tags: ['roster', `n-${n}`],
        lifetime: 60,
        contentType: 'text/plain',
      };
      const read = { versions: [`${n}-aaaaaaaaaaaa`, null], epoch: 'e' };
      kept.push(await finish(about, { text: `${n} `.repeat(100) }, 1000, read));
    }
    const memory = createMemory(clock, changes, 2 ** 30);
    for (const each of kept) {
      memory.put(each, 5);
      headersOf(each);
    }
    const each = ((await alive()) - before) / count;
    const counted = kept.reduce((sum, answered) => sum + sizeOf(answered), 0) / count;
    // What garbage remains decides how far below; never counting too little is what bounds the process.
    expect(each).to.be.within(counted * 0.2, counted * 1.1);
  });
});
