import { requestService } from '../support/broker.ts';
import { asLogin, createDatabase, dropDatabase } from '../support/database.ts';
import { startReceiver } from '../support/receivers.ts';
import { until } from '../support/until.ts';
import { outcomeLine, startLoad } from './load.ts';
import { startProduct } from './product.ts';
import type { StackContext } from './stack.ts';

/** Two sets of all processes on one PostgreSQL and one Redis. */
export async function stack(context: StackContext): Promise<string> {
  const database = await createDatabase({ kind: 'live' });
  const receiver = await startReceiver();
  try {
    const product = await startProduct(context, {
      databaseUrl: (login) => asLogin(database.url, login),
      redisUrl: await requestService('redis'),
      receiver,
      sets: 2,
    });
    const load = await startLoad(product, receiver);
    await until(() => load.count() >= 100, 300_000);
    return outcomeLine('two sets', await load.finish());
  } finally {
    await context.supervisor.stop();
    await receiver.close();
    await dropDatabase(database);
  }
}
