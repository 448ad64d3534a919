import { expect } from 'chai';
import { applyCappers } from '../../../src/intake/capper.ts';
import { gradeDue } from '../../../src/ledger/grading/grade.ts';
import { pollEspn } from '../../../src/sources/espn/poll.ts';
import { settleStatements } from '../../../src/sources/source-scores.ts';
import { withDatabase } from '../../support/database.ts';
import { fixedClock } from '../../support/fixed-clock.ts';
import { quiet } from '../../support/quiet.ts';
import { withServer } from '../http-server.ts';
import { FakeEspn, fakeGame } from './fake.ts';

const minute = 60_000;

describe('imported picks without a score, and the past days of ESPN', () => {
  const stores = withDatabase();
  const server = withServer();
  const clock = fixedClock('2026-11-27T18:00:00Z');
  const provider = new FakeEspn();

  const poll = () =>
    pollEspn({
      config: { leagues: ['nba', 'soccer/eng.1', 'soccer/esp.1'], url: server.url },
      database: stores.database,
      clock,
      enqueue: { add: async () => true },
      log: quiet,
      closing: new AbortController().signal,
    });
  const days = () =>
    server.asked
      .splice(0)
      .flatMap(
        (url) =>
          /sports\/(.*)\/scoreboard.*dates=(20(?!2611|2612)\d{6})$/.exec(url)?.slice(1).join(' ') ?? [],
      );

  /** Stores a game that only a file named, with one pending pick. */
  async function importPick(sport: string, name: string, when: string): Promise<void> {
    const isDay = when.length === 10;
    const startsAt = isDay ? null : when;
    const known = isDay ? { day: when } : { announced_start: when, starts_at: when };
    const [{ id }] = await stores.owner('games').insert({ sport, name, ...known }, 'id');
    await stores.owner.raw(
      `insert into picks (uuid, capper_id, tier, game_id, starts_at, market, side, pick, odds_american, stake_e4, source, provenance, posted_at)
       values (gen_random_uuid(), 1, 'elite', ?, ?, 'moneyline', 'home', 'home', -110, 10000, 'import', 'imported', ?)`,
      [id, startsAt, new Date(Date.parse(when) - minute)],
    );
  }
  const results = async () =>
    Object.fromEntries(
      (
        await stores
          .database('picks as p')
          .join('games as g', 'g.id', 'p.game_id')
          .leftJoin('settlements as s', 's.pick_id', 'p.id')
          .orderBy('p.id')
          .select('g.name', 's.result')
      ).map(({ name, result }) => [name, result]),
    );

  before(async () => {
    provider.now = () => clock.now();
    server.answer((req, res) => provider.answer(req, res));
    await applyCappers(stores.database, [{ handle: 'ada', tier: 'elite', verified: true }], {
      now: clock.now(),
      imported: false,
    });
    // Many trackers know only the day.
    await importPick('nba', 'Boston Celtics @ New York Knicks', '2024-11-12');
    await importPick('soccer', 'Copper Foxes @ Harbor Gulls', '2025-03-01T15:00:00Z');
    await importPick('soccer', 'Iron Otters @ Silver Bears', '2025-03-01T17:30:00Z');
    await importPick('nba', 'Miami Heat @ Boston Celtics', '2026-11-27T23:00:00Z');
    const final = { status: 'STATUS_FINAL', period: 4, score: ['101', '99'] } as const;
    provider.leagues.set('basketball/nba', [
      fakeGame({
        id: '1',
        date: '2024-11-13T00:30Z',
        away: 'Boston Celtics',
        home: 'New York Knicks',
        ...final,
      }),
    ]);
    const full = { status: 'STATUS_FULL_TIME', detail: 'FT', period: 2, score: ['0', '2'] } as const;
    provider.leagues.set('soccer/esp.1', [
      fakeGame({ id: '2', date: '2025-03-01T15:00Z', away: 'Copper Foxes', home: 'Harbor Gulls', ...full }),
      fakeGame({ id: '3', date: '2025-03-01T16:00Z', away: 'Blue Swans', home: 'Red Wolves', ...full }),
    ]);
    provider.leagues.set('soccer/eng.1', []);
  });

  it('get their score from the day of their league, newest first, within the budget', async () => {
    await poll();
    expect(days()).to.deep.equal([
      'soccer/eng.1 20250301',
      'soccer/esp.1 20250301',
      'basketball/nba 20241112',
    ]);
    const run = await stores.database('source_runs').where({ source: 'espn/past' }).first();
    expect(run).to.include({ ok: true, message: '3 past days: 2 games.' });
    clock.set(clock.now() + 6 * minute);
    await settleStatements(stores.database, clock.now());
    await gradeDue(stores.database, clock.now());
    expect(await results()).to.deep.equal({
      'Boston Celtics @ New York Knicks': 'loss',
      'Copper Foxes @ Harbor Gulls': 'win',
      'Iron Otters @ Silver Bears': null,
      'Miami Heat @ Boston Celtics': null,
    });
    // Events of other games of that day are no games here.
    expect(await stores.database('games').where('name', 'like', '%Wolves')).to.deep.equal([]);
    expect(await stores.database('source_requests').whereNotNull('finding')).to.deep.equal([]);
  });

  it('ask for a day once a month', async () => {
    await poll();
    expect(days()).to.deep.equal([]);
    clock.set(clock.now() + 31 * 24 * 60 * minute);
    await poll();
    await poll();
    expect(days()).to.deep.equal(['soccer/eng.1 20250301', 'soccer/esp.1 20250301']);
  });

  it('wait five minutes after five requests', async () => {
    for (let day = 1; day <= 6; day++)
      await importPick('nba', 'Miami Heat @ New York Knicks', `2023-01-0${day}T00:30:00Z`);
    clock.set(clock.now() + 5 * minute);
    await poll();
    expect(days()).to.deep.equal(
      ['20230105', '20230104', '20230103', '20230102', '20230101'].map((day) => `basketball/nba ${day}`),
    );
    await poll();
    expect(days()).to.deep.equal([]);
    clock.set(clock.now() + 5 * minute);
    await poll();
    expect(days()).to.deep.equal(['basketball/nba 20221231']);
  });
});
