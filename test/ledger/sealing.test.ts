import { expect } from 'chai';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import { withDatabase } from '../support/database.ts';
import { league } from '../support/folders.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { ingest, runPipeline } from '../support/whole-way.ts';

const now = Date.parse('2025-01-01T00:00:00Z');

describe('sealing', () => {
  const stores = withDatabase();

  before(async () => {
    await ingest(stores.database, league, now);
    await stores
      .database('notices')
      .insert({ at: new Date(now), topic: 'remark', text: 'Zürich → “quoted”\u2028' });
    await runPipeline(stores.database, now);
  });

  it('assigns dense numbers from 0, and one entry to every event', async () => {
    const seqs: number[] = await stores.database('ledger_entries').orderBy('seq').pluck('seq');
    expect(seqs).to.deep.equal(seqs.map((_, index) => index));
    const kinds = await stores
      .database('ledger_entries')
      .groupBy('kind')
      .orderBy('kind')
      .select('kind')
      .count({ n: '*' });
    expect(kinds).to.deep.equal([
      { kind: 'closed', n: 11 },
      { kind: 'notice', n: 1 },
      { kind: 'posted', n: 16 },
      { kind: 'prices', n: 1 },
      { kind: 'settled', n: 16 },
      { kind: 'start_moved', n: 1 },
    ]);
  });

  it('hashes bodies, chains cappers and picks, and computes leaves as docs/rules/ledger.md specifies', async () => {
    await expectSoundLedger(stores.database);
  });

  it('does nothing when repeated', async () => {
    expect(await sealAll(stores.database)).to.equal(0);
  });
});

describe('concurrent sealing', () => {
  const stores = withDatabase();

  it('still numbers densely, whichever commits first', async () => {
    await ingest(stores.database, league, now);
    const counts = await Promise.all(Array.from({ length: 4 }, () => sealAll(stores.database)));
    expect(counts.reduce((sum, count) => sum + count, 0)).to.equal(17);
    const seqs = await stores.database('ledger_entries').orderBy('seq').pluck('seq');
    expect(seqs).to.deep.equal(Array.from({ length: 17 }, (_, index) => index));
  });
});

describe('sealing a backlog', () => {
  const stores = withDatabase();

  it('takes as many events as allowed in each transaction', async () => {
    await stores.owner.raw(
      `insert into notices (at, topic, text) select to_timestamp(0), 'remark', 'Remark ' || n from generate_series(1, 4500) n`,
    );
    const batches: number[] = [];
    await sealAll(stores.database, { onBatch: (entries) => batches.push(entries) });
    expect(batches).to.deep.equal([2000, 2000, 500]);
  });

  it('begins no transaction at shutdown', async () => {
    await stores.owner.raw(
      `insert into notices (at, topic, text) select to_timestamp(0), 'remark', 'Late remark ' || n from generate_series(1, 4500) n`,
    );
    const closing = new AbortController();
    const stop = { onBatch: () => closing.abort(), closing: closing.signal };
    expect(await sealAll(stores.database, stop)).to.equal(2000);
    expect(await sealAll(stores.database)).to.equal(2500);
  });
});
