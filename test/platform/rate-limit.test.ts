import { expect } from 'chai';
import { createRateLimit, type RateLimit } from '../../src/platform/rate-limit.ts';
import { openRedis } from '../../src/platform/redis.ts';
import { type Outage, withOutage } from '../support/outage.ts';
import { quiet } from '../support/quiet.ts';
import { ready, withRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';

const take = async (limit: RateLimit, key: string, times: number) => {
  const answers: (number | undefined)[] = [];
  for (let time = 0; time < times; time++) answers.push(await limit.take(key));
  return answers;
};

const hourly = { times: 5, inMs: 3_600_000 };

describe('a limit of five an hour', () => {
  const redis = withRedis();
  afterEach(() => redis.redis.flushdb());

  it('allows five, and tells the sixth how long to wait', async () => {
    const answers = await take(createRateLimit(redis.redis, 'one', hourly), 'somebody', 6);
    expect(answers.slice(0, 5)).to.deep.equal(Array(5).fill(undefined));
    expect(answers[5]).to.be.within(3590, 3600);
  });

  it('counts each client and each subject separately, and all processes together', async () => {
    const limit = createRateLimit(redis.redis, 'one', hourly);
    await take(limit, 'somebody', 5);
    expect(await limit.take('another')).to.equal(undefined);
    expect(await createRateLimit(redis.redis, 'two', hourly).take('somebody')).to.equal(undefined);
    const second = redis.open();
    await ready(second);
    expect(await createRateLimit(second, 'one', hourly).take('somebody')).to.be.within(3590, 3600);
  });

  it('allows no more than five of many concurrent requests', async () => {
    const limit = createRateLimit(redis.redis, 'one', hourly);
    const answers = await Promise.all(Array.from({ length: 40 }, () => limit.take('somebody')));
    expect(answers.filter((wait) => wait === undefined)).to.have.lengthOf(5);
  });

  it('does not count attempts that are given back or refused', async () => {
    const limit = createRateLimit(redis.redis, 'one', hourly);
    await take(limit, 'somebody', 4);
    expect(await limit.wait('somebody')).to.equal(undefined);
    expect(await limit.take('somebody')).to.equal(undefined);
    expect(await limit.wait('somebody')).to.be.within(3590, 3600);
    await take(limit, 'somebody', 3);
    await limit.giveBack('somebody');
    expect(await limit.take('somebody')).to.equal(undefined);
    expect(await limit.take('somebody')).to.be.within(3590, 3600);
  });

  it('ends an hour after the first attempt, not after the last', async () => {
    const limit = createRateLimit(redis.redis, 'one', hourly);
    await take(limit, 'somebody', 5);
    const [key = ''] = await redis.redis.keys('*');
    await redis.redis.pexpire(key, 60_000);
    expect(await limit.take('somebody')).to.be.within(1, 60);
    expect(await redis.redis.pttl(key)).to.be.at.most(60_000);
    await redis.redis.pexpire(key, 1);
    await until(async () => (await redis.redis.exists(key)) === 0);
    expect(await limit.take('somebody')).to.equal(undefined);
  });

  it('holds within the process while Redis is down, and across processes after that', async () => {
    const outage: Outage = await withOutage(redis.url);
    const away = openRedis(outage.url, quiet);
    try {
      await ready(away);
      const limit = createRateLimit(away, 'one', hourly);
      expect(await limit.take('somebody')).to.equal(undefined);
      await outage.cut();
      const answers = await take(limit, 'somebody', 6);
      expect(answers.filter((wait) => wait === undefined)).to.have.lengthOf(5);
      expect(answers[5]).to.be.within(3590, 3600);
      await outage.restore();
      await ready(away);
      const again = await take(limit, 'somebody', 5);
      expect(again.filter((wait) => wait === undefined)).to.have.lengthOf(4);
      expect(again[4]).to.be.within(3000, 3600);
    } finally {
      away.disconnect();
      await outage.close();
    }
  });
});
