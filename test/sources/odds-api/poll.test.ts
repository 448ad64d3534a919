import { expect } from 'chai';
import { cancelled, ok } from '../../../src/jobs/job.ts';
import type { OddsApiSettings } from '../../../src/sources/odds-api/credits.ts';
import { pollOddsApi } from '../../../src/sources/odds-api/poll.ts';
import type { PollDeps } from '../../../src/sources/poll-deps.ts';
import { withDatabase } from '../../support/database.ts';
import { fixedClock } from '../../support/fixed-clock.ts';
import { quiet } from '../../support/quiet.ts';
import { addTeams } from '../../support/teams.ts';
import { withServer } from '../http-server.ts';
import { FakeOddsApi, fakeBook, fakeEvent } from './fake.ts';

const begin = Date.parse('2026-01-11T12:00:00Z');
const minute = 60_000;
const hour = 60 * minute;

describe('polling The Odds API', () => {
  const stores = withDatabase();
  const server = withServer();
  const clock = fixedClock(begin);
  let provider: FakeOddsApi;
  let jobs: string[];
  let config: OddsApiSettings;
  const nfl = 'odds-api/americanfootball_nfl';

  beforeEach(async () => {
    await stores.owner.raw(
      'delete from odds_api_calls; delete from source_events; delete from source_runs; delete from lines; delete from games',
    );
    await addTeams(stores.database, 'nfl', 'Harbor Gulls', 'Copper Foxes');
    clock.set(begin);
    provider = new FakeOddsApi();
    provider.events = [fakeEvent()];
    server.answer((req, res) => provider.answer(req, res));
    jobs = [];
    config = {
      key: provider.key,
      url: server.url,
      sports: ['americanfootball_nfl', 'basketball_nba'],
      regions: ['us'],
      bookmakers: [],
    };
  });

  const poll = (changes: Partial<PollDeps<OddsApiSettings>> = {}) =>
    pollOddsApi({
      config,
      database: stores.database,
      clock,
      enqueue: { add: async (job) => jobs.push(job.name) > 0 },
      log: quiet,
      closing: new AbortController().signal,
      ...changes,
    });
  const run = (source: string) => stores.database('source_runs').where({ source }).first();
  /** Returns the paths requested since the last call. */
  const asked = () => server.asked.splice(0).map((url) => url.replace(/\?.*/, '').replace('/v4/sports', ''));
  const pass = (ms: number) => clock.set(clock.now() + ms);

  it('does nothing without a key, and forgets its feeds', async () => {
    await poll();
    asked();
    config = { ...config, key: undefined };
    expect(await poll()).to.deep.equal(cancelled('ODDS_API_KEY is not set'));
    expect([asked(), await stores.database('source_runs')]).to.deep.equal([[], []]);
  });

  it('requests only what is due of sports in season, and records the state of each feed', async () => {
    provider.events = [fakeEvent({ bookmakers: [fakeBook('2026-01-11T11:59:00Z')] })];
    await poll();
    expect(asked()).to.deep.equal(['', '/americanfootball_nfl/events', '/americanfootball_nfl/odds']);
    await poll();
    expect(asked()).to.deep.equal([]);
    expect(await run('odds-api')).to.include({
      ok: true,
      message: 'In season: americanfootball_nfl; 480 credits are left.',
      quota_remaining: 477,
      quota_used: 23,
      next_at: begin + hour,
    });
    expect(await run(`${nfl}/odds`)).to.include({ ok: true, message: '1 events, 6 prices.', ran_at: begin });
    expect(await run(`${nfl}/scores`)).to.include({ ran_at: null, next_at: null });
    expect(await stores.database('lines').pluck('id')).to.have.length(6);
    expect(jobs).to.deep.equal(['plan-closings', 'grade-due']);
  });

  it('sends requests as documented', async () => {
    await poll();
    const query = Object.fromEntries(new URL(server.asked.at(-1)!, server.url).searchParams);
    expect(query).to.deep.equal({
      apiKey: provider.key,
      regions: 'us',
      markets: 'h2h,spreads,totals',
      oddsFormat: 'american',
    });
  });

  it('spreads credits that no pick needs over the day', async () => {
    const times: number[] = [];
    for (; clock.now() < Date.parse('2026-01-11T18:00:00Z'); pass(5 * minute)) {
      await poll();
      if (asked().some((path) => path.endsWith('/odds'))) times.push(clock.now());
    }
    expect(times).to.have.length(2);
    expect(times[1]! - times[0]!).to.be.within(2 * hour, 4 * hour);
  });

  it('never spends the reserve', async () => {
    provider.remaining = 21;
    for (let turn = 0; turn < 5; turn++, pass(3 * minute)) await poll();
    expect(asked()).to.not.include('/americanfootball_nfl/odds');
    provider.remaining = 100;
    await poll();
    expect(asked()).to.include('/americanfootball_nfl/odds');
    provider.remaining = 20;
    pass(hour);
    await poll();
    expect((await run('odds-api')).message).to.match(
      /20 credits are left, of which 20 are kept: prices wait for new ones, expected by 2026-02-01\.$/,
    );
  });

  it('starts counting again when the provider grants new credits', async () => {
    provider.remaining = 22;
    await poll();
    provider.remaining = 500;
    pass(2 * hour);
    await poll();
    expect(await run('odds-api')).to.include({ quota_from: clock.now(), quota_at_start: 500 });
    expect(asked()).to.include('/americanfootball_nfl/odds');
  });

  it('moves a game whose start moved', async () => {
    provider.events = [fakeEvent()];
    await poll();
    provider.events = [fakeEvent({ commence_time: '2026-01-11T20:30:00Z' })];
    pass(20 * minute);
    jobs = [];
    await poll();
    expect(await stores.database('games').pluck('starts_at')).to.deep.equal([
      Date.parse('2026-01-11T20:30:00Z'),
    ]);
    expect(jobs).to.include('plan-closings');
  });

  it('does not request a sport that is out of season, and does not report it as late', async () => {
    await poll();
    provider.sports = [];
    pass(hour);
    asked();
    await poll();
    expect(asked()).to.deep.equal(['']);
    expect(await stores.database('source_runs').pluck('source')).to.deep.equal(['odds-api']);
    expect(await run('odds-api')).to.include({
      ok: true,
      message: 'None of the sports is in season; 477 credits are left.',
    });
  });

  it('stops when the key is refused, reports it, and resumes at once with another key', async () => {
    config = { ...config, key: 'wrong' };
    expect(await poll()).to.deep.equal(cancelled('backing off after a failure at The Odds API'));
    expect(asked()).to.deep.equal(['']);
    const refused = await run('odds-api');
    expect(refused).to.include({ ok: false, succeeded_at: null });
    expect(refused.message).to.match(
      /^The Odds API: 401 INVALID_KEY: the key is not valid\. The key is not accepted/,
    );
    pass(hour);
    await poll();
    expect(asked()).to.deep.equal([]);
    config = { ...config, key: provider.key };
    await poll();
    expect(asked()).to.include('/americanfootball_nfl/odds');
    expect(await run('odds-api')).to.include({ ok: true, failures: 0 });
  });

  it('continues with free requests when the credits are used up, and with prices once there are new ones', async () => {
    provider.instead = (path) => {
      if (!path.endsWith('/odds')) return undefined;
      provider.remaining = 0;
      return {
        status: 401,
        body: { message: 'Usage quota has been reached', error_code: 'OUT_OF_USAGE_CREDITS' },
      };
    };
    await poll();
    expect((await run(`${nfl}/odds`)).message).to.equal(
      'The Odds API: 401 OUT_OF_USAGE_CREDITS: no credits are left: prices and scores wait for new ones, schedules continue.',
    );
    expect((await run('odds-api')).ok).to.equal(true);
    asked();
    pass(20 * minute);
    await poll();
    expect(asked()).to.deep.equal(['/americanfootball_nfl/events']);
    provider.instead = () => undefined;
    provider.remaining = 500;
    pass(hour);
    await poll();
    expect(asked()).to.deep.equal(['', '/americanfootball_nfl/events', '/americanfootball_nfl/odds']);
    expect(await run(`${nfl}/odds`)).to.include({ ok: true, failures: 0 });
  });

  it('backs off as long as told after too many requests', async () => {
    await poll();
    provider.instead = (path) =>
      path.endsWith('/events')
        ? {
            status: 429,
            headers: { 'retry-after': '600' },
            body: { message: 'slow down', error_code: 'EXCEEDED_FREQ_LIMIT' },
          }
        : undefined;
    pass(20 * minute);
    await poll();
    expect(await run('odds-api')).to.include({ ok: false, next_at: clock.now() + 10 * minute });
    asked();
    pass(9 * minute);
    await poll();
    expect(asked()).to.deep.equal([]);
    provider.instead = () => undefined;
    pass(minute);
    await poll();
    expect(asked()).to.deep.equal(['', '/americanfootball_nfl/events']);
  });

  for (const [what, answer, reason] of [
    ['fails internally', { status: 503, body: 'down' }, '503'],
    ['answers nonsense', { status: 200, body: '<html>hello</html>' }, 'the answer is not JSON'],
    ['answers with another shape', { status: 200, body: { events: [] } }, 'the answer is not a list'],
    [
      'redirects',
      { status: 302, headers: { location: 'http://elsewhere.example/' } },
      'a redirect (302), which is not followed',
    ],
  ] as const)
    it(`retries, later each time, while it ${what}, and keeps polling the other feeds`, async () => {
      provider.sports.forEach((sport) => {
        sport.active = true;
      });
      provider.instead = (path) => (path.endsWith('nfl/events') ? answer : undefined);
      await poll();
      expect(asked()).to.deep.equal(['', '/americanfootball_nfl/events', '/basketball_nba/events']);
      expect(await run(`${nfl}/events`)).to.include({
        ok: false,
        failures: 1,
        message: `The Odds API: ${reason}.`,
        next_at: begin + minute,
      });
      pass(minute);
      await poll();
      expect(await run(`${nfl}/events`)).to.include({ failures: 2, next_at: clock.now() + 2 * minute });
      provider.instead = () => undefined;
      pass(2 * minute);
      await poll();
      expect(await run(`${nfl}/events`)).to.include({ ok: true, failures: 0 });
    });

  for (const [status, code, meaning] of [
    [404, 'UNKNOWN_SPORT', 'unknown sport'],
    [422, 'INVALID_MARKET', 'this market is not available here'],
    [422, 'INVALID_REGION', 'unknown region: check ODDS_API_REGIONS'],
    [422, 'SOMETHING_NEW', 'no'],
  ] as const)
    it(`delays a request by hours after the answer ${code}`, async () => {
      provider.instead = (path) =>
        path.endsWith('/odds') ? { status, body: { message: 'no', error_code: code } } : undefined;
      await poll();
      expect(await run(`${nfl}/odds`)).to.include({
        message: `The Odds API: ${status} ${code}: ${meaning}.`,
        next_at: begin + 6 * hour,
      });
    });

  it('stops when two feeds in a row fail', async () => {
    provider.sports = ['americanfootball_nfl', 'basketball_nba'].map((key) => ({
      key,
      group: '',
      title: '',
      active: true,
      has_outrights: false,
    }));
    provider.instead = (path) => (path === '/v4/sports' ? undefined : { status: 500 });
    expect(await poll()).to.deep.equal(ok({ asked: 2, failed: 2 }));
    expect(asked()).to.have.length(3);
  });

  it('loses only one malformed event of an answer, and says so', async () => {
    provider.events = [fakeEvent(), { ...fakeEvent({ id: 'x' }), commence_time: 'soon' }];
    await poll();
    expect((await run(`${nfl}/events`)).message).to.match(/^1 events, 1 added; 1 unreadable: /);
  });

  it('reports what it leaves out of an answer, and fails one without a readable price', async () => {
    const book = fakeBook('2026-01-11T11:59:00Z') as {
      markets: { key: string; outcomes: { price: number }[] }[];
    };
    book.markets.push({ key: 'player_first_basket', outcomes: [] });
    provider.events = [fakeEvent({ bookmakers: [book] })];
    await poll();
    expect(await run(`${nfl}/odds`)).to.deep.include({ ok: true, left_out: { 'unknown market': 1 } });
    for (const { outcomes } of book.markets) for (const outcome of outcomes) outcome.price = 1.91;
    pass(6 * hour - minute);
    provider.events = [fakeEvent({ bookmakers: [book], commence_time: '2026-01-12T12:00:00Z' })];
    await poll();
    expect(await run(`${nfl}/odds`)).to.deep.include({
      ok: false,
      message: 'The Odds API: no price in the answer is readable: price that is not in American odds.',
    });
  });

  it('requests nothing for outright competitions, and no scores that the provider lacks', async () => {
    const season = ['soccer_epl', 'soccer_fifa_world_cup_winner', 'soccer_uefa_cup', 'tennis_atp_dubai'];
    provider.sports = season.map((key) => ({
      key,
      group: '',
      title: '',
      active: true,
      has_outrights: key === 'soccer_uefa_cup',
    }));
    config = { ...config, sports: ['soccer_*', 'tennis_*'] };
    await poll();
    expect(asked()).to.deep.equal(['', '/soccer_epl/events', '/tennis_atp_dubai/events']);
    expect(await run('odds-api/tennis_atp_dubai/scores')).to.equal(undefined);
    expect((await run('odds-api/tennis_atp_dubai/events')).message).to.contain(
      'It has no scores for this sport: results must come from another source or by hand.',
    );
  });

  it('never reveals the key, even when the provider repeats it', async () => {
    provider.instead = (path) =>
      path.endsWith('/odds') ? { status: 422, body: { message: `bad key ${provider.key}` } } : undefined;
    await poll();
    expect(JSON.stringify(await stores.database('source_runs'))).to.not.contain(provider.key);
  });

  it('remembers its requests across a restart, and repeats none', async () => {
    await poll();
    asked();
    await poll({ database: stores.database });
    expect(asked()).to.deep.equal([]);
  });

  it('stops at once at shutdown, without reporting a failure', async () => {
    await poll();
    const closing = new AbortController();
    server.answer(() => closing.abort());
    pass(20 * minute);
    await poll({ closing: closing.signal });
    expect(server.asked).to.have.length(1);
    expect(await stores.database('source_runs').where('ok', false)).to.deep.equal([]);
  });

  // This test is the last one, since its pick stays forever.
  it('requests scores only while picks wait for the result of a game that must be over', async () => {
    provider.events = [fakeEvent({ commence_time: '2026-01-11T13:00:00Z' })];
    await poll();
    const paths: string[] = [];
    for (; clock.now() < Date.parse('2026-01-11T20:00:00Z'); pass(30 * minute)) {
      await poll();
      paths.push(...asked());
    }
    expect(paths).to.not.include('/americanfootball_nfl/scores');
    await postPick();
    await poll();
    expect(asked()).to.include('/americanfootball_nfl/scores');
    const url = server.requests.map((request) => request.url).find((each) => each?.includes('/scores'));
    expect(new URL(url!, server.url).searchParams.get('daysFrom')).to.equal('3');
  });

  /** Stores a pick on the only game, as if posted before the start. */
  async function postPick(): Promise<void> {
    await stores.owner.raw(`
      insert into cappers (handle, tier, verified, created_at) values ('ada', 'elite', true, '2026-01-01T00:00:00Z');
      insert into picks (uuid, capper_id, tier, game_id, starts_at, market, side, pick, odds_american, stake_e4, source,
        provenance, posted_at)
        select gen_random_uuid(), 1, 'elite', id, starts_at, 'moneyline', 'home', 'Foxes', -110, 10000, 'test', 'live', '2026-01-11T12:00:00Z'
        from games`);
  }
});
