import { expect } from 'chai';
import { pickFields } from '../../src/ledger/pick.ts';
import { importedUuid } from '../../src/ledger/posting/import-picks.ts';
import { withDatabase } from '../support/database.ts';

const row = {
  capperHandle: 'Ada',
  sport: 'nfl',
  game: 'Harbor Herons @ Mesa Muleteers',
  startsAt: '2026-09-13T17:00:00Z',
  market: 'spread',
  side: 'home',
  line: -3.5,
  pick: 'Mesa Muleteers -3.5',
  oddsAmerican: -110,
  stakeUnits: 1.25,
  postedAt: '2026-09-13T12:00:00Z',
};

describe('the declaration of a pick', () => {
  const stores = withDatabase();

  it('has every column of the table of picks, and no other', async () => {
    const declared = Object.values(pickFields).flatMap(({ column }) =>
      column.startsWith('p.') ? [column.slice(2)] : [],
    );
    const columns: string[] = await stores
      .owner('information_schema.columns')
      .where({ table_schema: 'public', table_name: 'picks' })
      .pluck('column_name');
    expect(declared).to.have.members(columns);
  });
});

describe('the UUID of an imported pick', () => {
  const uuidOf = (changes: object) => importedUuid({ ...row, ...changes });

  it('never changes', () => {
    expect(uuidOf({})).to.equal('5666f200-af88-5f76-ae9b-6b3a4c73a7a0');
    expect(uuidOf({ startsAt: null, line: undefined, book: 'north', source: 'blog' })).to.equal(
      'ab047717-ac34-55da-aa46-77089cd972e1',
    );
  });

  it('is the same for another notation of the row, and differs for another row', () => {
    expect(uuidOf({ capperHandle: 'ADA', startsAt: '2026-09-13T19:00:00+02:00', line: -3.5 })).to.equal(
      uuidOf({}),
    );
    for (const change of [
      { capperHandle: 'bob' },
      { side: 'away' },
      { subject: 'Ada Lovelace' },
      { line: -4 },
      { pick: 'Muleteers' },
      { oddsAmerican: -105 },
      { stakeUnits: 1 },
      { book: 'north' },
      { source: 'blog' },
      { postedAt: '2026-09-13T12:00:01Z' },
    ])
      expect(uuidOf(change), JSON.stringify(change)).not.to.equal(uuidOf({}));
  });
});
