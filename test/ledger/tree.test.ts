import { expect } from 'chai';
import fc from 'fast-check';
import { auditSnapshot } from '../../src/ledger/audit/audit.ts';
import { compactTree } from '../../src/ledger/compact-tree.ts';
import { bytesOfTile, latestCheckpoint, receiptOf } from '../../src/ledger/published.ts';
import { sealAll } from '../../src/ledger/seal.ts';
import { consistencyHashes, frontierAt, inclusionHashes, readNodes, rootAt } from '../../src/ledger/tree.ts';
import type { Database } from '../../src/platform/database.ts';
import { newTiles, tileLevels } from '../../src/proof/tiles.ts';
import { naiveConsistency, naiveInclusion, naiveRoot } from '../proof/naive-tree.ts';
import { bareEntry, growBare, storeAllNodes } from '../support/bare-entries.ts';
import { withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { type RichLog, richLog } from '../support/rich-log.ts';

const hex = (hashes: readonly Uint8Array[]) => hashes.map((hash) => Buffer.from(hash).toString('hex'));

describe('the stored tree', () => {
  const stores = withDatabase();
  /** Three levels of tiles, the last of which is one hash. */
  const size = 65_536 + 700;
  const entries = Array.from({ length: size }, (_, seq) => bareEntry(seq));

  before(async function () {
    this.timeout(20_000);
    await stores.owner.raw('alter table ledger_entries disable trigger all');
    // Batches that end within tiles, at their ends, and beyond several.
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

  it('proves what RFC 6962 says, at any place of trees of any size', async function () {
    this.timeout(30_000);
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

  it('proves it across levels of tiles', async function () {
    this.timeout(30_000);
    await proves(300, size);
  });

  it('reads a query for a proof, and a part of a tile for each tile that it is in', async () => {
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
    // Of the leaf and of the end, at two levels; of the end, at three.
    expect(tiles).to.deep.equal([4, 3]);
  });

  it('says which nodes it does not have', async () => {
    const missing = await readNodes(stores.database, [{ level: 9, index: 10_000 }]).then(
      () => 'none',
      (error: Error) => error.message,
    );
    expect(missing).to.equal('the stored tree does not have all nodes of level 8 from 20000 to 20001');
  });
});

describe('compacting the tree of an older release', function () {
  this.timeout(60_000);
  const stores = withDatabase();
  const folder = withFolder();
  let log: RichLog;

  before(async () => {
    log = await richLog(stores.database, folder, 50);
    await storeAllNodes(stores.owner);
  });

  const sizeOf = async (database: Database) => Number((await database('ledger_entries').count())[0]!.count);
  const levels = () => stores.database('ledger_nodes').distinct().orderBy('level').pluck('level');
  const difference = async () => {
    const kept = (await log.publisher.store!.read())!;
    const audit = await stores.owner.transaction((transaction) =>
      auditSnapshot(transaction, kept, { signing: log.publisher }),
    );
    return audit.difference;
  };

  /** Every tile, receipt and proof. */
  async function published(): Promise<object> {
    const { size } = (await latestCheckpoint(stores.database))!;
    const tiles = tileLevels(size).flatMap((level) => newTiles(level, 0, size));
    const bytes = [];
    for (const tile of tiles)
      bytes.push(Buffer.from(await bytesOfTile(stores.database, tile)).toString('hex'));
    const receipts = [];
    for (const uuid of await stores.database('picks').orderBy('id').pluck('uuid'))
      receipts.push(await receiptOf(stores.database, uuid));
    const proofs = [];
    for (let from = 1; from < size; from += 13)
      proofs.push(hex(await consistencyHashes(stores.database, from, size)));
    return { bytes, receipts, proofs };
  }

  it('computes each node as it was stored', async () => {
    const rows: { level: number; index: number; hash: Buffer }[] = await stores
      .database('ledger_nodes')
      .select();
    const read = await readNodes(stores.database, rows);
    expect(rows.length).to.be.greaterThan(300);
    for (const row of rows) expect(hex([read(row)])).to.deep.equal(hex([row.hash]));
  });

  it('goes on storing all nodes until then, for processes of that release', async () => {
    const before = await sizeOf(stores.database);
    await stores.database('notices').insert({ at: new Date(log.now), topic: 'remark', text: 'One more.' });
    await sealAll(stores.database);
    const expected = Array.from({ length: before + 1 }, (_, seq) => seq).reduce(
      (sum, seq) => sum + Math.log2((seq + 1) & -(seq + 1)),
      0,
    );
    expect(await stores.database('ledger_nodes').count()).to.deep.equal([{ count: expected }]);
    expect(await difference()).to.equal(null);
  });

  it('changes nothing while the table is in use', async () => {
    const reader = await stores.owner.transaction();
    try {
      await reader('ledger_nodes').first();
      const { code } = await compactTree(stores.owner).then(
        () => ({ code: 'it was compacted' }),
        (error: { code: string }) => error,
      );
      expect(code).to.equal('55P03');
    } finally {
      await reader.rollback();
    }
    expect(await levels()).to.include(1);
    expect(await difference()).to.equal(null);
  });

  it('leaves every tile, receipt and proof as it was, and a log that goes on', async () => {
    const before = await published();
    const { before: had, after: has } = await compactTree(stores.owner);
    expect(has).to.be.lessThan(had);
    expect(await levels()).to.deep.equal([8]);
    expect(await published()).to.deep.equal(before);
    expect(await difference()).to.equal(null);
    const grown = Array.from({ length: 300 }, (_, n) => ({
      at: new Date(log.now),
      topic: 'remark',
      text: `${n}`,
    }));
    await stores.database('notices').insert(grown);
    await sealAll(stores.database);
    expect(await levels()).to.deep.equal([8]);
    expect(await difference()).to.equal(null);
    expect(await stores.database('ledger_nodes').count()).to.deep.equal([
      { count: Math.floor((await sizeOf(stores.database)) / 256) },
    ]);
  });

  it('finds nodes that came after it', async () => {
    const hash = Buffer.alloc(32);
    await stores.owner('ledger_nodes').insert({ level: 2, index: 1, hash });
    expect((await difference())!.message).to.contain('ledger_nodes, level 2 index 1');
    await compactTree(stores.owner);
    expect(await difference()).to.equal(null);
  });
});
