import { expect } from 'chai';
import { markNow, missedClosings } from '../../src/ledger/closing/missed.ts';
import { withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { ingest, runPipeline } from '../support/whole-way.ts';

describe('missed closings', () => {
  const stores = withDatabase();
  const folder = withFolder();
  const now = Date.parse('2024-11-01T00:00:00Z');
  const startsAt = '2024-10-06T17:00:00Z';
  const game = (name: string) => ({ sport: 'nfl', game: `${name} Gulls @ ${name} Foxes`, startsAt });
  const names = ['North', 'South', 'East'];

  /** Imports files. @returns the missed closings */
  async function miss(files: Record<string, object[]>) {
    const before = await markNow(stores.database);
    const paths = Object.entries(files).map(([kind, rows]) => folder.write(`${kind}.ndjson`, rows));
    await ingest(stores.database, paths, now);
    await runPipeline(stores.database, now);
    return missedClosings(stores.database, before);
  }

  const price = (name: string, side: string, line: number) => ({
    ...game(name),
    market: 'spread',
    side,
    line,
    oddsAmerican: -110,
    capturedAt: startsAt,
    book: 'north',
  });

  it('include picks that settled without a price, and those whose price arrives later', async () => {
    const bet = {
      market: 'spread',
      side: 'home',
      line: -3.5,
      pick: 'Foxes',
      oddsAmerican: -105,
      stakeUnits: 1,
    };
    const first = await miss({
      cappers: [{ handle: 'ada', tier: 'elite', verified: true }],
      games: names.map((name) => ({ ...game(name), status: 'scheduled' })),
      picks: names.map((name) => ({
        capperHandle: 'ada',
        ...game(name),
        ...bet,
        book: 'north',
        postedAt: '2024-10-06T10:00:00Z',
      })),
    });
    expect(first).to.deep.equal({ settled: 0, late: 0 });

    const final = (name: string) => ({ ...game(name), status: 'final', homeScore: 24, awayScore: 20 });
    const prices = [price('North', 'home', -3.5)];
    expect(await miss({ games: names.slice(0, 2).map(final), lines: prices })).to.deep.equal({
      settled: 1,
      late: 0,
    });
    const southern = [price('South', 'home', -3), price('South', 'away', 3)];
    expect(await miss({ lines: [...prices, southern[0]!] }), 'priced on one side').to.deep.equal({
      settled: 0,
      late: 0,
    });
    expect(await miss({ lines: southern })).to.deep.equal({ settled: 0, late: 1 });
    expect(await miss({ lines: southern }), 'the same again').to.deep.equal({ settled: 0, late: 0 });
    expect(await miss({ games: [{ ...game('East'), status: 'cancelled' }] })).to.deep.equal({
      settled: 0,
      late: 0,
    });
  });
});
