import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { oneOf, randomOf, whole } from '../../src/demo/random.ts';
import { createAvailability } from '../../src/platform/availability.ts';
import { type Database, openDatabase } from '../../src/platform/database.ts';
import { keptProbe } from '../../src/platform/postgres-probe.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { withDatabase } from '../support/database.ts';
import { type RunningOperator, startOperator } from '../support/operator.ts';
import { type Outage, withOutage } from '../support/outage.ts';
import { quiet } from '../support/quiet.ts';
import { withRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';

/** `FAULTS_SEED` repeats a run. */
const seed = process.env.FAULTS_SEED ?? randomBytes(3).toString('hex');
const random = randomOf(seed);
const hour = 3_600_000;
const headers = { Authorization: 'Bearer the-token-of-these-tests', 'Content-Type': 'application/json' };

describe(`while connections to PostgreSQL break at any moment, seed ${seed}`, () => {
  const stores = withDatabase({ kind: 'live' });
  const redis = withRedis();
  let link: Outage;
  let database: Database;
  let operator: RunningOperator;
  let site: RunningApi;

  before(async () => {
    link = await withOutage(stores.url);
    database = openDatabase(link.url);
    const clock = { now: () => Date.now() };
    const availability = createAvailability(keptProbe(link.url), quiet);
    const through = { database: { ...stores, database, url: link.url }, redis };
    operator = await startOperator(through, clock);
    site = await startApi(through, { database, clock, availability, memory: false });
    await post('cappers', { handle: 'ada', tier: 'elite', verified: true });
    for (const game of [begun, open]) await post('games', { ...game, status: 'scheduled' });
  });
  after(async () => {
    await Promise.all([operator.close(), site.close()]);
    await link.close();
    await database.destroy();
  });

  const startsAt = (ms: number) => new Date(Math.floor(Date.now() / hour) * hour + ms).toISOString();
  const begun = { sport: 'soccer', game: 'Hawks @ Otters', startsAt: startsAt(-hour) };
  const open = { sport: 'soccer', game: 'Gulls @ Foxes', startsAt: startsAt(3 * hour) };
  const bet = { market: 'moneyline', side: 'home', oddsAmerican: -110 };

  async function post(path: string, row: object): Promise<Response> {
    const key = { 'Idempotency-Key': randomUUID() };
    const body = JSON.stringify(row);
    return fetch(`${operator.address}/${path}`, { method: 'POST', headers: { ...headers, ...key }, body });
  }
  /** Each pick has its own subject, since a repeat of a pending pick is refused. */
  const pick = (game: object) =>
    post('picks', {
      capperHandle: 'ada',
      ...game,
      ...bet,
      market: 'prop',
      subject: randomUUID(),
      side: 'yes',
      pick: 'Yes',
      stakeUnits: 1,
    });

  /** Requests, and the statuses allowed in addition to 503. */
  const asked: [string, number, () => Promise<Response>][] = [
    ['a pick', 200, () => pick(open)],
    ['a pick that is refused', 422, () => pick(begun)],
    ['a price', 200, () => post('lines', { ...open, ...bet, book: 'alpha', capturedAt: startsAt(0) })],
    ['a score', 200, () => post('games', { ...begun, status: 'final', homeScore: 1, awayScore: 0 })],
    ['a capper', 200, () => post('cappers', { handle: 'bram', tier: 'listed', verified: true })],
    ["the operator's page", 200, () => fetch(operator.address, { headers })],
    ['a board', 200, () => fetch(`${site.address}/api/leaderboard?limit=${whole(random, 1, 100)}`)],
    ['a page', 200, () => fetch(`${site.address}/c/ada?page=${whole(random, 1, 9)}`)],
    ['a receipt', 404, () => fetch(`${site.address}/api/picks/${randomUUID()}/receipt`)],
  ];

  it('both ports answer correctly or with 503', async () => {
    const wrong = new Set<string>();
    const counts = { well: 0, unavailable: 0 };
    let isOver = false;
    const clients = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        const [what, expected, ask] = oneOf(random, asked);
        const response = await ask();
        const body = await response.text();
        if (response.status === expected) counts.well += 1;
        else if (response.status === 503) counts.unavailable += 1;
        else wrong.add(`${what}: ${response.status} ${body.slice(0, 300)}`);
      }
    });
    try {
      for (let cuts = 0; cuts < 10; cuts += 1) {
        // A slow link keeps each statement in progress for a while.
        link.delay(1);
        const before = counts.well;
        await until(() => counts.well > before);
        await pause(whole(random, 0, 50));
        await link.cut();
        await link.restore();
      }
    } finally {
      isOver = true;
      await Promise.all(clients);
    }
    expect([...wrong]).to.deep.equal([]);
    expect(counts.unavailable).to.be.above(0);
  });
});
