import { expect } from 'chai';
import fc from 'fast-check';
import { verifyConsistency } from '../../src/proof/consistency.ts';
import { fromHex, hex, utf8 } from '../../src/proof/encoding.ts';
import { inclusionRanges, verifyInclusion } from '../../src/proof/inclusion.ts';
import { append, emptyFrontier, leafHash, rootOf, subtrees } from '../../src/proof/tree.ts';
import { growTree } from './grown-tree.ts';
import { naiveConsistency, naiveInclusion, naiveRoot } from './naive-tree.ts';

const entries = (size: number, salt = ''): Uint8Array[] =>
  Array.from({ length: size }, (_, i) => utf8(`${salt}${i}`));
const hexes = (hashes: readonly Uint8Array[]): string[] => hashes.map(hex);

/** A size up to a few thousand, often at or next to a power of two, and two positions in it. */
const places = fc
  .oneof(
    fc.integer({ min: 1, max: 3000 }),
    fc
      .tuple(fc.integer({ min: 0, max: 11 }), fc.integer({ min: -1, max: 1 }))
      .map(([power, off]) => Math.max(1, 2 ** power + off)),
  )
  .chain((size) =>
    fc.record({ size: fc.constant(size), index: fc.nat(size - 1), from: fc.integer({ min: 1, max: size }) }),
  );

