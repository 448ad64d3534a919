import { expect } from 'chai';
import { Command } from 'commander';
import { sourcesVerb } from '../../src/cli/sources.ts';
import { VerbRefused } from '../../src/cli/verb.ts';
import { applyCappers } from '../../src/intake/capper.ts';
import { applyGames } from '../../src/intake/game.ts';
import { applyLines } from '../../src/intake/price.ts';
import { iso } from '../../src/platform/clock.ts';
import { readConfigOf } from '../../src/platform/config/config.ts';
import { recordRun } from '../../src/sources/runs.ts';
import { FakeEspn, fakeGame } from '../sources/espn/fake.ts';
import { withServer } from '../sources/http-server.ts';
import { FakeOddsApi, fakeBook, fakeEvent } from '../sources/odds-api/fake.ts';
import { baseEnvironment } from '../support/base-environment.ts';
import { asLogin, withDatabase } from '../support/database.ts';
import { postPick } from '../support/post-pick.ts';
import { withRedis } from '../support/redis.ts';

const key = Buffer.alloc(32, 2).toString('base64');

describe('the sources verb', () => {
  const stores = withDatabase();
  const redis = withRedis();
  const server = withServer();
  const provider = new FakeEspn();
  const start = Date.now() + 3_600_000;
  const date = iso(start).replace(/:\d\d\.\d+Z$/, 'Z');

  before(() => server.answer((req, res) => provider.answer(req, res)));
  afterEach(() =>
    stores.owner.raw(
      'delete from source_runs; delete from source_scores; delete from source_events; delete from games',
    ),
  );

  /** Runs the verb in this process, under its login. */
  async function sources(...args: string[]): Promise<string> {
    const lines: string[] = [];
    const environment = {
      ...baseEnvironment,
      REDIS_URL: redis.url,
      OPERATOR_TOKEN: 'a-token-for-tests',
      LEDGER_KEY: key,
      ESPN_URL: server.url,
      ODDS_API_URL: server.url,
      ODDS_API_KEY: 'a1b2c3d4',
    };
    const program = new Command().addCommand(
      sourcesVerb(
        (name) => {
          const DATABASE_URL = asLogin(stores.url, name as 'operator' | 'ingest');
          return readConfigOf(name, { ...environment, DATABASE_URL });
        },
        (line) => lines.push(line),
      ),
    );
    await program.parseAsync(['sources', ...args], { from: 'user' });
    return lines.join('\n');
  }

  it('shows each source, its last answers, and its next poll', async () => {
    const database = stores.database;
    const now = Date.parse('2026-01-11T12:00:00Z');
    const facts = { nextAt: now + 60_000, quotaRemaining: 480, quotaUsed: 20 };
    await recordRun(database, 'odds-api', now, true, '480 credits are left.', facts);
    await recordRun(
      database,
      'odds-api/x/odds',
      now,
      false,
      'The Odds API: 500.',
      {},
      { 'unknown market': 3 },
    );
    const text = await sources();
    expect(text).to.contain(
      'ESPN scoreboard, for schedule (free), scores (free): off: ESPN_LEAGUES is not set',
    );
    expect(text).to.contain('The Odds API, for schedule (free), prices, scores: 2 feeds');
    expect(text).to.contain('odds-api: ok, polled 2026-01-11T12:00:00.000Z, next 2026-01-11T12:01:00.000Z');
    expect(text).to.contain('Credits: 480 left, 20 used.');
    expect(text).to.contain('odds-api/x/odds: failing, 1 times in a row');
    expect(text).to.contain('Left out: 3 unknown market.').and.contain('No source has scores for tennis');
  });

  it('shows the waiting games, with what each source says of them', async () => {
    const rows = await stores.database('games').insert(
      ['Gulls @ Foxes', 'Hawks @ Otters'].map((name) => ({
        sport: 'soccer',
        name,
        announced_start: iso(start),
        starts_at: iso(start),
      })),
      'id',
    );
    const [one, other] = rows.map(({ id }: { id: number }) => id);
    const said = { state: 'final', said_at: iso(start) };
    await stores.database('source_scores').insert([
      { ...said, game_id: one, source: 'espn', home_score: 1, away_score: 2 },
      { ...said, game_id: one, source: 'odds-api', home_score: 1, away_score: 3 },
      { ...said, game_id: other, source: 'espn', note: 'after extra time' },
    ]);
    const text = await sources();
    expect(text).to.contain('espn says 2-1, odds-api says 3-1; they contradict each other, so post the game');
    expect(text).to.contain('espn says final (after extra time); there is no score to grade by');
  });

  it('shows side by side the games that The Odds API lists and ESPN does not, or at another time', async () => {
    const feeds = {
      espn: 'espn/soccer.eng.1',
      odds: 'odds-api/soccer_epl',
      other: 'odds-api/soccer_italy_serie_a',
    };
    const add = async (name: string, starts: Partial<Record<keyof typeof feeds, number>>) => {
      const at = iso(start);
      const [{ id }] = await stores
        .database('games')
        .insert({ sport: 'soccer', name, announced_start: at, starts_at: at }, 'id');
      for (const [feed, startsAt] of Object.entries(starts))
        await stores.database('source_events').insert({
          source: feeds[feed as keyof typeof feeds],
          event_id: name,
          game_id: id,
          starts_at: iso(startsAt),
          seen_at: iso(Date.now()),
        });
    };
    const later = start + 3_600_000;
    await add('Gulls @ Foxes', { espn: later, odds: later });
    await add('Hawks @ Otters', { odds: start });
    await add('Bears @ Swans', { espn: start, odds: start + 1_800_000 });
    // A competition that no feed of ESPN follows.
    await add('Wolves @ Herons', { other: start });
    expect((await sources()).split('\n').slice(-4)).to.deep.equal([
      'Listed differently:',
      `  soccer: Hawks @ Otters: odds-api/soccer_epl ${iso(start)} | espn/soccer.eng.1 not listed`,
      `  soccer: Bears @ Swans: odds-api/soccer_epl ${iso(start + 1_800_000)} | espn/soccer.eng.1 ${iso(start)}`,
      'No source has scores for tennis: post its results by hand.',
    ]);
  });

  it('tries a disabled source too, and changes nothing', async () => {
    provider.events = [
      fakeGame({ date, away: 'Bills', home: 'Jets' }),
      fakeGame({ id: '2', date, timeValid: false }),
    ];
    const text = await sources('try', 'espn', 'nfl');
    expect(text).to.contain('ESPN scoreboard, tried: nothing was stored.');
    expect(text)
      .to.contain('1 games would be added')
      .and.match(/nfl: .*Bills.*Jets.*: scheduled/);
    expect(text).to.contain('Left out: 1 unknown team.').and.contain('0 prices would be added');
    for (const table of ['games', 'source_runs', 'source_events'])
      expect(await stores.database(table), table).to.deep.equal([]);
  });

  it('shows the answer of a broken source, and that it is off', async () => {
    provider.instead = () => ({ status: 200, body: '<html>' });
    expect(await sources('try', 'espn', 'nfl')).to.contain('ESPN scoreboard: the answer is not JSON.');
    expect(await sources('try', 'schedule')).to.contain('It is off: SCHEDULE_FEEDS is not set.');
    provider.instead = () => undefined;
  });

  it('refuses unknown sources, and those that would spend credits without consent', async () => {
    const refusal = (...args: string[]) =>
      sources('try', ...args).then(
        () => expect.fail('it was not refused'),
        (error: Error) => {
          expect(error).to.be.instanceOf(VerbRefused);
          return error.message;
        },
      );
    expect(await refusal('nobody')).to.match(/^There is no source nobody: espn, /);
    expect(await refusal('odds-api')).to.match(/costs credits: name one of its sports/);
    expect(await refusal('football-data', 'eng.1')).to.contain('can only be polled as a whole');
  });

  describe('trying The Odds API', () => {
    const prices = new FakeOddsApi();
    const at = () => new Date(Math.trunc(Date.now() / 1000) * 1000).toISOString().replace('.000Z', 'Z');
    before(() => server.answer((req, res) => prices.answer(req, res)));
    beforeEach(() => {
      prices.remaining = 480;
      prices.used = 20;
      prices.events = [
        fakeEvent({
          commence_time: date.replace('Z', ':00Z'),
          home_team: 'Jets',
          away_team: 'Bills',
          bookmakers: [fakeBook(at(), { homeTeam: 'Jets', awayTeam: 'Bills' })],
        }),
      ];
    });
    const tried = () => sources('try', 'odds-api', 'americanfootball_nfl');

    it('prints what it would store even if the last poll was a moment ago', async () => {
      await stores.database('odds_api_calls').insert({
        at: iso(Date.now() - 60_000),
        sport_key: 'americanfootball_nfl',
        markets: ['h2h', 'spreads', 'totals'],
        purpose: 'earlier',
        credits: 3,
      });
      expect(await tried())
        .to.contain('6 prices would be added')
        .and.contain('1 events, 6 prices');
      expect(await stores.database('odds_api_calls').count({ count: '*' })).to.deep.equal([{ count: 1 }]);
      expect(await stores.database('lines')).to.deep.equal([]);
    });

    it('says when prices are requested, if none were', async () => {
      const when =
        '0 prices would be added\nPrices are requested from 24 hours before a start, if credits can be spent.';
      prices.remaining = 22;
      prices.used = 478;
      expect(await tried())
        .to.contain(when)
        .and.contain('Credits: 22 left');
      prices.remaining = 480;
      const far = Date.now() + 60 * 3_600_000;
      prices.events[0]!.commence_time = iso(far).replace(/\.\d+Z$/, 'Z');
      expect(await tried()).to.contain(when);
    });
  });
});

