import { expect } from 'chai';
import { openRedis } from '../../../src/platform/redis.ts';
import { sharedSlots } from '../../../src/webhooks/delivery/host-slots.ts';
import { createLanes, type Leave } from '../../../src/webhooks/delivery/lanes.ts';
import { quiet } from '../../support/quiet.ts';
import { withRedis } from '../../support/redis.ts';
import { until } from '../../support/until.ts';

describe('the slots of a host', () => {
  const stores = withRedis();
  let redis: ReturnType<typeof openRedis>;

  before(async () => {
    redis = openRedis(stores.url, quiet);
    await until(() => redis.status === 'ready');
  });
  afterEach(() => redis.flushdb());
  after(() => redis.disconnect());

  const worker = (name: string, grantMs?: number) => sharedSlots(redis, name, quiet, grantMs);
  const all = { wanted: 8, running: 0, slow: false };

  it('are eight across all workers, shared on demand', async () => {
    const [one, other] = [worker('one'), worker('other')];
    expect(await one.ask('host', all)).to.equal(8);
    expect(await other.ask('host', all), 'slots in use are not taken away').to.equal(0);
    expect(await one.ask('host', { ...all, running: 6 })).to.equal(4);
    expect(await other.ask('host', all), 'six are still in progress').to.equal(2);
    expect(await one.ask('host', { ...all, running: 4 })).to.equal(4);
    expect(await other.ask('host', { ...all, running: 2 })).to.equal(4);
    expect(await other.ask('another host', all)).to.equal(8);
  });

  it('are assigned by demand', async () => {
    const [one, other] = [worker('one'), worker('other')];
    expect(await one.ask('host', { ...all, wanted: 2 })).to.equal(2);
    expect(await other.ask('host', all)).to.equal(6);
  });

  it('are released when a worker returns them or is killed', async () => {
    const [one, killed, other] = [worker('one'), worker('killed', 50), worker('other')];
    expect(await one.ask('host', { ...all, wanted: 3 })).to.equal(3);
    expect(await killed.ask('host', all)).to.equal(5);
    one.giveBack(['host']);
    await until(async () => (await other.ask('host', all)) === 8);
  });

  it('drop to one across all workers once the host failed or was slow for one of them', async () => {
    const [one, other] = [worker('one'), worker('other')];
    await one.ask('host', { ...all, wanted: 1, running: 1, slow: true });
    expect(await other.ask('host', all)).to.equal(0);
    one.giveBack(['host']);
    expect(await other.ask('host', { ...all, slow: true })).to.equal(1);
  });

  it('are one per worker while Redis does not answer', async () => {
    const silent = openRedis(stores.url, quiet);
    try {
      await until(() => silent.status === 'ready');
      const slots = sharedSlots(silent, 'one', quiet);
      Object.assign(silent, { askHostSlots: () => new Promise(() => {}) });
      expect(await slots.ask('host', all)).to.equal(1);
    } finally {
      silent.disconnect();
    }
  });

  it('are one per worker while Redis is down', async () => {
    const away = openRedis('redis://127.0.0.1:1', quiet);
    try {
      expect(await sharedSlots(away, 'one', quiet).ask('host', all)).to.equal(1);
    } finally {
      away.disconnect();
    }
  });

  it('bound the requests of many workers', async () => {
    const workers = ['one', 'two', 'three'].map((name) => createLanes(worker(name)));
    let running = 0;
    let highest = 0;
    const requests = workers.flatMap((lanes) =>
      Array.from({ length: 60 }, async () => {
        const leave = (await lanes.enter('healthy', 'host', 30_000)) as Leave;
        running += 1;
        highest = Math.max(highest, running);
        await new Promise((done) => setTimeout(done, 2));
        running -= 1;
        leave('quick');
      }),
    );
    await Promise.all(requests);
    expect(highest).to.be.within(2, 8);
  });
});
