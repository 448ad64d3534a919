import { expect } from 'chai';
import { createMemory } from '../../src/answers/memory.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { until } from '../support/until.ts';

describe('the memory', () => {
  const clock = fixedClock(1000);
  const sizeOf = ({ length }: string) => length;
  const keys = (count: number, prefix = '') => Array.from({ length: count }, (_, n) => `${prefix}${n}`);

  it('drops the least recently used values of all shelves when over its budget', () => {
    const memory = createMemory(clock, undefined, 40);
    const [one, other] = [memory.shelf('1', sizeOf), memory.shelf('2', sizeOf)];
    one.set('a', 'x'.repeat(10));
    one.set('b', 'x'.repeat(10));
    other.set('a', 'x'.repeat(10));
    other.set('b', 'x'.repeat(10));
    expect(one.get('a')).to.have.length(10);
    other.set('c', 'x'.repeat(10));
    expect([one.has('a'), one.has('b'), other.has('a'), other.has('c')]).to.deep.equal([
      ...[true, false, true, true],
    ]);
  });

  it('keeps a value in use, however many values are requested once', () => {
    const shelf = createMemory(clock, undefined, 1000).shelf('1', sizeOf);
    shelf.set('hot', 'x'.repeat(10));
    for (const key of keys(5000)) {
      shelf.set(key, 'x'.repeat(10));
      if (Number(key) % 50 === 0) expect(shelf.get('hot')).to.have.length(10);
    }
    expect([shelf.has('4999'), shelf.has('0')]).to.deep.equal([true, false]);
  });

  it('does not count a peek as use', () => {
    const shelf = createMemory(clock, undefined, 40).shelf('1', sizeOf);
    for (const key of keys(4)) shelf.set(key, 'x'.repeat(10));
    expect([shelf.has('0'), shelf.peek('0')?.length]).to.deep.equal([true, 10]);
    shelf.set('4', 'x'.repeat(10));
    expect(shelf.has('0')).to.equal(false);
  });

  it('does not keep a value larger than a quarter of its budget', () => {
    const shelf = createMemory(clock, undefined, 40).shelf('1', sizeOf);
    shelf.set('small', 'x');
    shelf.set('large', 'x'.repeat(11));
    expect([shelf.has('small'), shelf.has('large')]).to.deep.equal([true, false]);
  });

  it('keeps a value for its lifetime', async () => {
    const memory = createMemory(clock, undefined, 40);
    const shelf = memory.shelf('1', sizeOf);
    shelf.set('short', 'x', 5);
    shelf.set('long', 'x');
    await until(() => shelf.get('short') === undefined);
    expect(shelf.has('long')).to.equal(true);
    expect(memory.isEmpty()).to.equal(false);
  });
});
