import { expect } from 'chai';
import { verifyConsistency } from '../../src/proof/consistency.ts';
import { base64, concat, fromHex, hex, utf8 } from '../../src/proof/encoding.ts';
import { verifyInclusion } from '../../src/proof/inclusion.ts';
import { formatBundle, newTiles, parseBundle, parseTilePath, tilePath } from '../../src/proof/tiles.ts';
import { leafHash } from '../../src/proof/tree.ts';
import { growTree, nodeFromTile, nodeSha256 } from './grown-tree.ts';
import { describeVectors } from './vectors.ts';

const hexes = (hashes: readonly Uint8Array[]): string[] => hashes.map(hex);

describeVectors('trees and proofs of RFC 6962', ({ rfc6962, tiled_log }) => {
  const tree = growTree(rfc6962.leaf_inputs_hex.map(fromHex));

  it('have the leaves, roots, and frontiers of transparency-dev/merkle', () => {
    expect(hexes(tree.nodes[0]!)).to.deep.equal(rfc6962.leaf_hashes);
    expect(hexes(tree.roots)).to.deep.equal(rfc6962.roots_by_size);
    expect(tree.frontiers.map(hexes)).to.deep.equal(rfc6962.frontier_by_size);
  });

  it('have its inclusion proofs, which verify', () => {
    for (const { leaf_index: index, tree_size: size, proof } of rfc6962.inclusion_proofs) {
      expect(hexes(tree.inclusion(index, size))).to.deep.equal(proof);
      const hashes = proof.map(fromHex);
      expect(verifyInclusion(tree.nodes[0]![index]!, { index, size, hashes }, tree.roots[size]!)).to.equal(
        true,
      );
    }
  });

  it('have its consistency proofs, which verify', () => {
    for (const { size1: from, size2: to, proof } of rfc6962.consistency_proofs) {
      expect(hexes(tree.consistency(from, to))).to.deep.equal(proof);
      const hashes = proof.map(fromHex);
      expect(verifyConsistency(tree.roots[from]!, tree.roots[to]!, { from, to, hashes })).to.equal(true);
    }
  });

  for (const probe of rfc6962.negative.inclusion) {
    it(`refuse the inclusion probe ${probe.file}`, () => {
      const proof = { index: probe.leaf_index, size: probe.tree_size, hashes: probe.proof.map(fromHex) };
      expect(verifyInclusion(fromHex(probe.leaf_hash), proof, fromHex(probe.root))).to.equal(false);
    });
  }
  for (const probe of rfc6962.negative.consistency) {
    it(`refuse the consistency probe ${probe.file}`, () => {
      const proof = { from: probe.size1, to: probe.size2, hashes: probe.proof.map(fromHex) };
      expect(verifyConsistency(fromHex(probe.root1), fromHex(probe.root2), proof)).to.equal(false);
    });
  }

  it("have the roots, tile, and bundle of Tessera's test log", () => {
    const log = growTree(tiled_log.entries_utf8.map(utf8));
    expect(log.roots.map(base64)).to.deep.equal(tiled_log.roots_base64_by_size);
    expect(hex(concat(...log.nodes[0]!))).to.equal(tiled_log.tile_0_000_p15_hex);
    expect(hex(formatBundle(tiled_log.entries_utf8.map(utf8)))).to.equal(tiled_log.entry_bundle_15_hex);
    const leaves = parseBundle(fromHex(tiled_log.entry_bundle_15_hex)).map((entry) => leafHash(entry));
    expect(hexes(leaves)).to.deep.equal(hexes(log.nodes[0]!));
  });
});

describeVectors('a tree of 70,000 leaves and its tiles', ({ large_tree, tlog_tiles }) => {
  let tree: ReturnType<typeof growTree>;
  before(() => {
    tree = growTree(Array.from({ length: 70_000 }, (_, i) => utf8(`leaf ${i}`)));
  });

  it('have the roots that another program computed', () => {
    for (const [size, root] of Object.entries(large_tree.roots_by_size))
      expect(hex(tree.roots[Number(size)]!)).to.equal(root);
  });

  it('have the proofs that another program computed', () => {
    const summary = (hashes: Uint8Array[]) => ({
      length: hashes.length,
      sha256: hex(nodeSha256(concat(...hashes))),
    });
    for (const {
      leaf_index,
      tree_size,
      length,
      sha256_of_concatenated_proof: sha256,
    } of large_tree.inclusion) {
      expect(summary(tree.inclusion(leaf_index, tree_size))).to.deep.equal({ length, sha256 });
    }
    for (const { size1, size2, length, sha256_of_concatenated_proof: sha256 } of large_tree.consistency) {
      expect(summary(tree.consistency(size1, size2))).to.deep.equal({ length, sha256 });
    }
  });

  it('have the tiles that another program computed, which contain every node above', () => {
    for (const { level, index, width, bytes, sha256 } of large_tree.tiles) {
      const tile = concat(...tree.nodes[8 * level]!.slice(256 * index, 256 * index + width));
      expect(tile).to.have.length(bytes);
      expect(hex(nodeSha256(tile))).to.equal(sha256);
      expect(newTiles(level, 0, 70_000)[index]).to.deep.equal({ level, index, width });
      const node = { level: 8 * level + 3, index: 32 * index + 1 };
      if (width >= 16) expect(hex(nodeFromTile(node, tile))).to.equal(hex(tree.read(node)));
    }
  });

  it('have tiles with the number, width, and path that tlog-tiles specifies', () => {
    for (const [size, levels] of Object.entries(tlog_tiles.geometry)) {
      for (const { level, full, partial_width } of levels) {
        const widths = newTiles(level, 0, Number(size)).map(({ width }) => width);
        expect(widths).to.deep.equal([
          ...Array<number>(full).fill(256),
          ...(partial_width > 0 ? [partial_width] : []),
        ]);
      }
      expect(newTiles(levels.length, 0, Number(size))).to.deep.equal([]);
    }
    for (const { path, level, index, width } of tlog_tiles.paths) {
      expect(tilePath({ level, index, width })).to.equal(path);
      expect(parseTilePath(path)).to.deep.equal({ level, index, width });
    }
  });
});
