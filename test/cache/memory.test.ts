import { expect } from 'chai';
import type { Changes } from '../../src/cache/changes.ts';
import { createMemory } from '../../src/cache/memory.ts';
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
    const memory = createMemory(clock, changes, 10_000);
    for (const key of ['a', 'b', 'c', 'd']) memory.put(answer({ key, bytes: Buffer.alloc(2000) }), 5);
    expect(['a', 'b', 'c', 'd'].filter((key) => memory.any(key) !== undefined)).to.deep.equal(['d']);
  });
});
