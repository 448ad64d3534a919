import { expect } from 'chai';
import { applyCappers } from '../../../src/intake/capper.ts';
import { gradeDue } from '../../../src/ledger/grading/grade.ts';
import { etDay } from '../../../src/rules/et-day.ts';
import { leaguesOf } from '../../../src/sources/espn/leagues.ts';
import { pollEspn } from '../../../src/sources/espn/poll.ts';
import { settleStatements } from '../../../src/sources/source-scores.ts';
import type { CheckContext } from '../../../src/status/check.ts';
import { providerAnswersCheck } from '../../../src/status/checks/sources.ts';
import { withDatabase } from '../../support/database.ts';
import { fixedClock } from '../../support/fixed-clock.ts';
import { atLength } from '../../support/long.ts';
import { postPick } from '../../support/post-pick.ts';
import { quiet } from '../../support/quiet.ts';
import { addTeams } from '../../support/teams.ts';
import { withServer } from '../http-server.ts';
import { FakeEspn, type FakeGame, fakeCard, fakeGame, fakeSummary } from './fake.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const begin = Date.parse('2026-12-28T15:00:00Z');
const leagues = leaguesOf(['all']);
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** Two fictional teams for each game of a day. A league has 26 times as many as it needs on its busiest day. */
const teamOf = (key: string, index: number) =>
  `${key.replace(/\W/g, ' ')} ${letters[index % 26]}${letters[Math.floor(index / 26) % 26]}ville`;

