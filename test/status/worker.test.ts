import { expect } from 'chai';
import { subscribeToChanges } from '../../src/answers/changes.ts';
import { tags } from '../../src/projections/tags.ts';
import { storedRounds } from '../../src/status/state.ts';
import { isUp } from '../support/api.ts';
import { type ChatReceiver, chatReceiver } from '../support/chat-receiver.ts';
import { withDatabase } from '../support/database.ts';
import { quiet } from '../support/quiet.ts';
import { withRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';
import { workerProcesses } from '../support/worker-processes.ts';

describe('the status worker as a process', () => {
  const stores = withDatabase();
  const redis = withRedis();
  let receiver: ChatReceiver;
  beforeEach(async () => {
    receiver = await chatReceiver();
  });
  afterEach(() => receiver.close());

  const settings = () => ({
    ALERT_WEBHOOK_URL: `${receiver.address}/services/x`,
    HEARTBEAT_URL: `${receiver.address}/heartbeat`,
  });

  it('runs checks at once, calls the heartbeat, and on SIGTERM releases its lock and exits', async () => {
    const changes = subscribeToChanges(redis.openWaiting(), quiet);
    await isUp(changes);
    const position = changes.position();
    const workers = workerProcesses({ databaseUrl: stores.url, redisUrl: redis.url });
    workers.start('status', settings());
    await until(() => receiver.heard.some(({ path }) => path === '/heartbeat'));
    await until(async () => (await storedRounds(stores.database))?.checks['workers-status']?.value === 1);
    // Tags of pages that show incidents opened or closed by the previous process.
    await until(() => changes.changedSince(position, [tags.incidents]));
    changes.close();
    expect(await workers.stop(), workers.output()).to.deep.equal([0]);
    const [row] = await stores.database
      .select(stores.database.raw('held_until <= clock_timestamp() as free'))
      .from('status_watch');
    expect(row.free).to.equal(true);
    expect(receiver.messages).to.deep.equal([]);
  });

  it('runs checks without Redis too', async () => {
    await stores.owner.raw('truncate status_watch');
    const workers = workerProcesses({ databaseUrl: stores.url, redisUrl: 'redis://127.0.0.1:9' });
    // A busy machine's delay in accepting a connection must not matter here.
    workers.start('status', { ...settings(), CHECKS: 'database:4.8,5' });
    await until(async () => (await storedRounds(stores.database))?.checks.redis?.status === 'down');
    const state = await storedRounds(stores.database);
    await workers.kill('status');
    expect(state?.checks.database?.status).to.equal('ok');
  });
});
