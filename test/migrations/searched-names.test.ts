import { expect } from 'chai';
import { withDatabaseBefore } from '../support/older-database.ts';

describe('the migration of searched names', function () {
  this.timeout(60_000);
  const older = withDatabaseBefore('20260408000001_searched_names');

  it('knows the names of stored games once, and of later ones', async () => {
    const { owner } = older;
    const game = (name: string, day: number) => {
      const start = new Date(Date.UTC(2026, 0, day));
      return { sport: 'nfl', name, starts_at: start, announced_start: start, home_known: false };
    };
    await owner('games').insert([
      game('Gulls @ Foxes', 1),
      game('Gulls @ Foxes', 2),
      game('Terns @ Wrens', 3),
    ]);
    await older.migrate();
    const names = () => owner('game_names').orderBy('name').pluck('name');
    expect(await names()).to.deep.equal(['Gulls @ Foxes', 'Terns @ Wrens']);
    await owner('games').insert([
      game('Gulls @ Foxes', 4),
      game('Otters @ Hares', 5),
      game('Otters @ Hares', 6),
    ]);
    await owner('games').where('name', 'Terns @ Wrens').update({ name: 'Wrens @ Terns' });
    expect(await names()).to.deep.equal([
      'Gulls @ Foxes',
      'Otters @ Hares',
      'Terns @ Wrens',
      'Wrens @ Terns',
    ]);
  });
});
