import { expect } from 'chai';
import { cancelled } from '../../../src/jobs/job.ts';
import { gradeDue } from '../../../src/ledger/grading/grade.ts';
import type { EspnDeps } from '../../../src/sources/espn/ask.ts';
import { pollEspn } from '../../../src/sources/espn/poll.ts';
import { settleStatements } from '../../../src/sources/source-scores.ts';
import { withDatabase } from '../../support/database.ts';
import { fixedClock } from '../../support/fixed-clock.ts';
import { quiet } from '../../support/quiet.ts';
import { withServer } from '../http-server.ts';
import { FakeEspn, type FakeGame, fakeCard, fakeGame } from './fake.ts';

const begin = Date.parse('2026-01-11T12:00:00Z');
const teams = [
  'Jets',
  'Bears',
  'Lions',
  'Rams',
  'Colts',
  'Texans',
  'Titans',
  'Browns',
  'Ravens',
  'Eagles',
  'Giants',
  'Saints',
  'Packers',
  'Vikings',
];

const minute = 60_000;
const hour = 60 * minute;

describe("polling ESPN's scoreboard", () => {
  const stores = withDatabase();
  const server = withServer();
  const clock = fixedClock(begin);
  let provider: FakeEspn;
  let jobs: string[];
  let leagues: string[];
  let home: string;
  let count = 0;

  beforeEach(async () => {
    // Picks stay forever, and their games with them, so each test has its own home team.
    await stores.owner.raw(
      'delete from source_events; delete from source_runs; delete from source_requests; delete from source_days; delete from source_scores',
    );
    home = teams[count++]!;
    clock.set(begin);
    provider = new FakeEspn();
    provider.now = () => clock.now();
    server.answer((req, res) => provider.answer(req, res));
    jobs = [];
    leagues = ['nfl'];
  });

  const poll = (changes: Partial<EspnDeps> = {}) =>
    pollEspn({
      config: { leagues, url: server.url },
      database: stores.database,
      clock,
      enqueue: { add: async (job) => jobs.push(job.name) > 0 },
      log: quiet,
      closing: new AbortController().signal,
      ...changes,
    });
  const own = (game: FakeGame = {}) => fakeGame({ away: 'Bills', home, ...game });
  const run = (source: string) => stores.database('source_runs').where({ source }).first();
  const asked = () => server.asked.splice(0).map((url) => url.replace('/apis/site/v2/sports', ''));
  const pass = (ms: number) => clock.set(clock.now() + ms);
  const game = () =>
    stores
      .database('games')
      .orderBy('id', 'desc')
      .first('status', 'home_score', 'away_score', 'home_half_score');

  async function postPick(market = 'moneyline', side = 'home', line: number | null = null): Promise<void> {
    await stores.owner.raw(
      `insert into cappers (handle, tier, verified, created_at) values ('ada', 'elite', true, '2026-01-01T00:00:00Z') on conflict do nothing`,
    );
    await stores.owner.raw(
      `insert into picks (uuid, capper_id, tier, game_id, starts_at, market, side, line_e3, pick, odds_american, stake_e4, source,
         provenance, posted_at)
       select gen_random_uuid(), 1, 'elite', id, starts_at, ?, ?, ?, 'Foxes', -110, 10000, 'test', 'live', '2026-01-11T12:00:00Z' from games order by id desc limit 1`,
      [market, side, line],
    );
  }

  it('does nothing without leagues, and forgets its feeds', async () => {
    await poll();
    leagues = [];
    asked();
    expect(await poll()).to.deep.equal(cancelled('ESPN_LEAGUES is not set'));
    expect([asked(), await stores.database('source_runs')]).to.deep.equal([[], []]);
  });

  it('requests the coming days, and again after half an hour', async () => {
    leagues = ['nfl', 'ncaab', 'soccer/eng.1'];
    provider.events = [own()];
    await poll();
    expect(asked()).to.deep.equal([
      // A month of college basketball exceeds the limit. Tomorrow's soccer may be missing on its day.
      ...['20260111', '20260112'].map(
        (day) => `/basketball/mens-college-basketball/scoreboard?groups=50&limit=500&dates=${day}`,
      ),
      ...['20260111', '20260112', '202601'].map(
        (dates) => `/football/nfl/scoreboard?limit=500&dates=${dates}`,
      ),
      ...['20260111', '202601'].map((dates) => `/soccer/eng.1/scoreboard?limit=500&dates=${dates}`),
    ]);
    pass(29 * minute);
    await poll();
    expect(asked()).to.deep.equal([]);
    pass(minute);
    await poll();
    expect(asked()).to.have.length(3);
    expect(await run('espn/nfl/schedule')).to.include({ ok: true, message: '1 games.' });
    expect(await run('espn/nfl/scores')).to.include({ ran_at: null });
  });

  it('requests scores from the start on, more often near the end, and accepts one after five minutes', async () => {
    provider.events = [own()];
    await poll();
    await postPick();
    asked();
    clock.set('2026-01-11T18:00:00Z');
    provider.events = [own({ status: 'STATUS_IN_PROGRESS' })];
    const at: number[] = [];
    for (; clock.now() < Date.parse('2026-01-11T22:00:00Z'); pass(minute)) {
      await poll();
      if (asked().some((url) => url.endsWith('dates=20260111'))) at.push(clock.now());
    }
    const between = (from: string, to: string) =>
      at.filter((each) => each >= Date.parse(`2026-01-11T${from}Z`) && each < Date.parse(`2026-01-11T${to}Z`))
        .length;
    expect(between('18:00', '19:00')).to.equal(6);
    expect(between('21:00', '21:30')).to.be.within(7, 15);
    provider.events = [
      own({
        status: 'STATUS_FINAL',
        score: ['17', '24'],
        linescores: [
          [3, 7, 7, 0],
          [7, 7, 3, 7],
        ],
      }),
    ];
    pass(10 * minute);
    await poll();
    expect(await game()).to.include({ status: 'scheduled' });
    expect(await settleStatements(stores.database, clock.now() + 5 * minute - 1)).to.include({ finals: 0 });
    expect(await settleStatements(stores.database, clock.now() + 5 * minute)).to.include({ finals: 1 });
    expect(await game()).to.include({ status: 'final', home_score: 24, away_score: 17, home_half_score: 14 });
    asked();
    clock.set('2026-01-12T12:00:00Z');
    await poll();
    expect(asked().filter((url) => url.endsWith('dates=20260111'))).to.deep.equal([]);
  });

  it('gives up on a game without picks after hours, and polls less and less often while picks wait', async () => {
    provider.events = [own()];
    await poll();
    asked();
    clock.set('2026-01-12T12:00:00Z');
    await poll();
    expect(asked().filter((url) => url.endsWith('=20260111'))).to.deep.equal([]);
    await postPick();
    let requests = 0;
    for (let turn = 0; turn < 60; turn++, pass(2 * minute)) {
      await poll();
      requests += asked().filter((url) => url.endsWith('=20260111')).length;
    }
    expect(requests).to.be.within(2, 3);
  });

  it('postpones and calls off games like ESPN', async () => {
    provider.events = [own()];
    await poll();
    provider.events = [own({ status: 'STATUS_POSTPONED' })];
    pass(3 * hour);
    await poll();
    expect(await game()).to.include({ status: 'postponed' });
    provider.events = [own({ date: '2026-01-12T18:00Z' })];
    pass(3 * hour);
    await poll();
    expect(await game()).to.include({ status: 'scheduled' });
    provider.events = [own({ date: '2026-01-12T18:00Z', status: 'STATUS_CANCELED' })];
    pass(3 * hour);
    await poll();
    expect(await game()).to.include({ status: 'cancelled' });
    expect(jobs).to.include('grade-due');
  });

  it('ends a bout by its winner, and leaves other markets to result events', async () => {
    leagues = ['ufc'];
    const bouts = [
      { id: '1', fighters: ['Cleo Hart', 'Dora Finch'] },
      { id: '2', fighters: ['Ada Stone', 'Bea Reed'] },
    ] as const;
    provider.events = [fakeCard(bouts)];
    await poll();
    await postPick();
    await postPick('total', 'over', 2500);
    clock.set('2026-01-12T03:00:00Z');
    provider.events = [fakeCard(bouts.map((bout) => ({ ...bout, status: 'STATUS_FINAL', winner: 0 })))];
    await poll();
    expect(await settleStatements(stores.database, clock.now() + hour)).to.include({ finals: 2 });
    await gradeDue(stores.database, clock.now() + hour);
    const settled = stores.database('picks as p').leftJoin('settlements as s', 's.pick_id', 'p.id');
    const last = await settled.orderBy('p.id', 'desc').limit(2).select('p.market', 's.grader');
    expect(last).to.deep.equal([
      { market: 'total', grader: null },
      { market: 'moneyline', grader: 'score' },
    ]);
  });

  it('disables a league with a new answer format, reports it, and retries occasionally', async () => {
    provider.instead = () => ({ status: 200, body: { scoreboard: [] } });
    for (let turn = 0; turn < 200; turn++, pass(minute)) await poll();
    expect(asked()).to.have.length(5);
    const off = await run('espn/nfl/schedule');
    expect(off).to.include({ ok: false, failures: 5 });
    expect(off.message).to.match(
      /^ESPN scoreboard: the answer is not a scoreboard: .*; after 5 failures in a row it is off, and retried every 6 hours\.$/,
    );
    pass(6 * hour);
    await poll();
    expect(asked()).to.have.length(1);
    provider.instead = () => undefined;
    pass(6 * hour);
    await poll();
    expect(await run('espn/nfl/schedule')).to.include({ ok: true, failures: 0 });
  });

  it('backs off when ESPN refuses, longer each time, and as long as it asks', async () => {
    leagues = ['nfl', 'nba'];
    provider.instead = () => ({ status: 403, body: 'no' });
    await poll();
    expect(asked()).to.have.length(1);
    expect(await run('espn')).to.include({ ok: false, next_at: begin + 15 * minute });
    pass(15 * minute - 1);
    expect(await poll()).to.deep.equal(cancelled('backing off after ESPN refused requests'));
    provider.instead = () => ({ status: 429, headers: { 'retry-after': '7200' } });
    pass(1);
    await poll();
    expect(await run('espn')).to.include({ failures: 2, next_at: clock.now() + 2 * hour });
    provider.instead = () => undefined;
    pass(2 * hour);
    await poll();
    expect(await run('espn')).to.include({
      ok: true,
      failures: 0,
      message: 'Leagues: nfl, nba. Requests: 8 today, 0 yesterday.',
    });
  });

  it('leaves the rest to the next poll after two requests without an answer', async () => {
    leagues = ['nfl', 'nba', 'nhl', 'mlb', 'wnba'];
    server.answer((_, res) => res.writeHead(500).end());
    const asks: (string | undefined)[][] = [];
    for (let polls = 0; polls < 4; polls += 1) {
      await poll();
      asks.push(asked().map((url) => url.split('/')[2]));
    }
    expect(asks.map((list) => list.length)).to.deep.equal([2, 2, 1, 0]);
    expect(new Set(asks.flat()).size).to.equal(5);
  });

  it('revalidates answers that have an entity tag', async () => {
    provider.instead = () => ({ status: 200, headers: { etag: '"a"' }, body: { events: [own()] } });
    await poll();
    provider.instead = () => ({ status: 304 });
    pass(hour);
    await poll();
    expect(server.requests.at(-1)!.headers['if-none-match']).to.equal('"a"');
    expect(await run('espn/nfl/schedule')).to.include({ ok: true, message: 'Unchanged.' });
    // Another day is another request.
    asked();
    pass(24 * hour);
    await poll();
    const [day, , month] = server.requests.slice(-3);
    expect(
      asked()
        .slice(-3)
        .map((url) => url.slice(-8)),
    ).to.deep.equal(['20260112', '20260113', 's=202601']);
    expect(day!.headers['if-none-match']).to.equal('"a"');
    expect(month!.headers['if-none-match']).to.equal('"a"');
  });

  it('stops at once at shutdown, without reporting a failure', async () => {
    const closing = new AbortController();
    server.answer(() => closing.abort());
    await poll({ closing: closing.signal });
    expect(await stores.database('source_runs').where('ok', false)).to.deep.equal([]);
  });

  it('postpones a game that the schedule drops, and restores it when it is listed again', async () => {
    const other = fakeGame({ id: '2', away: 'Chiefs', home: 'Broncos', date: '2026-01-12T01:00Z' });
    const status = async () =>
      (await stores.database('games').where('name', 'like', `%${home}`).first())?.status;
    provider.events = [own(), other];
    await poll();
    // An event whose start is open again is still listed.
    provider.events = [own({ timeValid: false }), other];
    for (let time = 0; time < 3; time++) {
      pass(30 * minute);
      await poll();
    }
    expect(await status()).to.equal('scheduled');
    provider.events = [other];
    for (let time = 0; time < 2; time++) {
      pass(30 * minute);
      await poll();
    }
    expect(await status()).to.equal('scheduled');
    pass(30 * minute);
    await poll();
    expect(await status()).to.equal('postponed');
    expect((await run('espn/nfl/schedule')).message).to.contain('1 postponed');
    provider.events = [own(), other];
    pass(30 * minute);
    await poll();
    expect(await status()).to.equal('scheduled');
  });

  it('ignores empty and unreadable answers', async () => {
    provider.events = [own()];
    await poll();
    for (const events of [[], [{ id: 1 }, own({ id: '9', away: 'Chiefs' })], []]) {
      provider.events = events;
      pass(30 * minute);
      await poll();
    }
    expect(
      await stores.database('source_events').where('event_id', '401700001').pluck('missed'),
    ).to.deep.equal([0]);
  });
});
