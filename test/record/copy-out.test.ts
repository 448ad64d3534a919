import { expect } from 'chai';
import fc from 'fast-check';
import { ByteWriter } from '../../src/record/byte-writer.ts';
import { copyOut } from '../../src/record/copy-out.ts';
import { codePoint } from '../support/code-point.ts';
import { withDatabase } from '../support/database.ts';

describe('reading by COPY', () => {
  const stores = withDatabase();

  it('gives every text as it is stored, and tells null from a text that looks like it', async () => {
    const special = fc.string({ unit: fc.constantFrom(...'\\\b\f\n\r\t\v N?\'"é𝕏') });
    const text = fc
      .oneof(special, fc.string({ unit: codePoint }))
      .map((given) => given.toWellFormed().replaceAll('\0', ''));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(text), { minLength: 1, maxLength: 20 }), async (texts) => {
        const query = stores.database
          .from(
            stores.database.raw(
              'json_array_elements_text(?::json) with ordinality as t (given, place)',
              JSON.stringify(texts),
            ),
          )
          .orderBy('place')
          .select('place', 'given');
        const found: unknown[] = [];
        await copyOut(stores.database, query.toString(), (row) => {
          expect(row.integer(0)).to.equal(found.length + 1);
          found.push(row.isNull(1) ? null : row.text(1));
        });
        expect(found).to.deep.equal(texts);
      }),
      { numRuns: 50 },
    );
  });

  it('writes instants in ISO 8601 with milliseconds', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }),
        async (date) => {
          const out = new ByteWriter();
          const query = `select to_timestamp(${date.getTime() / 1000})::timestamptz(3)`;
          await copyOut(stores.database, query, (row) => out.instant(row, 0));
          expect(out.bytes.toString()).to.equal(date.toISOString());
        },
      ),
      { numRuns: 50 },
    );
  });

  it('lets other work have its turn every 64 KB', async () => {
    let turns = 0;
    let rows = 0;
    let atOnce = 0;
    let most = 0;
    let isReading = true;
    const turn = () => {
      turns += 1;
      most = Math.max(most, atOnce);
      atOnce = 0;
      if (isReading) setImmediate(turn);
    };
    setImmediate(turn);
    const query = `select repeat('x', 999) from generate_series(1, 5000)`;
    await copyOut(stores.database, query, (row) => {
      rows += 1;
      atOnce += row.bytes.length;
      // Slower than PostgreSQL: rows wait.
      for (const until = performance.now() + 0.02; performance.now() < until; );
    });
    isReading = false;
    expect(rows).to.equal(5000);
    expect(turns).to.be.above(5_000_000 / 2 ** 18);
    // What is under way when the bytes are full is handled too.
    expect(most).to.be.within(1, 2 ** 18);
  });

  it('throws what PostgreSQL and the reader of rows throw, and leaves the connection in order', async () => {
    const failing = (query: string, onRow = () => {}) =>
      copyOut(stores.database, query, onRow).then(
        () => 'nothing',
        (error) => error.message,
      );
    expect(await failing('select 1 / (3 - n) from generate_series(1, 5) as n')).to.match(/division by zero$/);
    expect(
      await failing('select n from generate_series(1, 5) as n', () => {
        throw new Error('enough');
      }),
    ).to.equal('enough');
    expect((await stores.database.raw('select 7 as n')).rows).to.deep.equal([{ n: 7 }]);
  });
});
