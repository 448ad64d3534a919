import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { startPulse } from '../../src/jobs/runtime/pulse.ts';
import { openWaitingRedis } from '../../src/platform/redis.ts';
import { type OwnRedis, ownRedis } from '../support/own-redis.ts';
import { quiet } from '../support/quiet.ts';
import { ready } from '../support/redis.ts';
import { until } from '../support/until.ts';

/** A tenth of what workers take. */
const times = { everyMs: 100, answerMs: 30, wellMs: 400, deadMs: 500 };

describe('a pulse', () => {
  let server: OwnRedis;

  before(async () => {
    server = await ownRedis();
  });
  after(async () => {
    server.thaw();
    await server.close();
  });

  it('stays unsteady for as long as Redis is silent, and is steady again after it', async () => {
    const redis = openWaitingRedis(server.url, quiet);
    await ready(redis);
    const pulse = startPulse(redis, 'test', ['boards'], times);
    try {
      await until(() => pulse.steady());
      server.freeze();
      await until(() => !pulse.steady());
      // Longer than a connection without an answer is kept, and than Redis would have to be well.
      for (const end = performance.now() + 1500; performance.now() < end; await sleep(5))
        expect(pulse.steady()).to.equal(false);
      server.thaw();
      await until(() => pulse.steady(), 5000);
    } finally {
      pulse.stop();
      redis.disconnect();
    }
  });
});
