import { expect } from 'chai';
import { batch } from '../../../src/webhooks/delivery/batch.ts';

describe('those who wait for the same statement', () => {
  it('are told what came of their own, in groups that are as large as may be', async () => {
    const groups: number[][] = [];
    const double = batch(4, async (items: readonly number[]) => {
      groups.push([...items]);
      return items.map((item) => item * 2);
    });
    expect(await Promise.all([1, 2, 3, 4, 5, 6].map((item) => double(item)))).to.deep.equal([
      2, 4, 6, 8, 10, 12,
    ]);
    expect(groups).to.deep.equal([
      [1, 2, 3, 4],
      [5, 6],
    ]);
    expect(await double(7)).to.equal(14);
  });

  it('wait while one is under way, and go together then', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const groups: number[] = [];
    const ask = batch(10, async (items: readonly number[]) => {
      groups.push(items.length);
      if (groups.length === 1) await promise;
      return items;
    });
    const first = ask(1);
    await new Promise((next) => setTimeout(next, 20));
    const rest = [2, 3, 4].map((item) => ask(item));
    await new Promise((next) => setTimeout(next, 20));
    expect(groups).to.deep.equal([1]);
    resolve();
    expect(await Promise.all([first, ...rest])).to.deep.equal([1, 2, 3, 4]);
    expect(groups).to.deep.equal([1, 3]);
  });

  it('wait no longer once all have come that may come', async () => {
    const ask = batch(10, async (items: readonly number[]) => items, { lingerMs: 60_000, expected: () => 2 });
    expect(await Promise.all([ask(1), ask(2)])).to.deep.equal([1, 2]);
  });

  it('are all told when it fails, and it hinders nobody who comes later', async () => {
    let fails = true;
    const ask = batch(10, async (items: readonly number[]) => {
      if (fails) throw new Error('refused');
      return items;
    });
    const outcomes = await Promise.allSettled([ask(1), ask(2)]);
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    fails = false;
    expect(await ask(3)).to.equal(3);
  });
});
