import { expect } from 'chai';
import fc from 'fast-check';
import { SegmentedLru } from '../../src/cache/segmented-lru.ts';

/** The same as lists, the one used last at the end. */
function naive(maxBytes: number) {
  const segments = { once: [] as [string, number][], again: [] as [string, number][] };
  const room = { once: Math.floor(maxBytes / 8), again: Math.floor((maxBytes / 8) * 7) };
  const put = (name: 'once' | 'again', key: string, size: number) => {
    const others = segments[name].filter(([known]) => known !== key);
    segments[name] = size > room[name] ? others : [...others, [key, size]];
    while (segments[name].reduce((sum, [, bytes]) => sum + bytes, 0) > room[name]) segments[name].shift();
  };
  const found = (name: 'once' | 'again', key: string) => segments[name].find(([known]) => known === key);
  return {
    get(key: string): number | undefined {
      const [, size] = found('once', key) ?? found('again', key) ?? [];
      if (size === undefined) return undefined;
      segments.once = segments.once.filter(([known]) => known !== key);
      put('again', key, size);
      return size;
    },
    set: (key: string, size: number) => put(found('again', key) === undefined ? 'once' : 'again', key, size),
  };
}

describe('a segmented LRU', () => {
  it('keeps what plain lists keep', () => {
    const key = fc.constantFrom(...'abcdefgh');
    const steps = fc.array(fc.record({ key, size: fc.option(fc.integer({ min: 1, max: 40 })) }));
    fc.assert(
      fc.property(steps, (list) => {
        const lru = new SegmentedLru<{ size: number }>(320, ({ size }) => size);
        const plain = naive(320);
        for (const { key: asked, size } of list) {
          if (size === null) expect(lru.get(asked)?.size).to.equal(plain.get(asked));
          else {
            lru.set(asked, { size });
            plain.set(asked, size);
          }
        }
      }),
    );
  });

  it('does not take a look for asking', () => {
    const lru = new SegmentedLru<{ size: number }>(80, ({ size }) => size);
    lru.set('a', { size: 10 });
    expect([lru.has('a'), lru.peek('a')?.size, lru.isEmpty]).to.deep.equal([true, 10, false]);
    lru.set('b', { size: 10 });
    expect([lru.has('a'), lru.has('b')]).to.deep.equal([false, true]);
  });
});
