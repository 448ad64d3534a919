import { setTimeout as pause } from 'node:timers/promises';
import { migrate } from '../../migrations/migrate.ts';
import { databaseLogins } from '../../src/local/environment.ts';
import { requestService } from '../support/broker.ts';
import { startReceiver } from '../support/receivers.ts';
import { ask, startPair } from '../support/standby.ts';
import { until } from '../support/until.ts';
import { outcomeLine, startLoad } from './load.ts';
import { startProduct } from './product.ts';
import type { StackContext } from './stack.ts';

/** A PostgreSQL whose streaming standby serves reads, stops replaying for a while, and takes over when the primary is killed. */
export async function stack(context: StackContext): Promise<string> {
  const pair = await startPair(context);
  const [primary, standby] = pair.servers;
  const receiver = await startReceiver();
  try {
    const group = pair.ownerUrl.replace(
      /@[^/]+/,
      `@${new URL(primary.url).host},${new URL(standby.url).host}`,
    );
    const logins = await databaseLogins({
      ownerUrl: pair.ownerUrl,
      url: `${group}?target_session_attrs=read-write`,
    });
    await migrate(pair.ownerUrl, 'live', logins);
    const product = await startProduct(context, {
      databaseUrl: (login) => logins.urls[login],
      redisUrl: await requestService('redis'),
      receiver,
      settings: { DATABASE_REPLICA_URL: `postgres://${new URL(standby.url).host}/picks` },
    });
    const read = async () => {
      const rows = await ask(
        standby.url,
        `select xact_commit::int as n from pg_stat_database where datname = 'picks'`,
      );
      return rows[0]!.n as number;
    };
    const before = await read();
    const load = await startLoad(product, receiver, 100);
    const shown = (from: number, to: number) =>
      [...load.seen.values()]
        .slice(from, to)
        .map(({ acknowledged, board }) => (board ?? Infinity) - acknowledged);

    await until(() => load.count() >= 50, 300_000);
    const onStandby = (await read()) - before;
    if (onStandby < 50) throw new Error(`the standby served ${onStandby} transactions`);

    await ask(standby.url, 'select pg_wal_replay_pause()');
    const paused = load.count();
    await until(() => load.count() >= paused + 30, 300_000);
    await until(() => shown(paused, paused + 20).every((ms) => ms < Infinity), 300_000);
    await ask(standby.url, 'select pg_wal_replay_resume()');
    const slowest = Math.max(...shown(paused, paused + 20));

    const killed = load.count();
    await primary.end();
    await pause(1000);
    await pair.promote();
    await until(() => load.count() >= killed + 50, 300_000);
    const outcome = await load.finish();
    return outcomeLine(
      'standby',
      outcome,
      ` (the primary killed, the standby promoted a second later); ${onStandby} transactions read on the standby, ` +
        `boards ${(slowest / 1000).toFixed(1)} s behind while it replayed nothing`,
    );
  } finally {
    await context.supervisor.stop();
    await receiver.close();
    await pair.stop();
  }
}
