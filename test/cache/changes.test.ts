import { expect } from 'chai';
import { type Changes, changesChannel, hearChanges } from '../../src/cache/changes.ts';
import { openWaitingRedis } from '../../src/platform/redis.ts';
import { isUp } from '../support/api.ts';
import { type Outage, withOutage } from '../support/outage.ts';
import { quiet } from '../support/quiet.ts';
import { withRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';

describe('hearing of changes', () => {
  const store = withRedis();
  let outage: Outage;
  let changes: Changes;
  let close: () => Promise<void>;

  beforeEach(async () => {
    outage = await withOutage(store.url);
    const subscriber = openWaitingRedis(outage.url, quiet);
    changes = hearChanges(subscriber, quiet);
    close = async () => {
      changes.close();
      subscriber.disconnect();
      await outage.close();
    };
    await isUp(changes);
  });
  afterEach(() => close());

  const tell = (message: string) => store.redis.publish(changesChannel(store.redis), message);

  it('tells whether a tag changed since a mark', async () => {
    const before = changes.mark();
    expect(changes.since(before, ['a', 'b'])).to.equal(false);
    await tell('["b"]');
    await until(() => changes.since(before, ['a', 'b']));
    expect(changes.since(before, ['a'])).to.equal(false);
    expect(changes.since(changes.mark(), ['b'])).to.equal(false);
  });

  for (const message of ['*', 'not JSON'])
    it(`takes ${message} to mean everything`, async () => {
      const before = changes.mark();
      await tell(message);
      await until(() => changes.since(before, ['a']));
    });

  it('forgets single tags when there are too many, and counts all as changed', async () => {
    const before = changes.mark();
    await tell(JSON.stringify(Array.from({ length: 50_001 }, (_, index) => `t${index}`)));
    await until(() => changes.since(before, ['untouched']));
  });

  it('trusts nothing while the connection is broken, nor what was marked before', async () => {
    const before = changes.mark();
    await outage.cut();
    await until(() => changes.since(before, []));
    expect(changes.mark()).to.equal(-1);
    await outage.restore();
    await isUp(changes);
    expect(changes.since(before, [])).to.equal(true);
    expect(changes.since(changes.mark(), ['a'])).to.equal(false);
  });

  it('notices a connection that is dead without being closed', async function () {
    this.timeout(10_000);
    outage.freeze();
    await until(() => changes.mark() === -1, 5000);
    await outage.restore();
    await until(() => changes.mark() >= 0, 5000);
  });
});
