import { expect } from 'chai';
import type { RowKind } from '../../src/intake/kind.ts';
import { type KindName, kinds } from '../../src/intake/kinds.ts';
import { withDatabase } from '../support/database.ts';

const now = Date.parse('2026-01-10T12:00:00Z');
const start = '2026-01-09T18:00:00Z';

describe('a row that no game can have', () => {
  const stores = withDatabase();

  /** Applies a row. @returns why it is refused, or its outcome */
  async function apply(kind: KindName, row: object): Promise<string> {
    const { check, apply }: RowKind = kinds[kind] as unknown as RowKind;
    const checked = check(row);
    if (!checked.ok) return checked.faults[0]!.message;
    const [outcome] = await stores.database.transaction((transaction) =>
      apply(transaction, [checked.value], { now, imported: false }),
    );
    return outcome!.outcome === 'refused' ? outcome!.reason! : outcome!.outcome;
  }
  const ended = (sport: string, homeScore: number, awayScore: number, more = {}) =>
    apply('games', {
      sport,
      game: 'Ada Gull @ Bea Fox',
      startsAt: start,
      status: 'final',
      homeScore,
      awayScore,
      ...more,
    });

  it('is a final score in another unit', async () => {
    expect(await ended('tennis', 12, 10)).to.match(/the sets that each player won, at most 3/);
    expect(await ended('tennis', 1, 1)).to.equal('a tennis match that was played out has a winner');
    for (const [home, away] of [
      [3, 1],
      [29, 28],
      [1, 1],
    ] as const)
      expect(await ended('mma', home, away), `${away}-${home}`).to.match(/1-0 for its winner/);
    expect(await ended('tennis', 1, 1, { played: 'shortened' })).to.equal('added');
    expect(await ended('mma', 0, 0)).to.equal('added');
  });

  it('is a result from before the day of the game', async () => {
    const row = { sport: 'nba', game: 'Gulls @ Foxes', status: 'final', homeScore: 101, awayScore: 100 };
    expect(await apply('games', { ...row, day: '2026-01-12' })).to.equal(
      'the game ended at 2026-01-10T12:00:00.000Z, before its day, 2026-01-12',
    );
    expect(await apply('games', { ...row, day: '2026-01-10' })).to.equal('added');
  });

  it('is a score of a game that is not final, which would be dropped', async () => {
    const row = { sport: 'nba', game: 'Foxes @ Gulls', startsAt: start };
    expect(await apply('games', { ...row, homeScore: 101, awayScore: 100 })).to.equal(
      'must be final, because the game has a score',
    );
    expect(await apply('games', { ...row, homeScore: 0, awayScore: 0 })).to.equal('added');
  });

  it('is a price of a selection that its market does not have', async () => {
    const game = { sport: 'nba', game: 'Otters @ Bears', startsAt: '2026-01-11T18:00:00Z' };
    await apply('games', game);
    const price = (selection: object) =>
      apply('lines', {
        ...game,
        ...selection,
        oddsAmerican: -110,
        capturedAt: '2026-01-10T11:00:00Z',
        book: 'north',
      });
    expect(await price({ market: 'spread', side: 'home' })).to.equal('a spread needs a line');
    expect(await price({ market: 'moneyline', side: 'home', line: -3.5 })).to.equal(
      'a moneyline has no line',
    );
    expect(await price({ market: 'moneyline', side: 'draw' })).to.match(/has the sides home, away, not draw/);
    expect(await price({ market: 'total', side: 'home', line: 200.5 })).to.match(/not home/);
    expect(await price({ market: 'spread', side: 'home', line: -3.5 })).to.equal('added');
    expect(await price({ market: 'race_to_20', subject: 'Otters @ Bears', side: 'home' })).to.equal('added');
  });
});
