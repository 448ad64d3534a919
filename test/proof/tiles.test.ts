import { expect } from 'chai';
import fc from 'fast-check';
import { concat, hex, utf8 } from '../../src/proof/encoding.ts';
import { inclusionRanges } from '../../src/proof/inclusion.ts';
import {
  formatBundle,
  newTiles,
  parseBundle,
  parseTilePath,
  type Tile,
  tileExists,
  tilePath,
} from '../../src/proof/tiles.ts';
import { proofHashes, subtrees } from '../../src/proof/tree.ts';
import { growTree, nodeFromTile, tileOfNode } from './grown-tree.ts';

const anyTile: fc.Arbitrary<Tile> = fc.record({
  level: fc.oneof(fc.constant('entries' as const), fc.integer({ min: 0, max: 63 })),
  index: fc.oneof(fc.nat(3000), fc.maxSafeNat()),
  width: fc.integer({ min: 1, max: 256 }),
});

describe('tiles', () => {
  it('have one path each, which round-trips', () => {
    fc.assert(
      fc.property(anyTile, (tile) => {
        expect(parseTilePath(tilePath(tile))).to.deep.equal(tile);
      }),
    );
  });

  it('have the path of the example in tlog-tiles', () => {
    expect(tilePath({ level: 0, index: 1234067, width: 256 })).to.equal('tile/0/x001/x234/067');
  });

  const refused = [
    'tile/0/67',
    'tile/0/0067',
    'tile/0/x000/067',
    'tile/0/x001/067x',
    'tile/00/067',
    'tile/64/000',
    'tile/-1/000',
    'tile/0/000.p/0',
    'tile/0/000.p/256',
    'tile/0/000.p/012',
    'tile/0/000.p/1000',
    'tile/0/000.p/',
    'tile/0/001/x234/067',
    'tile/entry/000',
    '/tile/0/000',
    'tile/0/000/',
    'tile/0/x999/x999/x999/x999/x999/999',
    'tile/0/000\n',
    '',
  ];
  for (const path of refused) {
    it(`are not parsed from ${JSON.stringify(path)}`, () => expect(parseTilePath(path)).to.equal(null));
  }

  it('exist if the tree is large enough', () => {
    expect(tileExists({ level: 0, index: 0, width: 256 }, 256)).to.equal(true);
    expect(tileExists({ level: 0, index: 0, width: 255 }, 256)).to.equal(true);
    expect(tileExists({ level: 0, index: 1, width: 1 }, 256)).to.equal(false);
    expect(tileExists({ level: 1, index: 0, width: 1 }, 255)).to.equal(false);
    expect(tileExists({ level: 1, index: 0, width: 1 }, 256)).to.equal(true);
    expect(tileExists({ level: 'entries', index: 2, width: 10 }, 521)).to.equal(false);
    expect(tileExists({ level: 63, index: 0, width: 1 }, Number.MAX_SAFE_INTEGER)).to.equal(false);
  });

  it('are new between two sizes if they grew', () => {
    expect(newTiles('entries', 250, 250)).to.deep.equal([]);
    expect(newTiles('entries', 250, 520)).to.deep.equal([
      { level: 'entries', index: 0, width: 256 },
      { level: 'entries', index: 1, width: 256 },
      { level: 'entries', index: 2, width: 8 },
    ]);
    expect(newTiles(0, 256, 257)).to.deep.equal([{ level: 0, index: 1, width: 1 }]);
    expect(newTiles(1, 250, 520)).to.deep.equal([{ level: 1, index: 0, width: 2 }]);
    expect(newTiles(1, 256, 511)).to.deep.equal([]);
  });

  it('contain everything that a proof needs', () => {
    const size = 66_000;
    const tree = growTree(Array.from({ length: size }, (_, i) => utf8(String(i))));
    const tiles = new Map<string, Uint8Array>();
    for (let level = 0; level < 3; level += 1) {
      for (const tile of newTiles(level, 0, size)) {
        const hashes = tree.nodes[8 * level]!.slice(256 * tile.index, 256 * tile.index + tile.width);
        tiles.set(tilePath(tile), concat(...hashes));
      }
    }
    for (const index of [0, 255, 256, 65_535, 65_536, 65_999]) {
      const ranges = inclusionRanges(index, size);
      const paths = new Set(ranges.flatMap(subtrees).map((node) => tileOfNode(node, size)));
      expect(paths.size).to.be.at.most(6);
      const read = (node: { level: number; index: number }) =>
        nodeFromTile(node, tiles.get(tileOfNode(node, size))!);
      expect(proofHashes(ranges, read).map(hex)).to.deep.equal(tree.inclusion(index, size).map(hex));
    }
  });

  it('are rejected if they are too short for a node', () => {
    expect(() => nodeFromTile({ level: 1, index: 0 }, new Uint8Array(32))).to.throw(RangeError);
    expect(() => nodeFromTile({ level: 0, index: 255 }, new Uint8Array(255 * 32))).to.throw(RangeError);
  });
});

describe('entry bundles', () => {
  it('round-trip', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 400 }), { maxLength: 20 }), (entries) => {
        expect(parseBundle(formatBundle(entries)).map(hex)).to.deep.equal(entries.map(hex));
      }),
    );
  });

  it('have entries of up to 65,535 bytes', () => {
    const [entry] = parseBundle(formatBundle([new Uint8Array(65_535).fill(1)]));
    expect(entry).to.have.length(65_535);
    expect(() => formatBundle([new Uint8Array(65_536)])).to.throw(RangeError);
  });

  it('are rejected if they end within an entry', () => {
    const bundle = formatBundle([utf8('one'), utf8('two')]);
    for (const length of [1, 2, 3, 4, 6, 7, 8, 9])
      expect(() => parseBundle(bundle.subarray(0, length))).to.throw(SyntaxError);
    expect(parseBundle(bundle.subarray(0, 5)).map(hex)).to.deep.equal([hex(utf8('one'))]);
    expect(parseBundle(new Uint8Array())).to.deep.equal([]);
  });
});
