import { expect } from 'chai';
import { type Changes, changesChannel, subscribeToChanges } from '../../src/answers/changes.ts';
import { openRedis, openWaitingRedis } from '../../src/platform/redis.ts';
import { isUp } from '../support/api.ts';
import { type Outage, withOutage } from '../support/outage.ts';
import { quiet } from '../support/quiet.ts';
import { withRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';

describe('the channel of changes', () => {
  const store = withRedis();
  let outage: Outage;
  let changes: Changes;
  let close: () => Promise<void>;

  beforeEach(async () => {
    outage = await withOutage(store.url);
    const subscriber = openWaitingRedis(outage.url, quiet);
    changes = subscribeToChanges(subscriber, quiet);
    close = async () => {
      changes.close();
      subscriber.disconnect();
      await outage.close();
    };
    await isUp(changes);
  });
  afterEach(() => close());

  const publish = (message: string) => store.redis.publish(changesChannel(store.redis), message);

  it('is down while messages from elsewhere do not arrive, even over an open connection', async () => {
    const elsewhere = await withOutage(store.url);
    const [subscriber, through] = [store.openWaiting(), openRedis(elsewhere.url, quiet)];
    const heard = subscribeToChanges(subscriber, quiet, through);
    try {
      await isUp(heard);
      await elsewhere.cut();
      await until(() => heard.position() === -1);
      expect(subscriber.status).to.equal('ready');
      await elsewhere.restore();
      await until(() => heard.position() >= 0);
    } finally {
      heard.close();
      through.disconnect();
      await elsewhere.close();
    }
  });

  it('says whether a tag changed since a position', async () => {
    const before = changes.position();
    expect(changes.changedSince(before, ['a', 'b'])).to.equal(false);
    await publish('["b"]');
    await until(() => changes.changedSince(before, ['a', 'b']));
    expect(changes.changedSince(before, ['a'])).to.equal(false);
    expect(changes.changedSince(changes.position(), ['b'])).to.equal(false);
  });

  for (const message of ['*', 'not JSON'])
    it(`treats ${message} as a change of everything`, async () => {
      const before = changes.position();
      await publish(message);
      await until(() => changes.changedSince(before, ['a']));
    });

  it('counts tags that this process itself bumps', () => {
    const before = changes.position();
    changes.change(['here']);
    expect(changes.changedSince(before, ['here'])).to.equal(true);
    expect(changes.changedSince(before, ['elsewhere'])).to.equal(false);
  });

  it('forgets single tags when there are too many, and counts all as changed', async () => {
    const before = changes.position();
    await publish(JSON.stringify(Array.from({ length: 50_001 }, (_, index) => `t${index}`)));
    await until(() => changes.changedSince(before, ['untouched']));
  });

  it('counts everything up to the reconnection as changed while the connection is broken', async () => {
    const before = changes.position();
    await outage.cut();
    await until(() => changes.changedSince(before, []));
    expect(changes.position()).to.equal(-1);
    await outage.restore();
    await isUp(changes);
    expect(changes.changedSince(before, [])).to.equal(true);
    expect(changes.changedSince(changes.position(), ['a'])).to.equal(false);
  });

  it('notices a connection that is dead but not closed', async () => {
    outage.freeze();
    await until(() => changes.position() === -1);
    await outage.restore();
    await until(() => changes.position() >= 0);
  });
});
