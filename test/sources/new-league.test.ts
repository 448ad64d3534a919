import { expect } from 'chai';
import { addSports } from '../../migrations/migrate.ts';
import { addedSports, addLeague, readLeague } from '../../src/games/names/league-files.ts';
import { applyCappers } from '../../src/intake/capper.ts';
import { gradeDue } from '../../src/ledger/grading/grade.ts';
import { iso } from '../../src/platform/clock.ts';
import { calendars } from '../../src/platform/config/kinds.ts';
import { sportMeant } from '../../src/rules/sport-words.ts';
import { pollEspn } from '../../src/sources/espn/poll.ts';
import { leagueFaults } from '../../src/sources/league-faults.ts';
import { pollOddsApi } from '../../src/sources/odds-api/poll.ts';
import { pollSchedules } from '../../src/sources/schedules/poll.ts';
import { settleStatements } from '../../src/sources/source-scores.ts';
import { testConfig } from '../support/config.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { postPick } from '../support/post-pick.ts';
import { quiet } from '../support/quiet.ts';
import { FakeEspn, fakeGame } from './espn/fake.ts';
import { withServer } from './http-server.ts';
import { FakeOddsApi, fakeBook, fakeEvent } from './odds-api/fake.ts';
import { ics } from './schedules/ics.ts';

const file = `
sports cfl · closed · nicknames
  sport cfl · CFL · moneyline 2 · minutes 195
  espn cfl · football/cfl · ahead 7 · periods 4 2
  odds-api cfl · americanfootball_cfl
Hamilton/Tiger-Cats, Ticats: HAM
Toronto/Argonauts, Argos: TOR
Montreal/Alouettes, Als: MTL
Winnipeg/Blue Bombers, Bombers: WPG
`;
const minute = 60_000;
const start = Date.parse('2026-10-10T23:00:00Z');