describe('the sources verb, with unpriced picks', () => {
  const stores = withDatabase();

  it('says how many picks of the last day no source has a price for', async () => {
    const { database } = stores;
    const now = Date.now();
    const game = { sport: 'nba', game: 'Hawks @ Otters', startsAt: iso(now + 3_600_000) };
    const intake = { now, imported: false };
    await database.transaction(async (transaction) => {
      await applyCappers(transaction, [{ handle: 'ada', tier: 'elite', verified: true }], intake);
      await applyGames(transaction, [{ ...game, status: 'scheduled' }], intake);
    });
    const bet = { ...game, market: 'moneyline', line: null, oddsAmerican: -110 };
    const home = { ...bet, side: 'home', capturedAt: iso(now), book: 'north' };
    await applyLines(database, [home], intake, 'provider');
    for (const side of ['home', 'away'])
      await postPick(
        database,
        { ...bet, capperHandle: 'ada', side, pick: side, stakeUnits: 1 },
        undefined,
        now - 60_000,
      );
    const lines: string[] = [];
    const verb = sourcesVerb(
      (name) =>
        readConfigOf(name, {
          ...baseEnvironment,
          REDIS_URL: 'redis://127.0.0.1:6379',
          OPERATOR_TOKEN: 'a-token-for-tests',
          LEDGER_KEY: key,
          DATABASE_URL: asLogin(stores.url, name as 'operator'),
        }),
      (line) => lines.push(line),
    );
    await new Command().addCommand(verb).parseAsync(['sources'], { from: 'user' });
    expect(lines.join('\n')).to.contain(
      '1 of 2 picks of the last day are unseen: no source has a price for them.',
    );
  });
});
