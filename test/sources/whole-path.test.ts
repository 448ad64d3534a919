import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { type Enqueue, openQueues } from '../../src/jobs/runtime/enqueue.ts';
import { upcomingStarts } from '../../src/ledger/grading/due-games.ts';
import { createOperator } from '../../src/operator/app.ts';
import { runUnprobed } from '../../src/platform/availability.ts';
import { pollOddsApi } from '../../src/sources/odds-api/poll.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { testConfig } from '../support/config.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { quiet } from '../support/quiet.ts';
import { withRedis } from '../support/redis.ts';
import { addTeams } from '../support/teams.ts';
import { runPipeline } from '../support/whole-way.ts';
import { withServer } from './http-server.ts';
import { FakeOddsApi, fakeBook, fakeEvent } from './odds-api/fake.ts';

const token = 'the-token-of-these-tests';

describe("a game from a provider's answer to a board", () => {
  const stores = withDatabase();
  const redis = withRedis();
  const server = withServer();
  const clock = fixedClock('2026-01-11T12:00:00Z');
  const provider = new FakeOddsApi();
  let enqueue: Enqueue;
  let operator: Server;
  let api: RunningApi;

  before(async () => {
    await addTeams(stores.database, 'nfl', 'Harbor Gulls', 'Copper Foxes');
    server.answer((req, res) => provider.answer(req, res));
    enqueue = openQueues(redis.redis, quiet);
    const config = testConfig({ OPERATOR_TOKEN: token });
    const app = createOperator({
      config,
      database: stores.database,
      availability: { once: runUnprobed },
      redis: redis.redis,
      clock,
      enqueue,
      log: quiet,
    });
    operator = createServer(app.callback()).listen(0, '127.0.0.1');
    await new Promise((resolve) => operator.once('listening', resolve));
    api = await startApi({ database: stores, redis }, { clock });
  });
  after(async () => {
    await api.close();
    operator.closeAllConnections();
    await new Promise((resolve) => operator.close(resolve));
    await enqueue.close();
  });

  /** Runs all workers once, at an instant: polls the provider, closes, grades, seals, and counts. */
  async function live(at: string): Promise<void> {
    clock.set(at);
    await pollOddsApi({
      config: {
        key: provider.key,
        url: server.url,
        sports: ['americanfootball_nfl'],
        regions: ['us'],
        bookmakers: [],
      },
      database: stores.database,
      clock,
      enqueue,
      log: quiet,
      closing: new AbortController().signal,
    });
    await runPipeline(stores.database, clock.now());
  }

  async function post(
    path: string,
    body: unknown,
  ): Promise<{ rows: { outcome: string; pickUuid: string }[] }> {
    const { port } = operator.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    expect(response.status, await response.clone().text()).to.equal(200);
    return (await response.json()) as { rows: { outcome: string; pickUuid: string }[] };
  }

  // biome-ignore lint/suspicious/noExplicitAny: bodies are what is being tested
  const read = async (path: string): Promise<any> => (await fetch(api.address + path)).json();

  it('is announced, gets a pick and prices, moves, closes at the start, is scored, settles, and is shown', async () => {
    provider.events = [fakeEvent({ bookmakers: [fakeBook('2026-01-11T11:58:00Z')] })];
    await live('2026-01-11T12:00:00Z');
    await post('/cappers', { handle: 'ada', tier: 'elite', verified: true });
    const pick = {
      capperHandle: 'ada',
      sport: 'nfl',
      game: 'Harbor Gulls @ Copper Foxes',
      startsAt: '2026-01-11T18:00:00Z',
      market: 'moneyline',
      side: 'home',
      pick: 'Foxes',
      oddsAmerican: -150,
      stakeUnits: 1.5,
      book: 'draftkings',
    };
    const { rows } = await post('/picks', pick);
    const { pickUuid } = rows[0]!;

    // The start moves, and the closing with it.
    provider.events = [
      fakeEvent({ commence_time: '2026-01-11T20:00:00Z', bookmakers: [fakeBook('2026-01-11T17:29:00Z')] }),
    ];
    await live('2026-01-11T17:30:00Z');
    await live('2026-01-11T18:00:30Z');
    expect(await read(`/api/picks/${pickUuid}/closing`)).to.include({ status: 'open' });
    expect(
      await upcomingStarts(stores.database, Date.parse('2026-01-11T19:30:00Z'), 3_600_000),
    ).to.deep.equal([{ gameId: 1, startsAt: Date.parse('2026-01-11T20:00:00Z') }]);

    // The last prices before the start count, and none from the start on.
    provider.events = [
      fakeEvent({
        commence_time: '2026-01-11T20:00:00Z',
        bookmakers: [fakeBook('2026-01-11T19:55:30Z', { home: -180, away: 155 })],
      }),
    ];
    await live('2026-01-11T19:56:00Z');
    provider.events = [
      fakeEvent({
        commence_time: '2026-01-11T20:00:00Z',
        bookmakers: [fakeBook('2026-01-11T20:00:00Z', { home: -400, away: 320 })],
      }),
    ];
    await live('2026-01-11T20:00:01Z');
    await live('2026-01-11T20:20:00Z');
    const closed = await read(`/api/picks/${pickUuid}/closing`);
    expect(closed).to.deep.include({ status: 'closed', clvBps: 714 });
    expect(closed.closing).to.include({ oddsAmerican: -180, at: '2026-01-11T19:55:30.000Z' });

    // A game in progress has no result. A final one has a result, which stays.
    const scores = (home: string, away: string, completed: boolean) =>
      fakeEvent({
        commence_time: '2026-01-11T20:00:00Z',
        completed,
        last_update: '2026-01-11T23:05:00Z',
        scores: [
          { name: 'Copper Foxes', score: home },
          { name: 'Harbor Gulls', score: away },
        ],
      });
    provider.events = [];
    provider.scores = [scores('10', '13', false)];
    await live('2026-01-11T22:50:00Z');
    expect(await read(`/api/picks/${pickUuid}`)).to.include({ status: 'pending' });
    provider.scores = [scores('24', '17', true)];
    await live('2026-01-11T23:10:00Z');
    expect(await read(`/api/picks/${pickUuid}`)).to.include({
      status: 'settled',
      result: 'win',
      settledAt: '2026-01-11T23:10:00.000Z',
      closingOddsAmerican: -180,
      clvBps: 714,
      netUnits: 1,
      hashStatus: 'sealed',
    });
    const board = await read('/api/leaderboard?window=all');
    expect(board.cappers[0]).to.include({
      handle: 'ada',
      picks: 1,
      wins: 1,
      record: '1-0-0',
      unitsNet: 1,
      clvMeanBps: 714,
    });
    const { events } = await read(`/api/picks/${pickUuid}/timeline`);
    expect(events.map(({ event }: { event: string }) => event)).to.deep.equal([
      'posted',
      'closed',
      'settled',
    ]);
  });
});
