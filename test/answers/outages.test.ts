import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { type Answers, createAnswers } from '../../src/answers/answers.ts';
import { type Changes, subscribeToChanges } from '../../src/answers/changes.ts';
import {
  type Availability,
  createAvailability,
  DatabaseUnavailable,
} from '../../src/platform/availability.ts';
import { type Database, openDatabase } from '../../src/platform/database.ts';
import { keptProbe } from '../../src/platform/postgres-probe.ts';
import { openRedis, openWaitingRedis } from '../../src/platform/redis.ts';
import { isUp } from '../support/api.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { type Outage, withOutage } from '../support/outage.ts';
import { latencyMs } from '../support/patience.ts';
import { quiet } from '../support/quiet.ts';
import { ready, withRedis } from '../support/redis.ts';
import { type Counting, countingRenderable } from '../support/renderables.ts';
import { until } from '../support/until.ts';

describe('the cache while a store is unavailable', () => {
  const ownDatabase = withDatabase();
  const ownRedis = withRedis();
  const clock = fixedClock('2026-01-15T12:00:00Z');
  let postgres: Outage;
  let redisOutage: Outage;
  let database: Database;
  let redis: Redis;
  let subscriber: Redis;
  let changes: Changes;
  let availability: Availability;
  let cache: Answers;

  beforeEach(async () => {
    clock.set('2026-01-15T12:00:00Z');
    await ownRedis.redis.flushdb();
    postgres = await withOutage(ownDatabase.url);
    redisOutage = await withOutage(ownRedis.url);
    database = openDatabase(postgres.url, { connections: 3 });
    redis = openRedis(redisOutage.url, quiet);
    subscriber = openWaitingRedis(redisOutage.url, quiet);
    availability = createAvailability(keptProbe(postgres.url), quiet, { probeEveryMs: 50 });
    changes = subscribeToChanges(subscriber, quiet);
    await ready(redis);
    await isUp(changes);
    cache = createAnswers({ ...common(), changes });
  });
  const common = () => ({
    redis,
    clock,
    log: quiet,
    availability,
    // Tests read right after a change.
    renderEveryMs: 0,
    database,
    baseUrl: '',
    helpLine: '',
  });
  afterEach(async () => {
    cache.close();
    changes.close();
    availability.close();
    redis.disconnect();
    subscriber.disconnect();
    await postgres.close();
    await redisOutage.close();
    await database.destroy();
  });

  const ask = async ({ renderable }: Pick<Counting, 'renderable'>) => {
    const answer = await cache.answer(renderable);
    const value = answer.rendered.body.made('identity');
    return { was: `${value} from ${answer.source}${answer.stale ? ', stale' : ''}` };
  };

  /** Counts the commands sent to Redis from now on. */
  function commandsSent(): () => number {
    const send = redis.sendCommand.bind(redis);
    let sent = 0;
    redis.sendCommand = (...given) => {
      sent += 1;
      return send(...given);
    };
    return () => sent;
  }

  for (const how of ['cut', 'freeze'] as const)
    describe(`Redis (${how === 'cut' ? 'down' : 'silent'})`, () => {
      it('renders from PostgreSQL without retrying Redis, and shares an answer for a second', async () => {
        const counted = countingRenderable({ reads: true });
        await ask(counted);
        await redisOutage[how]();
        await until(() => changes.position() === -1);
        expect((await ask(counted)).was).to.equal('first from rendered');
        const sent = commandsSent();
        for (let times = 0; times < 10; times += 1)
          expect((await ask(counted)).was).to.equal('first from memory');
        expect(
          (await cache.answer(counted.renderable)).rendered.unsettled,
          'no downstream cache keeps it',
        ).to.equal(true);
        expect((await ask({ renderable: counted.other })).was).to.equal('first from rendered');
        expect(sent()).to.equal(0);
      });

      it('returns to Redis when it is back', async () => {
        const counted = countingRenderable({ reads: true });
        await redisOutage[how]();
        await until(() => changes.position() === -1);
        await ask(counted);
        await redisOutage.restore();
        await until(() => changes.position() >= 0);
        await until(async () => (await ask(counted)).was === 'first from memory' && stored());
        async function stored() {
          return (await ownRedis.redis.keys('boards:entry:*')).length === 1;
        }
      });
    });

  it('is due to render ahead while Redis is down only once an answer nears its end', async () => {
    const { renderable, other } = countingRenderable({ lifetime: 120 });
    await cache.refreshAhead([renderable, other]);
    await redisOutage.cut();
    await until(() => changes.position() === -1);
    expect(cache.aheadDue()).to.equal(false);
    clock.set('2026-01-15T12:01:31Z');
    expect(cache.aheadDue()).to.equal(true);
    await cache.refreshAhead([renderable, other]);
    expect(cache.aheadDue(), 'nothing could be refreshed').to.equal(true);
  });

  it('makes up for a bump that Redis missed', async () => {
    const counted = countingRenderable();
    await cache.renewEpoch();
    await ask(counted);
    await redisOutage.cut();
    await until(() => changes.position() === -1);
    await cache.bump(['a'], 1);
    counted.set('second');
    await redisOutage.restore();
    await until(() => changes.position() >= 0);
    await until(async () => (await ask(counted)).was.startsWith('second'));
  });

  it('begins an epoch when Redis comes back, since Redis may have lost data', async () => {
    await cache.renewEpoch();
    const before = await ownRedis.redis.get('boards:epoch');
    await redisOutage.cut();
    await redisOutage.restore();
    await until(async () => (await ownRedis.redis.get('boards:epoch')) !== before);
  });

  for (const how of ['cut', 'freeze'] as const)
    describe(`PostgreSQL (${how === 'cut' ? 'down' : 'silent'})`, () => {
      it('serves stale answers of any age and marks them', async () => {
        const counted = countingRenderable({ reads: true });
        await ask(counted);
        await postgres[how]();
        clock.set('2026-01-16T12:00:00Z');
        expect((await ask(counted)).was).to.equal('first from redis, stale');
      });

      it('throws DatabaseUnavailable if nothing is cached: within seconds at first, then at once', async () => {
        const counted = countingRenderable({ reads: true });
        await postgres[how]();
        const began = performance.now();
        const first = await ask(counted).catch((error: unknown) => error);
        expect(first).to.be.instanceOf(DatabaseUnavailable);
        expect(performance.now() - began).to.be.below(latencyMs(10_000));
        const tried = counted.rendered();
        const second = await ask(counted).catch((error: unknown) => error);
        expect(second).to.be.instanceOf(DatabaseUnavailable);
        expect(counted.rendered(), 'without trying again').to.equal(tried);
      });

      it('renders again when PostgreSQL is back', async () => {
        const counted = countingRenderable({ reads: true });
        await postgres[how]();
        await ask(counted).catch(() => {});
        await postgres.restore();
        await until(async () => (await ask(counted).catch(() => ({ was: '' }))).was.startsWith('first'));
      });
    });

  it('serves from Redis in a process that started without PostgreSQL', async () => {
    const counted = countingRenderable({ reads: true });
    await ask(counted);
    await postgres.cut();
    const late = createAnswers(common());
    expect((await late.answer(counted.renderable)).source).to.equal('redis');
    late.close();
  });

  it('serves from memory when both are unavailable', async () => {
    const counted = countingRenderable({ reads: true });
    await ask(counted);
    await Promise.all([postgres.cut(), redisOutage.cut()]);
    await until(() => changes.position() === -1);
    expect((await ask(counted)).was).to.equal('first from memory, stale');
  });
});
