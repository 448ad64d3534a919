import { expect } from 'chai';
import { openRedis } from '../../../src/platform/redis.ts';
import { createLanes, type Leave, type Visit } from '../../../src/webhooks/delivery/lanes.ts';
import {
  limitedHost,
  ownPermits,
  type Permits,
  sharedPermits,
} from '../../../src/webhooks/delivery/permits.ts';
import { parseTarget } from '../../../src/webhooks/guard/target.ts';
import { post, type Stage, stage } from '../../support/announcements.ts';
import { withDatabase } from '../../support/database.ts';
import { createFanout, type TestFanout } from '../../support/fanout.ts';
import { withOutage } from '../../support/outage.ts';
import { quiet } from '../../support/quiet.ts';
import { type Receiver, startReceiver, status } from '../../support/receivers.ts';
import { withRedis } from '../../support/redis.ts';

const long = 60_000;

function limited(url: string) {
  const parsed = parseTarget(url, new Set());
  if (!parsed.ok) throw new Error(parsed.reason);
  return limitedHost(parsed.target);
}

describe('permits', () => {
  const redis = withRedis();
  const kinds: Record<string, () => Permits> = {
    'of all processes': () => sharedPermits(redis.redis, quiet),
    'of one process': () => ownPermits(),
  };
  for (const [kind, create] of Object.entries(kinds))
    describe(kind, () => {
      it('are twenty a second for each host, and not more until the first is a second old', async () => {
        const permits = create();
        const host = { ...limited(`https://${kind.replaceAll(' ', '-')}.example.org/a`) };
        const taken: (string | number)[] = [];
        for (let count = 0; count < 21; count += 1) taken.push(await permits.take(host, 100));
        expect(taken.slice(0, 20).every((id) => typeof id === 'string')).to.equal(true);
        expect(taken[20]).to.be.a('number').within(1, 1000);
        expect(await permits.take({ ...host, key: `${host.key}-other` }, 100)).to.be.a('string');
      });

      it('are limited at once, and come back after the request', async () => {
        const permits = create();
        const host = { key: `at once ${kind}`, rates: [{ times: 20, inMs: 1000 }] };
        const first = await permits.take(host, 2);
        await permits.take(host, 2);
        expect(await permits.take(host, 2)).to.be.a('number');
        permits.giveBack(host, first as string);
        expect(await permits.take(host, 2)).to.be.a('string');
      });
    });

  it('are counted by name for both ports, and for each channel of a chat platform by its own rates', () => {
    expect(limited('https://example.org/a')).to.deep.equal(limited('https://example.org:8443/b'));
    const channel = (id: string) => limited(`https://discord.com/api/webhooks/${id}/secret`);
    expect(channel('1').key).to.not.equal(channel('2').key);
    expect(channel('1').key).to.not.contain('secret');
    expect(channel('1').rates).to.deep.equal([
      { times: 5, inMs: 2_000 },
      { times: 30, inMs: 60_000 },
    ]);
  });

  for (const fault of ['cut', 'freeze'] as const)
    it(`are counted by each process, one at a time for a host, while Redis is ${fault === 'cut' ? 'down' : 'silent'}`, async () => {
      const link = await withOutage(redis.url);
      const through = openRedis(link.url, quiet);
      try {
        await through.ping().catch(() => {});
        await link[fault]();
        const permits = sharedPermits(through, quiet);
        const host = limited('https://example.org/');
        const id = await permits.take(host, 8);
        expect(id).to.be.a('string');
        expect(await permits.take(host, 8)).to.be.a('number');
        permits.giveBack(host, id as string);
        expect(await permits.take(host, 8)).to.be.a('string');
      } finally {
        through.disconnect();
        await link.close();
      }
    });
});

describe("a client's many subscriptions to one host", () => {
  const redis = withRedis();

  it("take turns with another client's one, at twenty requests a second over all workers", async () => {
    const workers = [1, 2].map(() => createLanes(sharedPermits(redis.redis, quiet)));
    let entered = 0;
    const visit = (client: string): Visit => ({ ...limited('https://victim.example.org/'), client });
    const request = async (index: number, client: string) => {
      const leave = (await workers[index % 2]!.enter('slow', visit(client), long)) as Leave;
      entered += 1;
      leave('quick');
    };
    const start = performance.now();
    const many = Array.from({ length: 120 }, (_, index) => request(index, 'greedy'));
    await Promise.all(many.slice(0, 40));
    const before = entered;
    await request(0, 'modest');
    // Both workers and their greedy client may have been a turn ahead.
    expect(entered - before).to.be.below(12);
    await Promise.all(many);
    // A process that stands still notices permits of several seconds at once, so only the time of all counts.
    expect(performance.now() - start).to.be.above((entered / 20 - 1) * 1000);
    for (const lanes of workers) lanes.stop();
  });
});

describe('a target that has never accepted a request', () => {
  const stores = withDatabase();
  let receiver: Receiver;
  let fanout: TestFanout;
  let world: Stage;

  before(async () => {
    world = await stage(stores.database, ['ada'], ['nba']);
    receiver = await startReceiver();
    fanout = await createFanout(stores.database, { allow: [receiver.host] });
  });
  after(async () => {
    await fanout.close();
    await receiver.close();
  });

  it('gets one request a minute, however many subscribe it, and all once it has accepted one', async () => {
    receiver.answer = status(500);
    for (let count = 0; count < 20; count += 1) await fanout.subscribe(receiver.url('/victim'));
    await post(stores.database, world, [{}, {}], fanout.clock.now());
    for (let cycle = 1; cycle < 4; cycle += 1) {
      const { fanout: round, outcomes } = await fanout.cycle();
      expect(receiver.received).to.have.length(cycle);
      expect(outcomes.filter(({ ended }) => /accepted nothing/.test(String(ended))).length).to.be.above(10);
      expect(round.due).to.be.above(10);
    }
    receiver.answer = status(204);
    await fanout.cycle();
    // The one that got through has sent both of its events.
    expect(receiver.received).to.have.length(3 + 2);
  });
});
