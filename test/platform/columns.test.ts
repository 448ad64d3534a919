import { expect } from 'chai';
import fc from 'fast-check';
import { columnsOf } from '../../src/platform/columns.ts';
import { withDatabase } from '../support/database.ts';

const types = { id: 'int', name: 'text', at: 'timestamptz', is_new: 'boolean' } as const;

describe('rows as a table in a statement', () => {
  const stores = withDatabase();

  async function through(rows: Parameters<typeof columnsOf<keyof typeof types>>[1]) {
    const { table, bindings } = columnsOf(types, rows);
    const { rows: found } = await stores.database.raw(
      `select r.* from ${table} as r (${Object.keys(types).join(', ')})`,
      bindings,
    );
    return found;
  }

  it('are returned as passed, in order, whatever their texts', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }).map((each) => each.replaceAll('\0', '')),
      fc.constantFrom('', 'NULL', 'null', '{}', '"', '\\', '\\"', '{"a",b}', ' , ', '?', "'"),
    );
    const row = fc.record({
      id: fc.option(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
      name: fc.option(text),
      at: fc.constant(null),
      is_new: fc.option(fc.boolean()),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(row), async (rows) => {
        expect(await through(rows)).to.deep.equal(rows.map((each) => ({ ...each })));
      }),
    );
  });

  it('hold instants as text', async () => {
    const [row] = await through([{ id: 1, name: null, at: '2024-10-06T19:00:00.123+02:00', is_new: false }]);
    expect(row.at).to.equal(Date.parse('2024-10-06T17:00:00.123Z'));
  });

  it('may be empty', async () => {
    expect(await through([])).to.deep.equal([]);
  });
});
