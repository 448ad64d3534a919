import { requestService } from '../support/broker.ts';
import { asLogin, createDatabase, dropDatabase } from '../support/database.ts';
import { ask } from '../support/pgbouncer.ts';
import { startReceiver } from '../support/receivers.ts';
import { until } from '../support/until.ts';
import { outcomeLine, startLoad } from './load.ts';
import { startProduct } from './product.ts';
import type { StackContext } from './stack.ts';

/** Two sets of all processes on a PgBouncer in transaction mode with five connections to the server. */
export async function stack(context: StackContext): Promise<string> {
  process.env.TEST_PGBOUNCER = '1';
  const database = await createDatabase({ kind: 'live' });
  const pooler = await requestService('pgbouncer');
  const receiver = await startReceiver();
  try {
    const product = await startProduct(context, {
      databaseUrl: (login) => asLogin(database.url, login),
      redisUrl: await requestService('redis'),
      receiver,
      sets: 2,
    });
    const load = await startLoad(product, receiver);
    let [clients, servers] = [0, 0];
    await until(async () => {
      clients = Math.max(clients, (await open(pooler, 'clients', database.name)).length);
      servers = Math.max(servers, (await open(pooler, 'servers', database.name)).length);
      return load.count() >= 100;
    }, 300_000);
    const outcome = await load.finish();
    const totals = (await open(pooler, 'stats_totals', database.name))[0];
    if (servers > 5) throw new Error(`${servers} connections to the server`);
    const wait = (Number(totals?.wait_time) / 1000 / Number(totals?.query_count)).toFixed(2);
    return outcomeLine(
      'pgbouncer',
      outcome,
      `; ${clients} connections of processes over ${servers} to the server, ${wait} ms of waiting a statement`,
    );
  } finally {
    await context.supervisor.stop();
    await receiver.close();
    await dropDatabase(database);
  }
}

/** Returns what the pooler's console lists for one database. */
async function open(pooler: string, what: string, name: string): Promise<Record<string, string>[]> {
  return (await ask(pooler, `show ${what}`)).filter(({ database }) => database === name);
}