/** ESPN, with games of every league on each day across the turn of a year. */
describe('all leagues of ESPN, as it answers since September 2026', function () {
  this.timeout(240_000);
  const stores = withDatabase();
  const server = withServer();
  const clock = fixedClock(begin);
  const provider = new FakeEspn();
  const perDay = (key: string) => (key === 'ncaab' ? 40 : atLength(2, key === 'ncaaf' ? 12 : 4));
  const changes = new Map<string, FakeGame>();
  /** Opponents of a game, other ones each day. */
  const teamsOn = (key: string, index: number, number: number) => ({
    away: teamOf(key, 2 * number),
    home: teamOf(key, 2 * ((number + index) % perDay(key)) + 1),
  });

  /** Each league's games from December 1 to January 31, at 20:00Z. */
  function publish(): void {
    for (const [at, { key, path }] of leagues.entries()) {
      const days = Array.from({ length: 62 }, (_, index) => Date.parse('2026-12-01T20:00:00Z') + index * day);
      const events = days.flatMap((start, index) => {
        const date = `${new Date(start).toISOString().slice(0, 16)}Z`;
        if (key === 'ufc') {
          const fighters = (bout: number) =>
            [`Ann ${teamOf('F', 4 * index + bout)}`, `Bea ${teamOf('F', 4 * index + bout)}`] as const;
          return fakeCard(
            [0, 1].map((bout) => ({ id: `9${index}0${bout}`, fighters: fighters(bout) })),
            date,
          );
        }
        return Array.from({ length: perDay(key) }, (_, number) => {
          const id = String(100_000 * (at + 1) + 100 * index + number);
          const teams = teamsOn(key, index, number);
          return fakeGame({ id, date, ...teams, ...changes.get(id) });
        });
      });
      provider.leagues.set(path, events);
    }
  }

  async function poll(): Promise<void> {
    await pollEspn({
      config: { leagues: ['all'], url: server.url },
      database: stores.database,
      clock,
      enqueue: { add: async () => true },
      log: quiet,
      closing: new AbortController().signal,
    });
  }
  /** Lets time pass, polling every ten minutes, and settles and grades. */
  async function live(ms: number, every = 10 * minute): Promise<void> {
    for (const end = clock.now() + ms; clock.now() < end; clock.set(clock.now() + every)) await poll();
    await settleStatements(stores.database, clock.now());
    await gradeDue(stores.database, clock.now());
  }
  const runs = async () =>
    new Map(
      (await stores.database('source_runs').select('source', 'ok', 'message')).map((run) => [
        run.source,
        run,
      ]),
    );
  /** Number of known games of a league, by ET day. */
  async function known(key: string): Promise<Record<string, number>> {
    const starts: number[] = await stores
      .database('source_events as e')
      .join('games as g', 'g.id', 'e.game_id')
      .where('e.source', `espn/${key}`)
      .pluck('g.starts_at');
    const days = Map.groupBy(starts.map(etDay).sort(), (each) => each);
    return Object.fromEntries([...days].map(([each, same]) => [each, same.length]));
  }
  const asked = () => server.asked.splice(0).map((url) => url.replace('/apis/site/v2/sports', ''));
  async function post(sport: string, game: string, startsAt: number, more: object = {}): Promise<void> {
    const bet = {
      market: 'moneyline',
      side: 'home',
      line: null,
      pick: 'home',
      oddsAmerican: -110,
      stakeUnits: 1,
    };
    const row = {
      ...bet,
      capperHandle: 'ada',
      sport,
      game,
      startsAt: new Date(startsAt).toISOString(),
      ...more,
    };
    expect(await postPick(stores.database, row, undefined, clock.now())).to.include({ outcome: 'added' });
  }
  const finding = () =>
    providerAnswersCheck
      .measure(
        { database: stores.database, now: clock.now() } as CheckContext,
        providerAnswersCheck.thresholds,
      )
      .then((findings) => findings.get('provider-answers')!);

  before(async () => {
    provider.now = () => clock.now();
    server.answer((req, res) => provider.answer(req, res));
    for (const sport of ['nba', 'nfl', 'mlb', 'nhl', 'wnba'])
      await addTeams(
        stores.database,
        sport,
        ...Array.from({ length: 8 }, (_, index) => teamOf(sport, index)),
      );
    await applyCappers(stores.database, [{ handle: 'ada', tier: 'elite', verified: true }], {
      now: clock.now(),
      imported: false,
    });
    publish();
  });

  it('has all games of the coming days after one cycle, across the turn of the year', async () => {
    await poll();
    for (const [source, { ok, message }] of await runs()) expect(ok, `${source}: ${message}`).to.equal(true);
    for (const { key, aheadDays } of leagues) {
      const days = Array.from({ length: aheadDays + 1 }, (_, index) => etDay(begin + index * day));
      const each = key === 'ufc' ? 2 : perDay(key);
      expect(await known(key), key).to.deep.equal(Object.fromEntries(days.map((date) => [date, each])));
    }
    const urls = asked();
    expect(urls.filter((url) => url.startsWith('/soccer/eng.1/')).map((url) => url.slice(-6))).to.deep.equal([
      '261228',
      '202612',
      '202701',
    ]);
    expect(urls.filter((url) => /dates=\d+-/.test(url))).to.deep.equal([
      '/mma/ufc/scoreboard?limit=500&dates=20261228-20270111',
    ]);
    expect(urls.every((url) => url.includes('limit=500'))).to.equal(true);
  });

  it('settles picks by live scores, and grades players by box scores', async () => {
    const teams = teamsOn('nba', 27, 0);
    const id = String(100_000 * (leagues.findIndex(({ key }) => key === 'nba') + 1) + 2700);
    const game = `${teams.away} @ ${teams.home}`;
    const start = Date.parse('2026-12-28T20:00:00Z');
    await post('nba', game, start);
    await post('nba', game, start, {
      market: 'player_points',
      subject: 'Rory Finch',
      side: 'over',
      line: 20.5,
    });
    clock.set(start + minute);
    changes.set(id, { status: 'STATUS_IN_PROGRESS', period: 1 });
    publish();
    await live(2 * hour, 20 * minute);
    changes.set(id, { status: 'STATUS_FINAL', period: 4, score: ['90', '99'], winner: 'home' });
    publish();
    const group = { keys: ['minutes', 'points'], players: [{ name: 'Rory Finch', values: [30, 24] }] };
    provider.summaries.set(id, fakeSummary({ id, ...teams, teams: [[group], []] }));
    await live(hour);
    await live(hour);
    const results = await stores
      .database('picks as p')
      .join('settlements as s', 's.pick_id', 'p.id')
      .orderBy('p.id')
      .select('p.market', 's.result', 's.grader');
    expect(results).to.deep.equal([
      { market: 'moneyline', result: 'win', grader: 'score' },
      { market: 'player_points', result: 'win', grader: 'stat' },
    ]);
  });

  it('continues by days when months are refused, says so, and tries months again after a day', async () => {
    provider.refused.add('month');
    clock.set(begin + day);
    await poll();
    await live(hour, 30 * minute);
    const { ok, message } = (await runs()).get('espn/nfl/schedule')!;
    expect(ok).to.equal(true);
    expect(message).to.contain(
      ' Refused: month, the answer is 400: /apis/site/v2/sports/football/nfl/scoreboard?limit=500&dates=202612.',
    );
    expect(Object.keys(await known('nfl'))).to.have.length(9);
    asked();
    await live(12 * hour, 3 * hour);
    expect(asked().filter((url) => url.includes('/nfl/') && /dates=\d{6}$/.test(url))).to.deep.equal([]);
    provider.refused.delete('month');
    await live(13 * hour, 2 * hour);
    expect(asked().filter((url) => url.includes('/nfl/') && /dates=\d{6}$/.test(url))).to.have.length.above(
      0,
    );
    expect((await runs()).get('espn/nfl/schedule')!.message).not.to.contain('Refused');
    expect(await finding()).to.include({ status: 'ok' });
  });

  it('opens an incident when answers are cut off at 25 events and picks depend on them', async () => {
    expect(await finding()).to.include({ message: 'Answers are as usual.' });
    const { away, home } = teamsOn('ncaab', 30, 0);
    await post('ncaab', `${away} @ ${home}`, Date.parse('2026-12-31T20:00:00Z'));
    provider.cut = 25;
    await live(4 * hour, hour);
    const { status, message } = await finding();
    expect(status).to.equal('degraded');
    expect(message).to.match(
      /^ESPN scoreboard, espn\/ncaab, request day 202612\d\d: it lists exactly 25 events, like an answer that was cut off: 25 games of 40 announced\./,
    );
    expect(message).to.contain('1 game with pending picks');
    expect((await runs()).get('espn/ncaab/schedule')!.message).to.contain(' Finding (day 202612');
    // Nothing vanishes because of it.
    expect(await stores.database('games').where('status', 'postponed')).to.deep.equal([]);
    provider.cut = Number.POSITIVE_INFINITY;
    await live(4 * hour, hour);
    expect(await finding()).to.include({ status: 'ok' });
  });
});
