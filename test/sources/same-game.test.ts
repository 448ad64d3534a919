import { expect } from 'chai';
import { applyCappers } from '../../src/intake/capper.ts';

import { gradeDue } from '../../src/ledger/grading/grade.ts';
import { calendars } from '../../src/platform/config/kinds.ts';
import { pollEspn } from '../../src/sources/espn/poll.ts';
import { pollFootballData } from '../../src/sources/football-data/poll.ts';
import { pollOddsApi } from '../../src/sources/odds-api/poll.ts';
import { pollSchedules } from '../../src/sources/schedules/poll.ts';
import { settleStatements } from '../../src/sources/source-scores.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { postPick } from '../support/post-pick.ts';
import { pick } from '../support/posted-pick.ts';
import { quiet } from '../support/quiet.ts';
import { FakeEspn, type FakeGame, fakeCard, fakeGame } from './espn/fake.ts';
import { withServer } from './http-server.ts';
import { type FakeEvent, FakeOddsApi, fakeEvent } from './odds-api/fake.ts';
import { ics } from './schedules/ics.ts';

const minute = 60_000;
const hour = 60 * minute;

describe('the identity of a game over several days of a provider', () => {
  const stores = withDatabase();
  const server = withServer();
  const clock = fixedClock('2026-01-10T12:00:00Z');
  let espn: FakeEspn;
  let odds: FakeOddsApi | undefined;
  let matches: unknown[] | undefined;
  let calendar: string;
  let league: string;
  let feeds: string;
  let day = 10;

  beforeEach(async () => {
    // Games with picks stay, so each test has its own days.
    await stores.owner.raw(
      'delete from source_events; delete from source_runs; delete from source_requests; delete from source_days; delete from source_scores',
    );
    clock.set(at('12:00'));
    espn = new FakeEspn();
    espn.now = () => clock.now();
    odds = undefined;
    matches = undefined;
    calendar = ics();
    feeds = '';
    server.answer((req, res) => {
      const path = req.url ?? '';
      if (path.endsWith('.ics')) res.writeHead(200, { 'content-type': 'text/calendar' }).end(calendar);
      else if (path.startsWith('/v4/matches')) res.writeHead(200).end(JSON.stringify({ matches }));
      else if (path.startsWith('/v4/')) odds!.answer(req, res);
      else espn.answer(req, res);
    });
    await applyCappers(stores.database, [{ handle: 'ada', tier: 'elite', verified: true }], {
      now: clock.now(),
      imported: false,
    });
  });
  afterEach(() => {
    day += 5;
  });

  /** Returns an instant of the test's days. */
  const at = (time: string, after = 0) =>
    Date.parse(`2026-01-01T${time}:00Z`) + (day - 1 + after) * 24 * hour;
  const espnDate = (time: string, after = 0) => `${new Date(at(time, after)).toISOString().slice(0, 16)}Z`;
  const icsDate = (time: string, after = 0) =>
    new Date(at(time, after)).toISOString().replace(/[-:]|\.000/g, '');

  /** Runs all workers once, at an instant. */
  async function live(instant: number): Promise<void> {
    clock.set(instant);
    const deps = {
      database: stores.database,
      clock,
      enqueue: { add: async () => true },
      log: quiet,
      closing: new AbortController().signal,
    };
    if (espn.events.length > 0) await pollEspn({ ...deps, config: { leagues: [league], url: server.url } });
    if (odds !== undefined)
      await pollOddsApi({
        ...deps,
        config: { key: odds.key, url: server.url, sports: ['soccer_epl'], regions: ['us'], bookmakers: [] },
      });
    if (matches !== undefined) await pollFootballData({ ...deps, config: { key: 'k', url: server.url } });
    if (feeds !== '') await pollSchedules({ ...deps, config: calendars(feeds) });
    await settleStatements(stores.database, clock.now());
    await gradeDue(stores.database, clock.now());
  }
  /** Calls {@link live} every half hour. */
  async function liveThrough(from: number, hours: number): Promise<void> {
    for (let half = 0; half <= hours * 2; half++) await live(from + half * 30 * minute);
  }

  const post = async (sport: string, game: string, startsAt: number, side = 'home') => {
    const named = { sport, game, startsAt: new Date(startsAt).toISOString(), side, market: 'moneyline' };
    expect(
      await postPick(stores.database, { ...pick, ...named, line: null }, undefined, clock.now()),
    ).to.include({ outcome: 'added' });
  };
  const games = async () =>
    (
      await stores
        .database('games')
        .where('starts_at', '>=', new Date(at('00:00')))
        .orderBy('id')
        .select('name', 'starts_at', 'status', 'home_score', 'away_score')
    ).map(({ name, starts_at, status, home_score, away_score }) => [
      name,
      new Date(starts_at).toISOString().slice(8, 16),
      home_score === null ? status : `${away_score}-${home_score}`,
    ]);
  const dated = (time: string, after = 0) => new Date(at(time, after)).toISOString().slice(8, 16);
  const results = async () =>
    (
      await stores
        .database('picks as p')
        .join('games as g', 'g.id', 'p.game_id')
        .leftJoin('settlements as s', 's.pick_id', 'p.id')
        .where('g.starts_at', '>=', new Date(at('00:00')))
        .orderBy('p.id')
        .select('g.name', 's.result')
    ).map(({ name, result }) => [name, result]);
  const leftOut = async () =>
    (await stores.database('source_runs').whereRaw(`left_out::text <> '{}'`).pluck('left_out'))[0];
  const match = (game: FakeGame) => fakeGame({ date: espnDate('18:00', 1), ...game });
  const over = (game: FakeGame) => match({ status: 'STATUS_FULL_TIME', detail: 'FT', period: 2, ...game });

  it('ignores undecided opponents, and differs when an id gets another team', async () => {
    league = 'soccer/fifa.world';
    const open = [
      match({ id: '11', home: 'Group A 2nd Place', away: 'Group B 2nd Place' }),
      match({ id: '12', home: 'Round of 8 1 Winner', away: 'Round of 8 3 Winner' }),
      match({ id: '13', home: 'Gullland', away: 'Third Place Group C/E' }),
    ];
    espn.events = [...open, match({ id: '14', home: 'Foxland', away: 'Otterland' })];
    await live(clock.now());
    expect(await games()).to.deep.equal([['Otterland @ Foxland', dated('18:00', 1), 'scheduled']]);
    expect(await leftOut()).to.deep.equal({ 'opponent not known yet': 3 });
    await post('soccer', 'Otterland @ Foxland', at('18:00', 1));

    espn.events = [
      match({ id: '11', home: 'Swanland', away: 'Bearland' }),
      ...open.slice(1, 2),
      match({ id: '13', home: 'Gullland', away: 'Foxland' }),
      match({ id: '14', home: 'Wolfland', away: 'Otterland' }),
    ];
    await liveThrough(at('08:00', 1), 2);
    expect(await games()).to.deep.equal([
      ['Otterland @ Foxland', dated('18:00', 1), 'postponed'],
      ['Bearland @ Swanland', dated('18:00', 1), 'scheduled'],
      ['Foxland @ Gullland', dated('18:00', 1), 'scheduled'],
      ['Otterland @ Wolfland', dated('18:00', 1), 'scheduled'],
    ]);
    expect(await stores.database('notices').pluck('text')).to.deep.equal([
      `soccer: Otterland @ Foxland (${new Date(at('18:00', 1)).toISOString()}) counts as postponed: no source lists it any more.`,
    ]);
    await post('soccer', 'Otterland @ Wolfland', at('18:00', 1));

    espn.events = [
      over({ id: '14', home: 'Wolfland', away: 'Otterland', score: ['1', '2'], winner: 'home' }),
    ];
    await liveThrough(at('18:00', 1), 3);
    expect(await results()).to.deep.equal([
      ['Otterland @ Foxland', null],
      ['Otterland @ Wolfland', 'win'],
    ]);
    await live(at('18:00', 3));
    expect(await results()).to.deep.equal([
      ['Otterland @ Foxland', 'void'],
      ['Otterland @ Wolfland', 'win'],
    ]);
  });

  it('grades nothing by the score of a bout with another fighter', async () => {
    league = 'ufc';
    const card = (other: string, more = {}) => [
      fakeCard([{ id: '21', fighters: ['Ada Stone', other], ...more }], espnDate('23:00')),
    ];
    espn.events = card('Bea Reed');
    await live(clock.now());
    await post('mma', 'Bea Reed @ Ada Stone', at('23:00'));
    espn.events = card('Cleo Hart', { status: 'STATUS_FINAL', winner: 0 });
    await liveThrough(at('23:30'), 2);
    expect(await games()).to.deep.equal([
      ['Bea Reed @ Ada Stone', dated('23:00'), 'postponed'],
      ['Cleo Hart @ Ada Stone', dated('23:00'), '0-1'],
    ]);
    expect(await results()).to.deep.equal([['Bea Reed @ Ada Stone', null]]);
    await live(at('23:00', 2));
    expect(await results()).to.deep.equal([['Bea Reed @ Ada Stone', 'void']]);
  });

  it('survives fighters that swap places and spelling, and grades by who won', async () => {
    league = 'ufc';
    const card = (...fighters: [string, string]) => [fakeCard([{ id: '31', fighters }], espnDate('23:00'))];
    espn.events = card('Ada Stone', 'Béa Reed');
    await live(clock.now());
    await post('mma', 'Béa Reed @ Ada Stone', at('23:00'));
    espn.events = card('Bea Reed', 'A. Stone');
    await liveThrough(at('13:00'), 2);
    espn.events = [
      fakeCard(
        [{ id: '31', fighters: ['Bea Reed', 'A. Stone'], status: 'STATUS_FINAL', winner: 1 }],
        espnDate('23:00'),
      ),
    ];
    await liveThrough(at('23:30'), 1);
    expect(await games()).to.deep.equal([['Béa Reed @ Ada Stone', dated('23:00'), '0-1']]);
    expect(await results()).to.deep.equal([['Béa Reed @ Ada Stone', 'win']]);
  });

  it('is kept when the kickoff of a day becomes known, from another source or under another id', async () => {
    league = 'soccer/eng.1';
    feeds = `soccer,home-first=${server.url}/cup.ics`;
    const midnight = icsDate('05:00', 1);
    calendar = ics(
      ['UID:a', `DTSTART:${midnight}`, 'SUMMARY:Harbor Gulls v Copper Foxes'],
      ['UID:b', `DTSTART:${midnight}`, 'SUMMARY:Iron Otters v Silver Bears'],
    );
    await live(clock.now());
    espn.events = [
      match({ id: '41', date: espnDate('20:00', 1), home: 'Harbor Gulls', away: 'Copper Foxes' }),
    ];
    calendar = ics(
      ['UID:a', `DTSTART:${midnight}`, 'SUMMARY:Harbor Gulls v Copper Foxes'],
      ['UID:b', `DTSTART:${midnight}`, 'SUMMARY:Iron Otters v Silver Bears'],
      ['UID:c', `DTSTART:${icsDate('19:00', 1)}`, 'SUMMARY:Iron Otters v Silver Bears'],
    );
    await liveThrough(at('13:00'), 2);
    expect(await games()).to.deep.equal([
      ['Copper Foxes @ Harbor Gulls', dated('20:00', 1), 'scheduled'],
      ['Silver Bears @ Iron Otters', dated('19:00', 1), 'scheduled'],
    ]);
    const stored = stores
      .database('games')
      .whereIn('name', ['Copper Foxes @ Harbor Gulls', 'Silver Bears @ Iron Otters']);
    expect(await stored.pluck('announced_start')).to.deep.equal([null, null]);
    await post('soccer', 'Copper Foxes @ Harbor Gulls', at('20:00', 1));
    espn.events = [
      over({
        id: '41',
        date: espnDate('20:00', 1),
        home: 'Harbor Gulls',
        away: 'Copper Foxes',
        score: ['0', '1'],
      }),
    ];
    await liveThrough(at('20:30', 1), 3);
    expect(await results()).to.deep.equal([['Copper Foxes @ Harbor Gulls', 'win']]);
  });

  it('separates the games of a doubleheader, each with its score, but not two starts two hours apart', async () => {
    league = 'mlb';
    const game = (id: string, time: string, home: string, more: FakeGame = {}) =>
      match({ id, date: espnDate(time, 1), home, away: 'Tampa Bay Rays', ...more });
    espn.events = [
      game('51', '17:00', 'Boston Red Sox'),
      game('52', '20:00', 'Boston Red Sox'),
      game('53', '17:00', 'Boston Red Sox'),
      game('54', '22:00', 'New York Yankees'),
      game('55', '23:59', 'New York Yankees'),
    ];
    await live(clock.now());
    expect(await games()).to.deep.equal([
      ['Tampa Bay Rays @ Boston Red Sox', dated('17:00', 1), 'scheduled'],
      ['Tampa Bay Rays @ Boston Red Sox', dated('20:00', 1), 'scheduled'],
      ['Tampa Bay Rays @ New York Yankees', dated('22:00', 1), 'scheduled'],
    ]);
    expect(await leftOut()).to.deep.equal({ 'game listed twice': 2 });
    await post('mlb', 'Tampa Bay Rays @ Boston Red Sox', at('17:00', 1));
    await post('mlb', 'Tampa Bay Rays @ Boston Red Sox', at('20:00', 1));
    const done = { status: 'STATUS_FINAL', detail: 'Final', period: 9 };
    espn.events = [
      game('51', '17:00', 'Boston Red Sox', { ...done, score: ['2', '5'] }),
      game('52', '20:00', 'Boston Red Sox', { ...done, score: ['4', '3'] }),
    ];
    await liveThrough(at('17:30', 1), 7);
    expect((await results()).map(([, result]) => result)).to.deep.equal(['win', 'loss']);
  });

  it('assigns a score of The Odds API to the opponents that it names', async () => {
    const named = (home: string, more: Partial<FakeEvent> = {}) =>
      fakeEvent({
        id: 'o1',
        sport_key: 'soccer_epl',
        commence_time: new Date(at('18:00', 2)).toISOString(),
        home_team: home,
        away_team: 'Iron Otters',
        ...more,
      });
    odds = new FakeOddsApi();
    odds.sports = [{ ...odds.sports[0]!, key: 'soccer_epl' }];
    odds.events = [named('Harbor Gulls')];
    await live(clock.now());
    await post('soccer', 'Iron Otters @ Harbor Gulls', at('18:00', 2));
    odds.events = [named('Copper Foxes')];
    await liveThrough(at('12:30'), 26);
    await post('soccer', 'Iron Otters @ Copper Foxes', at('18:00', 2));
    const scores = ['Copper Foxes', 'Iron Otters'].map((name, index) => ({ name, score: String(2 - index) }));
    odds.events = [];
    odds.scores = [named('Copper Foxes', { completed: true, scores })];
    await liveThrough(at('20:30', 2), 1);
    expect(await results()).to.deep.equal([
      ['Iron Otters @ Harbor Gulls', null],
      ['Iron Otters @ Copper Foxes', 'win'],
    ]);
  });

  it('grades nothing by a football-data.org match or calendar event with other teams than before', async () => {
    feeds = `soccer,home-first=${server.url}/cup.ics`;
    const kickoff = icsDate('18:00');
    calendar = ics(['UID:x', `DTSTART:${kickoff}`, 'SUMMARY:Harbor Gulls v Copper Foxes']);
    const named = (home: string, status: string) => ({
      id: 9,
      utcDate: new Date(at('18:00')).toISOString(),
      status,
      homeTeam: { name: home },
      awayTeam: { name: 'Copper Foxes' },
      score: {
        duration: 'REGULAR',
        fullTime: status === 'FINISHED' ? { home: 2, away: 1 } : { home: null, away: null },
      },
    });
    await live(clock.now());
    await post('soccer', 'Copper Foxes @ Harbor Gulls', at('18:00'));
    matches = [named('Harbor Gulls FC', 'IN_PLAY')];
    await live(at('18:10'));
    matches = [named('Iron Otters', 'FINISHED')];
    await liveThrough(at('19:50'), 2);
    expect(await results()).to.deep.equal([['Copper Foxes @ Harbor Gulls', null]]);
    matches = [named('Harbor Gulls FC', 'FINISHED')];
    await liveThrough(at('22:30'), 2);
    expect(await results()).to.deep.equal([['Copper Foxes @ Harbor Gulls', 'win']]);

    calendar = ics(['UID:y', `DTSTART:${icsDate('18:00', 2)}`, 'SUMMARY:Harbor Gulls v Silver Bears']);
    await live(at('12:00', 1));
    calendar = ics(['UID:y', `DTSTART:${icsDate('18:00', 2)}`, 'SUMMARY:Winner SF1 v Silver Bears']);
    await live(at('12:30', 1));
    calendar = ics(['UID:y', `DTSTART:${icsDate('18:00', 2)}`, 'SUMMARY:Iron Otters v Silver Bears']);
    await liveThrough(at('13:00', 1), 2);
    expect((await games()).slice(1)).to.deep.equal([
      ['Silver Bears @ Harbor Gulls', dated('18:00', 2), 'postponed'],
      ['Silver Bears @ Iron Otters', dated('18:00', 2), 'scheduled'],
    ]);
  });

  it('survives another start that day under another id', async () => {
    league = 'nfl';
    const game = (id: string, time: string) =>
      match({ id, date: espnDate(time, 1), home: 'Dallas Cowboys', away: 'Tampa Bay Buccaneers' });
    espn.events = [game('61', '18:00')];
    await live(clock.now());
    espn.events = [game('62', '23:30')];
    await liveThrough(at('15:00'), 2);
    expect(await games()).to.deep.equal([
      ['Tampa Bay Buccaneers @ Dallas Cowboys', dated('23:30', 1), 'scheduled'],
    ]);
  });
});
