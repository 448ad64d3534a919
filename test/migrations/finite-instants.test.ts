import { expect } from 'chai';
import { withDatabase } from '../support/database.ts';

describe('an instant that is stored', () => {
  const stores = withDatabase();

  it('is of a year that bodies can write: nothing could be sealed after another', async () => {
    for (const start of ['infinity', '-infinity', '10000-01-01 00:00Z', '2026-01-01 00:00 BC'])
      for (const column of ['starts_at', 'announced_start', 'final_at'])
        try {
          await stores
            .database('games')
            .insert({ sport: 'nba', name: `A @ B ${start}`, status: 'cancelled', [column]: start });
          expect.fail(`${column} ${start} was stored`);
        } catch (error) {
          expect((error as Error).message).to.include(`games_${column}_check`);
        }
    const whole = { sport: 'nba', name: 'A @ B', starts_at: '9999-12-31 23:59:59.999Z' };
    await stores.database('games').insert(whole);
  });
});
