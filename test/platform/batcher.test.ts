import { expect } from 'chai';
import fc from 'fast-check';
import { createBatcher } from '../../src/platform/batcher.ts';

describe('a batcher', () => {
  it('gives each item its own outcome, in any order and with any failures', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.record({ fails: fc.boolean(), breaks: fc.nat(9) }), { maxLength: 40 }),
        fc.integer({ min: 1, max: 7 }),
        fc.nat(2),
        async (scheduler, items, maxItems, extra) => {
          let running = 0;
          const numbered = items.map((item, id) => ({ ...item, id }));
          const seen: number[] = [];
          const add = createBatcher<(typeof numbered)[number], number>(
            async (batch) => {
              running += 1;
              expect(running).to.be.at.most(1 + extra);
              expect(batch.length).to.be.within(1, maxItems);
              seen.push(...batch.map(({ id }) => id));
              await scheduler.schedule(Promise.resolve());
              running -= 1;
              if (batch.some(({ breaks }) => breaks === 0)) throw new Error('all');
              return batch.map(({ id, fails }) =>
                fails
                  ? { status: 'rejected' as const, reason: new Error(`${id}`) }
                  : { status: 'fulfilled' as const, value: id },
              );
            },
            { maxItems, extra },
          );
          const outcomes = Promise.allSettled(
            numbered.map(async (item) => {
              await scheduler.schedule(Promise.resolve());
              return add(item);
            }),
          );
          await scheduler.waitFor(outcomes);
          (await outcomes).forEach((outcome, id) => {
            const { fails } = numbered[id]!;
            if (outcome.status === 'fulfilled')
              expect({ fails, value: outcome.value }).to.deep.equal({ fails: false, value: id });
            else expect(outcome.reason.message).to.be.oneOf(fails ? ['all', `${id}`] : ['all']);
          });
          expect(seen.toSorted((one, other) => one - other)).to.deep.equal(numbered.map(({ id }) => id));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('starts an extra batch only if more items wait than fit in one', async () => {
    const begun: number[][] = [];
    const free: (() => void)[] = [];
    const add = createBatcher<number, undefined>(
      async (batch) => {
        begun.push([...batch]);
        await new Promise<void>((resolve) => free.push(resolve));
        return batch.map(() => ({ status: 'fulfilled', value: undefined }) as const);
      },
      { maxItems: 2, extra: 1 },
    );
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    const added = [add(1)];
    await turn();
    added.push(add(2), add(3));
    await turn();
    expect(begun).to.deep.equal([[1]]);
    added.push(add(4), add(5));
    await turn();
    expect(begun).to.deep.equal([[1], [2, 3]]);
    free.shift()?.();
    await turn();
    expect(begun).to.deep.equal([[1], [2, 3]]);
    for (; free.length > 0; await turn()) free.shift()?.();
    await Promise.all(added);
    expect(begun).to.deep.equal([[1], [2, 3], [4, 5]]);
  });
});
