import { expect } from 'chai';
import type { Database } from '../../src/platform/database.ts';
import { readInBatches } from '../../src/record/export-rows.ts';
import { withDatabase } from '../support/database.ts';

describe('reading in batches', () => {
  const stores = withDatabase();

  async function batchesOf(
    database: Database,
    text: string,
    length: number,
    bindings: readonly number[] = [],
  ): Promise<number[][]> {
    const batches: number[][] = [];
    await readInBatches<{ n: number }>(database, database.raw(text, bindings), length, (rows) =>
      batches.push(rows.map(({ n }) => n)),
    );
    return batches;
  }

  const messageOf = (reading: Promise<unknown>) =>
    reading.then(
      () => 'nothing',
      (error: Error) => error.message,
    );

  it('returns each row once, in order, and never more than a batch at a time', async () => {
    const series = 'select n from generate_series(1, ?::int) as n order by n';
    const read = (count: number) => batchesOf(stores.database, series, 3, [count]);
    expect(await read(7)).to.deep.equal([[1, 2, 3], [4, 5, 6], [7]]);
    expect(await read(3)).to.deep.equal([[1, 2, 3]]);
    expect(await read(0)).to.deep.equal([]);
  });

  it('lets other work run between any two batches', async () => {
    let turns = 0;
    let isReading = true;
    const turn = () => {
      turns += 1;
      if (isReading) setImmediate(turn);
    };
    setImmediate(turn);
    const turnsAt: number[] = [];
    const query = stores.database.raw('select n from generate_series(1, 100) as n');
    await readInBatches(stores.database, query, 5, () => turnsAt.push(turns));
    isReading = false;
    expect(turnsAt).to.have.length(20);
    expect(new Set(turnsAt).size).to.equal(20);
  });

  it('throws errors of PostgreSQL and of the reader, and leaves the connection usable', async () => {
    const dividing = 'select 1 / (3 - n) as n from generate_series(1, 5) as n';
    expect(await messageOf(batchesOf(stores.database, dividing, 2))).to.match(/division by zero$/);
    const query = stores.database.raw('select n from generate_series(1, 5) as n');
    const reading = readInBatches(stores.database, query, 2, () => {
      throw new Error('enough');
    });
    expect(await messageOf(reading)).to.equal('enough');
    expect(await batchesOf(stores.database, 'select 7 as n', 2)).to.deep.equal([[7]]);
  });

  it('can run twice in one transaction', async () => {
    await stores.database.transaction(async (transaction) => {
      for (let time = 0; time < 2; time += 1)
        expect(await batchesOf(transaction, 'select 1 as n', 2)).to.deep.equal([[1]]);
    });
  });
});
