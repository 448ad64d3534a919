import { expect } from 'chai';
import { batch } from '../../../src/webhooks/delivery/batch.ts';

describe('a batcher', () => {
  it('runs one batch at a time, and collects meanwhile what the next ones get', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const batches: number[][] = [];
    const double = batch(3, async (items: readonly number[]) => {
      batches.push([...items]);
      if (batches.length === 1) await promise;
      return items.map((item) => item * 2);
    });
    const outcomes = [1, 2, 3, 4, 5].map((item) => double(item));
    expect(batches).to.deep.equal([[1]]);
    resolve();
    expect(await Promise.all(outcomes)).to.deep.equal([2, 4, 6, 8, 10]);
    expect(batches).to.deep.equal([[1], [2, 3, 4], [5]]);
    expect(await double(6)).to.equal(12);
  });

  it('rejects the items of a batch that failed, and runs the next one', async () => {
    let fails = true;
    const ask = batch(10, async (items: readonly number[]) => {
      if (fails) throw new Error('refused');
      return items;
    });
    const outcomes = await Promise.allSettled([ask(1), ask(2), ask(3)]);
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected', 'rejected']);
    fails = false;
    expect(await ask(4)).to.equal(4);
  });
});
