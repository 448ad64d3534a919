import { expect } from 'chai';
import fc from 'fast-check';
import { auditSnapshot } from '../../src/ledger/audit/audit.ts';
import {
  consistencyHashes,
  frontierAt,
  inclusionHashes,
  readNodes,
  rootAt,
} from '../../src/ledger/sealing/tree.ts';
import { naiveConsistency, naiveInclusion, naiveRoot } from '../proof/naive-tree.ts';
import { bareEntry, growBare } from '../support/bare-entries.ts';
import { withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { richLog } from '../support/rich-log.ts';

const hex = (hashes: readonly Uint8Array[]) => hashes.map((hash) => Buffer.from(hash).toString('hex'));

describe('the stored tree', () => {
  const stores = withDatabase();
  /** Three levels of tiles, the last of which is one hash. */
  const size = 65_536 + 700;
  const entries = Array.from({ length: size }, (_, seq) => bareEntry(seq));

  before(async () => {
    await stores.owner.raw('alter table ledger_entries disable trigger all');
    // The batches end inside a tile, at the end of one, and several tiles further.
    let grown = 0;
    for (const count of [1, 254, 1, 256, 300, 1, 20_000, 20_000, 20_000])
      grown = await growBare(stores.owner, grown, count);
    await growBare(stores.owner, grown, size - grown);
  });

  it('has a row for each full tile', async () => {
    const rows = await stores
      .database('ledger_nodes')
      .groupBy('level')
      .orderBy('level')
      .select('level')
      .count();
    expect(rows).to.deep.equal([
      { level: 8, count: Math.floor(size / 256) },
      { level: 16, count: 1 },
    ]);
  });

  const proves = async (from: number, to: number) => {
    const tree = entries.slice(0, to);
    expect(hex([await rootAt(stores.database, to)])).to.deep.equal(hex([naiveRoot(tree)]));
    expect(hex(await inclusionHashes(stores.database, from, to))).to.deep.equal(
      hex(naiveInclusion(from, tree)),
    );
    expect(hex(await consistencyHashes(stores.database, from + 1, to))).to.deep.equal(
      hex(naiveConsistency(from + 1, tree)),
    );
  };

  it('proves what RFC 6962 specifies, at any position in trees of any size', async () => {
    const anyTree = fc
      .integer({ min: 1, max: 1_400 })
      .chain((to) => fc.tuple(fc.integer({ min: 0, max: to - 1 }), fc.constant(to)));
    await fc.assert(
      fc.asyncProperty(anyTree, ([from, to]) => proves(from, to)),
      {
        numRuns: 60,
        examples: [255, 256, 257, 511, 512, 513].flatMap(
          (to) => [[[0, to]], [[to - 1, to]]] as [[number, number]][],
        ),
      },
    );
  });

  it('proves it across levels of tiles', async () => {
    await proves(300, size);
  });

  it('needs one query per proof, and reads only the needed part of each tile', async () => {
    const queries: { bindings: unknown[] }[] = [];
    const listen = (query: { bindings: unknown[] }) => queries.push(query);
    stores.database.on('query', listen);
    try {
      await inclusionHashes(stores.database, 300, size);
      await frontierAt(stores.database, size);
    } finally {
      stores.database.off('query', listen);
    }
    const tiles = queries.map(({ bindings }) => (bindings[0] as number[]).length);
    // The first proof reads the tiles of the leaf and of the end at two levels, the second those of the end at three.
    expect(tiles).to.deep.equal([4, 3]);
  });

  it('says which nodes are missing', async () => {
    const missing = await readNodes(stores.database, [{ level: 9, index: 10_000 }]).then(
      () => 'none',
      (error: Error) => error.message,
    );
    expect(missing).to.equal('the stored tree lacks nodes of level 8 from 20000 to 20001');
  });
});

describe('an audit of the stored tree', () => {
  const stores = withDatabase();
  const folder = withFolder();

  it('reports a stored node within a tile, where nodes must be computed', async () => {
    const log = await richLog(stores.database, folder, 12);
    const kept = (await log.publisher.store!.read())!;
    const difference = async () => {
      const audit = await stores.owner.transaction((transaction) =>
        auditSnapshot(transaction, kept, { signing: log.publisher }),
      );
      return audit.difference;
    };
    expect(await difference()).to.equal(null);
    await stores.owner.raw('alter table ledger_nodes disable trigger check_nodes');
    await stores.owner('ledger_nodes').insert({ level: 2, index: 1, hash: Buffer.alloc(32) });
    expect((await difference())!.message).to.contain('ledger_nodes, level 2 index 1');
  });
});
