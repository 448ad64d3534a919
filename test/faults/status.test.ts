import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { isDone, pendingWork } from '../../src/ledger/sealing/pending-work.ts';
import { createAvailability } from '../../src/platform/availability.ts';
import { type Database, openDatabase } from '../../src/platform/database.ts';
import { keptProbe } from '../../src/platform/postgres-probe.ts';
import { openRedis } from '../../src/platform/redis.ts';
import type { StatusReport } from '../../src/status/report.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { type ChatReceiver, chatReceiver } from '../support/chat-receiver.ts';
import { withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { type Outage, withOutage } from '../support/outage.ts';
import { postPick } from '../support/post-pick.ts';
import { quiet } from '../support/quiet.ts';
import { ready, withRedis } from '../support/redis.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { until } from '../support/until.ts';
import { type Watching, watching } from '../support/watching.ts';
import { ingest } from '../support/whole-way.ts';
import { type WorkerProcesses, workerProcesses } from '../support/worker-processes.ts';

const clock = { now: () => Date.now() };
const hour = 3_600_000;

describe('outages of PostgreSQL and then Redis during requests and jobs', () => {
  const ownDatabase = withDatabase();
  const ownRedis = withRedis();
  const folder = withFolder();
  let postgres: Outage;
  let redisOutage: Outage;
  let database: Database;
  let redis: Redis;
  let workers: WorkerProcesses;
  let api: RunningApi;
  let watch: Watching;
  let chat: ChatReceiver;

  before(async () => {
    const startsAt = new Date(Math.floor(clock.now() / hour) * hour + 3 * hour).toISOString();
    const rows = {
      cappers: [{ handle: 'ada', tier: 'elite', verified: true }],
      games: [{ sport: 'nba', game: 'Hawks @ Otters', startsAt, status: 'scheduled' }],
    };
    for (const [kind, list] of Object.entries(rows))
      await ingest(ownDatabase.database, folder.write(`${kind}.ndjson`, list), clock.now());
    [postgres, redisOutage] = [await withOutage(ownDatabase.url), await withOutage(ownRedis.url)];
    database = openDatabase(postgres.url, { connectTimeout: 1000 });
    redis = openRedis(redisOutage.url, quiet);
    await ready(redis);
    chat = await chatReceiver();
    workers = workerProcesses({ databaseUrl: postgres.url, redisUrl: redisOutage.url });
    for (const name of ['ingest', 'sealing', 'grading', 'boards'] as const) workers.start(name);
    const availability = createAvailability(keptProbe(postgres.url), quiet, { probeEveryMs: 200 });
    api = await startApi(
      { database: ownDatabase, redis: ownRedis },
      { clock, database, redis, availability, memory: false },
    );
    watch = watching({
      clock,
      database,
      redis,
      databaseUrl: postgres.url,
      chatUrl: `${chat.address}/services/x`,
      // The status and webhooks workers do not run here. A recurring job fails while a store is down, and failed jobs count for three
      // minutes, longer than this test may take.
      only: (names) => !names.some((name) => /^(workers-(status|webhooks)|jobs-.*)$/.test(name)),
    });
    posting = post(startsAt);
  });
  after(async () => {
    stopped = true;
    await posting;
    await workers.stop();
    await watch.close();
    await api.close();
    redis.disconnect();
    await Promise.all([postgres.close(), redisOutage.close(), chat.close()]);
    await database.destroy();
  });

  let stopped = false;
  let posting: Promise<void> = Promise.resolve();
  const keys: string[] = [];

  /** Posts picks one after the other, repeating each under its key until it is answered, as a client does. */
  async function post(startsAt: string): Promise<void> {
    const row = {
      capperHandle: 'ada',
      sport: 'nba',
      game: 'Hawks @ Otters',
      startsAt,
      market: 'question',
      side: 'yes',
      pick: 'Yes',
      oddsAmerican: -110,
      stakeUnits: 1,
    };
    while (!stopped) {
      const key = `key-${keys.length}`;
      for (;;) {
        const posted = await postPick(database, { ...row, subject: key }, key, clock.now()).catch(
          () => undefined,
        );
        if (posted !== undefined) break;
        await sleep(50);
      }
      keys.push(key);
      await sleep(30);
    }
  }

  async function report(): Promise<StatusReport> {
    const response = await fetch(`${api.address}/api/status`);
    expect(response.status).to.equal(200);
    return (await response.json()) as StatusReport;
  }

  /** Runs rounds until the status meets a condition. */
  async function watchUntil(isSo: (given: StatusReport) => boolean): Promise<StatusReport> {
    let given: StatusReport | undefined;
    await until(async () => {
      await watch.round();
      await sleep(100);
      given = await report();
      return isSo(given);
    }).catch((error) => {
      const bad = given?.checks.filter(({ status }) => status !== 'ok');
      throw new Error(`${JSON.stringify(bad)}\n${workers.output()}`, { cause: error });
    });
    return given as StatusReport;
  }

  const statusOf = (given: StatusReport, name: string) =>
    given.checks.find((each) => each.name === name)?.status;
  const isOpen = (given: StatusReport, check: string) =>
    given.incidents.some((each) => each.check === check && each.closedAt === null);
  const isWell = (given: StatusReport) =>
    given.status === 'ok' && given.incidents.every(({ closedAt }) => closedAt !== null);

  it('are reported by status, end without a restart, and lose nothing', async () => {
    await watchUntil(isWell);
    await until(() => keys.length > 10);

    await postgres.cut();
    const before = keys.length;
    await until(async () => statusOf(await report(), 'database') === 'down');
    for (let round = 0; round < 3; round += 1) await watch.round();
    expect((await fetch(`${api.address}/api/feed/by-tier?tier=elite`)).status).to.be.oneOf([200, 503]);
    expect(chat.messages, chat.messages.join('\n')).to.have.length(1);
    expect(chat.messages[0]).to.contain('*DOWN* PostgreSQL.');
    await postgres.restore();
    await watchUntil(isWell);
    expect(chat.messages.slice(1)).to.have.length(1);
    expect(chat.messages[1]).to.match(/\*RECOVERED after \d+ s\* PostgreSQL\.$/);

    await redisOutage.cut();
    await watchUntil((given) => statusOf(given, 'redis') === 'down' && isOpen(given, 'redis'));
    expect((await fetch(`${api.address}/api/feed/by-tier?tier=elite`)).status).to.equal(200);
    await redisOutage.restore();
    await watchUntil(isWell);
    expect(chat.messages.slice(2)).to.have.length(2);
    expect(chat.messages[2]).to.contain('*DOWN* Redis.');
    expect(chat.messages[3]).to.match(/\*RECOVERED after \d+ s\* Redis\.$/);

    expect(keys.length, 'posting continued').to.be.greaterThan(before);
    stopped = true;
    await posting;
    await until(async () => isDone(await pendingWork(ownDatabase.database)), 120_000);
    const stored = await ownDatabase.database('pick_requests').pluck('idempotency_key');
    expect(stored).to.have.members(keys);
    const { totals } = await report();
    expect(await ownDatabase.database('picks').count({ n: '*' })).to.deep.equal([{ n: keys.length }]);
    await until(async () => (await report()).totals?.picks === keys.length);
    expect(totals?.settled).to.equal(0);
    await expectSoundLedger(ownDatabase.database);
  });
});