describe('a league that is only one file', () => {
  const stores = withDatabase();
  const server = withServer();
  const clock = fixedClock(start - 120 * minute);
  const espn = new FakeEspn();
  const odds = new FakeOddsApi();
  const key = 'americanfootball_cfl';
  const settings = () =>
    testConfig({ ESPN_LEAGUES: 'cfl soccer/eng.1', ODDS_API_SPORTS: `${key} tennis_*` }).sources;
  let remove: () => void;

  before(async () => {
    remove = addLeague('cfl.txt', file);
    await addSports(stores.owner, addedSports());
    await addSports(stores.owner, addedSports());
    espn.now = () => clock.now();
    odds.sports = [{ ...odds.sports[0]!, key }];
    odds.remaining = 90_000;
    server.answer((req, res) => {
      const path = req.url ?? '';
      if (path.endsWith('.ics'))
        res
          .writeHead(200, { 'content-type': 'text/calendar' })
          .end(
            ics(
              ['UID:1', 'DTSTART;VALUE=DATE:20261010', 'SUMMARY:CFL: Ticats at Argos'],
              [...['UID:2', 'DTSTART;VALUE=DATE:20261010', 'SUMMARY:CFL: Ticats at Otters']],
            ),
          );
      else if (path.startsWith('/v4/')) odds.answer(req, res);
      else espn.answer(req, res);
    });
  });
  after(() => remove());

  async function poll(): Promise<void> {
    const deps = {
      database: stores.database,
      clock,
      enqueue: { add: async () => true },
      log: quiet,
      closing: new AbortController().signal,
    };
    const { url } = server;
    await pollSchedules({ ...deps, config: calendars(`cfl=${url}/league.ics`) });
    await pollEspn({ ...deps, config: { leagues: ['cfl'], url } });
    await pollOddsApi({
      ...deps,
      config: { key: odds.key, url, sports: [key], regions: ['us'], bookmakers: [] },
    });
    await settleStatements(stores.database, clock.now());
    await gradeDue(stores.database, clock.now());
  }

  it('has a sport, games of all sources under one name each, prices, scores, and results', async () => {
    const [away, home] = ['Hamilton Tiger-Cats', 'Toronto Argonauts'];
    const names = { awayTeam: 'Hamilton Tiger Cats', homeTeam: home };
    const event = fakeEvent({
      sport_key: key,
      away_team: names.awayTeam,
      home_team: home,
      commence_time: iso(start),
    });
    espn.leagues.set('football/cfl', [fakeGame({ away, home, date: iso(start) })]);
    odds.events = [event];
    await poll();
    const { database } = stores;
    expect(
      await database('sports').where({ key: 'cfl' }).select('label', 'position', 'event_minutes'),
    ).to.deep.equal([{ label: 'CFL', position: 11, event_minutes: 195 }]);
    expect(await database('games').select('sport', 'name', 'starts_at')).to.deep.equal([
      { sport: 'cfl', name: 'Hamilton Tiger-Cats @ Toronto Argonauts', starts_at: start },
    ]);

    await applyCappers(database, [{ handle: 'ada', tier: 'elite', verified: true }], {
      now: clock.now(),
      imported: false,
    });
    const row = {
      capperHandle: 'ada',
      sport: 'cfl',
      game: 'HAM @ TOR',
      startsAt: iso(start),
      stakeUnits: 1,
      market: 'spread',
      side: 'home',
      line: -3.5,
      pick: 'Argos -3.5',
      oddsAmerican: -110,
    };
    expect(await postPick(database, row, undefined, clock.now())).to.have.property('outcome', 'added');
    const refused = await postPick(database, { ...row, game: 'XYZ @ TOR' }, undefined, clock.now());
    expect(refused).to.have.property('outcome', 'refused');
    clock.set(start - 3 * minute);
    odds.events = [{ ...event, bookmakers: [fakeBook(iso(start - 5 * minute), names)] }];
    await poll();
    clock.set(start + 180 * minute);
    const final = { status: 'STATUS_FINAL', period: 4, score: ['17', '24'] as [string, string] };
    espn.leagues.set('football/cfl', [fakeGame({ away, home, date: iso(start), ...final })]);
    await poll();
    clock.set(start + 200 * minute);
    await poll();
    expect(
      await database('picks as p')
        .join('closings as c', 'c.pick_id', 'p.id')
        .join('settlements as s', 's.pick_id', 'p.id')
        .select('c.odds_american', 's.result'),
    ).to.deep.equal([{ odds_american: -110, result: 'win' }]);
  });

  it('is known to settings and in words', () => {
    expect(leagueFaults(settings())).to.deep.equal([]);
    expect(sportMeant('CFL')).to.deep.include({ sports: [] });
    expect(sportMeant('CFL', ['cfl'])).to.deep.equal({ sports: ['cfl'], exact: true });
  });

  it('must be a file that can be read, and settings must name it', () => {
    const bad =
      (...lines: string[]) =>
      () =>
        readLeague('x.txt', ['sports cfl · clubs', ...lines].join('\n'));
    expect(() => readLeague('x.txt', 'Harbor/Gulls: HAR\n')).to.throw(
      'x.txt: its first line must name its sports',
    );
    expect(bad('  sport cfl · CFL · moneyline 2')).to.throw('must have moneyline and minutes');
    expect(bad('  espn nfl · football/nfl · ahead 1')).to.throw('must have one of the sports cfl');
    expect(bad('  espn cfl · football/cfl')).to.throw('must have ahead');
    expect(bad('  espn cfl')).to.throw('must have a second part');
    expect(bad('  chess cfl · x')).to.throw('must have sport, espn, odds-api, or playoffs first');
    expect(bad('  playoffs none · soccer_x', 'Gulls')().lines).to.have.length(1);
    remove();
    try {
      expect(leagueFaults(settings())).to.deep.equal([
        "ESPN_LEAGUES names cfl, which no league's file lists",
        "ODDS_API_SPORTS names americanfootball_cfl, which no league's file lists",
      ]);
    } finally {
      remove = addLeague('cfl.txt', file);
    }
  });
});
