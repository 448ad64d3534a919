import { expect } from 'chai';
import { pollEspn } from '../../../src/sources/espn/poll.ts';
import { settleStatements } from '../../../src/sources/source-scores.ts';
import { withDatabase } from '../../support/database.ts';
import { fixedClock } from '../../support/fixed-clock.ts';
import { quiet } from '../../support/quiet.ts';
import { withServer } from '../http-server.ts';
import { FakeEspn, type FakeGame, fakeGame } from './fake.ts';

const hour = 3_600_000;

describe('ESPN, if it refuses every form of asking its scoreboard', () => {
  const stores = withDatabase();
  const server = withServer();
  const begin = Date.parse('2026-01-10T12:00:00Z');
  const clock = fixedClock(begin);
  const espn = new FakeEspn();
  espn.now = () => clock.now();
  espn.refused = new Set(['range', 'month', 'day', 'week']);

  /** Publishes a game as the core API's list has it, and as its summary. */
  function publish(game: FakeGame): void {
    const event = fakeGame({ id: '11', home: 'Boston Celtics', away: 'Chicago Bulls', ...game });
    espn.events = [event];
    espn.summaries.set('11', { header: event });
  }
  const poll = () =>
    pollEspn({
      config: { leagues: ['nba'], url: server.url },
      database: stores.database,
      clock,
      enqueue: { add: async () => true },
      log: quiet,
      closing: new AbortController().signal,
    });

  it('lists games and their scores by its core API, one summary per game', async () => {
    server.answer((req, res) => espn.answer(req, res));
    const date = '2026-01-10T23:00Z';
    publish({ date });
    await poll();
    const games = () =>
      stores.database('games').select('name', 'starts_at', 'status', 'home_score', 'away_score');
    expect(await games()).to.deep.equal([
      {
        name: 'Chicago Bulls @ Boston Celtics',
        starts_at: Date.parse('2026-01-10T23:00:00Z'),
        status: 'scheduled',
        home_score: null,
        away_score: null,
      },
    ]);
    publish({ date, status: 'STATUS_FINAL', period: 4, score: ['100', '104'] });
    clock.set(Date.parse('2026-01-11T02:00:00Z'));
    await poll();
    clock.set(clock.now() + hour);
    await settleStatements(stores.database, clock.now());
    expect((await games())[0]).to.include({ status: 'final', home_score: 104, away_score: 100 });
  });
});
