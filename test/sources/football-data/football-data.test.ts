import { expect } from 'chai';
import { cancelled, ok } from '../../../src/jobs/job.ts';
import { iso } from '../../../src/platform/clock.ts';
import { readMatches } from '../../../src/sources/football-data/answers.ts';
import { pollFootballData } from '../../../src/sources/football-data/poll.ts';
import { Unreadable } from '../../../src/sources/http.ts';
import { settleStatements } from '../../../src/sources/source-scores.ts';
import { withDatabase } from '../../support/database.ts';
import { fixedClock } from '../../support/fixed-clock.ts';
import { quiet } from '../../support/quiet.ts';
import { withServer } from '../http-server.ts';

const start = Date.parse('2026-01-11T15:00:00Z');
const minute = 60_000;
const hour = 60 * minute;

const match = (score: object = {}, status = 'FINISHED', more: object = {}) => ({
  id: 1,
  utcDate: '2026-01-11T15:00:00Z',
  status,
  homeTeam: { id: 5, name: 'Copper Foxes FC', shortName: 'Foxes', tla: 'FOX' },
  awayTeam: { id: 6, name: 'Harbor Gulls', shortName: null, tla: 'GUL' },
  score: {
    winner: null,
    duration: 'REGULAR',
    fullTime: { home: 2, away: 1 },
    halfTime: { home: 1, away: 1 },
    ...score,
  },
  ...more,
});
const only = (...given: Parameters<typeof match>) => readMatches({ matches: [match(...given)] }).events[0]!;

describe('football-data.org', () => {
  it('gives the score after 90 minutes and at half-time', () => {
    expect(only()).to.deep.equal({
      eventId: '1',
      home: 'Copper Foxes FC',
      away: 'Harbor Gulls',
      startsAt: start,
      day: null,
      state: 'final',
      score: { home: 2, away: 1, homeHalf: 1, awayHalf: 1, played: 'full' },
    });
  });

  for (const [duration, fullTime] of [
    ['EXTRA_TIME', { home: 3, away: 2 }],
    ['PENALTY_SHOOTOUT', { home: 7, away: 6 }],
  ] as const)
    it(`gives no score but that of the regular time after ${duration}`, () => {
      expect(only({ duration, fullTime })).to.deep.include({ state: 'final', note: 'after extra time' });
      const score = { duration, fullTime, regularTime: { home: 2, away: 2 } };
      expect(only(score).score).to.include({ home: 2, away: 2 });
    });

  it('knows the states of a match, and gives no score before the end or for an awarded match', () => {
    const state = (status: string) => only({}, status).state;
    expect(['TIMED', 'IN_PLAY', 'PAUSED', 'SUSPENDED', 'POSTPONED', 'CANCELLED'].map(state)).to.deep.equal([
      'scheduled',
      'in_progress',
      'in_progress',
      'suspended',
      'postponed',
      'cancelled',
    ]);
    expect(only({}, 'IN_PLAY')).to.not.have.property('score');
    expect(only({}, 'AWARDED')).to.deep.include({ state: 'final', note: 'awarded' });
    expect(only({ fullTime: { home: null, away: null } })).to.deep.include({ note: 'no score' });
    expect(only({ duration: null })).to.deep.include({ note: 'may include extra time' });
  });

  it('needs neither a half-time nor a regular time, and no full time that contradicts the latter', () => {
    const score = { home: 2, away: 1, played: 'full' };
    expect(only({ halfTime: null, regularTime: null }).score).to.deep.equal(score);
    const regularTime = { home: 2, away: 1 };
    expect(only({ regularTime }).score).to.include(score);
    expect(only({ regularTime, fullTime: { home: 6, away: 5 } })).to.deep.include({
      state: 'final',
      note: 'contradictory score',
    });
  });

  it('counts what it omits, and refuses entirely unreadable answers', () => {
    const { events, leftOut } = readMatches({
      matches: [match(), match({}, 'LIVE'), { id: 'x' }, match({}, 'TIMED', { homeTeam: { name: null } })],
    });
    expect(events).to.have.length(1);
    expect(leftOut).to.deep.equal({ 'opponent not known yet': 1, 'unknown state': 1, 'unreadable game': 1 });
    expect(() => readMatches({ matches: [{ id: 'x' }] })).to.throw(Unreadable);
    expect(() => readMatches({ message: 'no' })).to.throw(Unreadable, /^the answer has no matches/);
  });

  describe('when polled', () => {
    const stores = withDatabase();
    const server = withServer();
    const clock = fixedClock(start);
    let body: unknown = { matches: [match()] };
    let status = 200;
    before(async () => {
      server.answer((_, res) =>
        res.writeHead(status, { 'x-requestcounter-reset': '40' }).end(JSON.stringify(body)),
      );
      await stores.owner.raw(
        `insert into cappers (handle, tier, verified, created_at) values ('ada', 'elite', true, '2026-01-01T00:00:00Z')`,
      );
      await stores.database('games').insert({
        sport: 'soccer',
        name: 'Harbor Gulls @ Copper Foxes',
        announced_start: iso(start),
        starts_at: iso(start),
      });
    });
    const poll = (key: string | undefined = 'token') =>
      pollFootballData({
        config: { key, url: server.url },
        database: stores.database,
        clock,
        enqueue: { add: async () => true },
        log: quiet,
        closing: new AbortController().signal,
      });
    const run = () => stores.database('source_runs').first();

    it('is not called without a key, or while no picks wait', async () => {
      clock.set(start + 2 * hour);
      expect(await poll('')).to.deep.equal(ok({ asked: 0 }));
      expect(server.asked).to.deep.equal([]);
      await stores.owner.raw(
        `insert into picks (uuid, capper_id, tier, game_id, starts_at, market, side, pick, odds_american, stake_e4, source,
           provenance, posted_at)
         select gen_random_uuid(), 1, 'elite', id, starts_at, 'moneyline', 'home', 'Foxes', -110, 10000, 'test', 'live',
           '2026-01-11T12:00:00Z' from games`,
      );
    });

    it('reports only that it refused, and is called again when it allows, or with another key', async () => {
      status = 403;
      await poll();
      expect(await run()).to.include({
        ok: false,
        message: 'football-data.org: the answer is 403, so FOOTBALL_DATA_KEY may be wrong.',
        next_at: clock.now() + 6 * hour,
      });
      expect(await poll()).to.deep.equal(cancelled('backing off after a failure at football-data.org'));
      status = 429;
      await poll('another');
      expect(await run()).to.include({ ok: false, next_at: clock.now() + 2 * minute });
      clock.set(clock.now() + 2 * minute);
      status = 200;
    });

    it('has its score accepted after a while if it is the only source of a known game', async () => {
      body = {
        matches: [
          match(),
          match({}, 'TIMED', { id: 2, homeTeam: { name: 'Others' }, utcDate: '2026-01-12T15:00:00Z' }),
        ],
      };
      server.asked.length = 0;
      await poll();
      expect(server.asked).to.deep.equal(['/v4/matches?dateFrom=2026-01-11&dateTo=2026-01-12']);
      expect(server.requests.at(-1)!.headers['x-auth-token']).to.equal('token');
      expect(await run()).to.deep.include({
        ok: true,
        message: 'Games due: 1; known games in the answer: 1, finals: 0.',
        left_out: { 'game not known': 1 },
      });
      expect(await settleStatements(stores.database, clock.now() + 5 * minute)).to.include({ finals: 1 });
      expect(await stores.database('games')).to.have.length(1);
      expect(await stores.database('games').first()).to.include({
        home_score: 2,
        away_score: 1,
        home_half_score: 1,
      });
    });
  });
});