describe('the Merkle tree of RFC 6962', () => {
  const all = entries(3000);
  const tree = growTree(all);

  it("has the published roots of Certificate Transparency's test data", () => {
    // From the merkletree tests of github.com/google/certificate-transparency; the same in transparency-dev/merkle.
    const leaves = [
      '',
      '00',
      '10',
      '2021',
      '3031',
      '40414243',
      '5051525354555657',
      '606162636465666768696a6b6c6d6e6f',
    ];
    const frontier = emptyFrontier();
    for (const leaf of leaves) append(frontier, leafHash(fromHex(leaf)));
    expect(hex(rootOf(frontier))).to.equal(
      '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
    );
    expect(hex(rootOf(emptyFrontier()))).to.equal(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
  });

  it('has the roots of the naive definition at every small size and at random ones', () => {
    for (let size = 0; size <= 70; size += 1)
      expect(hex(tree.roots[size]!)).to.equal(hex(naiveRoot(all.slice(0, size))));
    fc.assert(
      fc.property(places, ({ size }) => {
        expect(hex(tree.roots[size]!)).to.equal(hex(naiveRoot(all.slice(0, size))));
      }),
      { numRuns: 30 },
    );
  });

  it('has the proofs of the naive definition at every small size', () => {
    for (let size = 1; size <= 33; size += 1) {
      for (let i = 0; i < size; i += 1) {
        expect(hexes(tree.inclusion(i, size))).to.deep.equal(hexes(naiveInclusion(i, all.slice(0, size))));
        expect(hexes(tree.consistency(i + 1, size))).to.deep.equal(
          hexes(naiveConsistency(i + 1, all.slice(0, size))),
        );
      }
    }
  });

  it('has the proofs of the naive definition on random trees of up to 3,000 leaves', () => {
    fc.assert(
      fc.property(places, ({ size, index, from }) => {
        const some = all.slice(0, size);
        expect(hexes(tree.inclusion(index, size))).to.deep.equal(hexes(naiveInclusion(index, some)));
        expect(hexes(tree.consistency(from, size))).to.deep.equal(hexes(naiveConsistency(from, some)));
      }),
      { numRuns: 40 },
    );
  });

  it('accepts its own proofs', () => {
    fc.assert(
      fc.property(places, ({ size, index, from }) => {
        const leaf = leafHash(all[index]!);
        const root = tree.roots[size]!;
        expect(verifyInclusion(leaf, { index, size, hashes: tree.inclusion(index, size) }, root)).to.equal(
          true,
        );
        const proof = { from, to: size, hashes: tree.consistency(from, size) };
        expect(verifyConsistency(tree.roots[from]!, root, proof)).to.equal(true);
      }),
    );
  });

  it('rejects an inclusion proof with any one value changed', () => {
    fc.assert(
      fc.property(places, fc.nat(), fc.nat(255), fc.nat(), ({ size, index }, which, bit, other) => {
        const leaf = leafHash(all[index]!);
        const root = tree.roots[size]!;
        const hashes = tree.inclusion(index, size);
        const accepts = (
          given: Partial<{ index: number; size: number; hashes: Uint8Array[] }>,
          at = leaf,
          to = root,
        ) => verifyInclusion(at, { index, size, hashes, ...given }, to);

        expect(accepts({}, flipped(leaf, bit))).to.equal(false);
        expect(accepts({}, leaf, flipped(root, bit))).to.equal(false);
        expect(accepts({ hashes: [...hashes, root] })).to.equal(false);
        expect(accepts({ hashes: [leaf, ...hashes] })).to.equal(false);
        expect(accepts({ index: index + size })).to.equal(false);
        expect(accepts({ index: -1 })).to.equal(false);
        expect(accepts({ index: index + 0.5 })).to.equal(false);
        expect(accepts({ size: 0 })).to.equal(false);
        expect(accepts({ size: Number.NaN })).to.equal(false);
        if (size > 1) {
          const place = which % hashes.length;
          expect(accepts({ hashes: hashes.with(place, flipped(hashes[place]!, bit)) })).to.equal(false);
          expect(accepts({ hashes: hashes.toSpliced(place, 1) })).to.equal(false);
          expect(accepts({ hashes: hashes.with(place, hashes[place]!.subarray(1)) })).to.equal(false);
          const elsewhere = (index + 1 + (other % (size - 1))) % size;
          expect(accepts({ index: elsewhere })).to.equal(false);
        }
      }),
    );
  });

  it('rejects a consistency proof with any one value changed', () => {
    fc.assert(
      fc.property(places, fc.nat(), fc.nat(255), ({ size: to, from }, which, bit) => {
        const [old, root] = [tree.roots[from]!, tree.roots[to]!];
        const hashes = tree.consistency(from, to);
        const accepts = (
          given: Partial<{ from: number; to: number; hashes: Uint8Array[] }>,
          a = old,
          b = root,
        ) => verifyConsistency(a, b, { from, to, hashes, ...given });

        expect(accepts({}, flipped(old, bit))).to.equal(false);
        expect(accepts({}, old, flipped(root, bit))).to.equal(false);
        expect(accepts({ hashes: [...hashes, root] })).to.equal(false);
        expect(accepts({ from: 0 })).to.equal(false);
        expect(accepts({ from: to + 1 })).to.equal(false);
        expect(accepts({ from: from + 0.5 })).to.equal(false);
        if (from < to) expect(accepts({}, root, old)).to.equal(false);
        if (hashes.length > 0) {
          const place = which % hashes.length;
          expect(accepts({ hashes: hashes.with(place, flipped(hashes[place]!, bit)) })).to.equal(false);
          expect(accepts({ hashes: hashes.toSpliced(place, 1) })).to.equal(false);
          expect(accepts({ hashes: hashes.with(place, hashes[place]!.subarray(1)) })).to.equal(false);
        }
      }),
    );
  });

  it('refuses a consistency proof to a tree in which an old leaf was changed', () => {
    const changed = growTree(all.slice(0, 40).with(17, utf8('changed')));
    for (let from = 18; from < 40; from += 1) {
      const proof = { from, to: 40, hashes: changed.consistency(from, 40) };
      expect(verifyConsistency(tree.roots[from]!, changed.roots[40]!, proof)).to.equal(false);
    }
  });

  it('continues from a stored frontier', () => {
    const size = 1234;
    const frontier = { size, hashes: [...tree.frontiers[size]!] };
    for (const entry of all.slice(size, 2000)) append(frontier, leafHash(entry));
    expect(hex(rootOf(frontier))).to.equal(hex(tree.roots[2000]!));
  });

  it('completes one node per level as leaves are appended, at most two hashes per leaf on average', () => {
    const completed = tree.nodes.reduce((sum, level) => sum + level.length, 0);
    expect(completed).to.be.lessThan(2 * all.length);
    const expected = tree.nodes.map((_, level) => Math.floor(all.length / 2 ** level));
    expect(tree.nodes.map((level) => level.length)).to.deep.equal(expected);
  });

  it('needs O(log n) nodes for a proof, and is exact in trees of 2^50 leaves', () => {
    const size = 2 ** 50 + 2 ** 33 + 3;
    const ranges = inclusionRanges(2 ** 50 + 5, size);
    expect(ranges.length).to.be.lessThan(52);
    expect(ranges.flatMap(subtrees).length).to.be.lessThan(60);
    expect(ranges.at(-1)).to.deep.equal({ begin: 0, end: 2 ** 50 });
    expect(subtrees({ begin: 0, end: size })).to.deep.equal([
      { level: 50, index: 0 },
      { level: 33, index: 2 ** 17 },
      { level: 1, index: 2 ** 49 + 2 ** 32 },
      { level: 0, index: size - 1 },
    ]);
  });

  it('throws if something cannot be proven', () => {
    expect(() => tree.inclusion(5, 5)).to.throw(RangeError);
    expect(() => tree.consistency(0, 5)).to.throw(RangeError);
    expect(() => tree.consistency(6, 5)).to.throw(RangeError);
  });
});

function flipped(hash: Uint8Array, bit: number): Uint8Array {
  return hash.map((byte, i) => (i === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
}
