import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ownRedis } from '../support/own-redis.ts';
import { startReceiver } from '../support/receivers.ts';
import { until } from '../support/until.ts';
import { startLoad } from './load.ts';
import { auditOf, startOwnServer } from './own-server.ts';
import { startProduct } from './product.ts';
import type { StackContext } from './stack.ts';

const pageBytes = 8192;

/**
 * A changed byte of the table `picks` on the disk of a PostgreSQL with data checksums. Shows what readers, posts, status, and the audit
 * get during the damage, and after the page is restored.
 */
export async function stack(context: StackContext): Promise<string> {
  const [redis, receiver] = [await ownRedis(), await startReceiver()];
  try {
    const server = await startOwnServer(context);
    const [{ on } = {}] = await server.query(`select current_setting('data_checksums') as on`);
    const product = await startProduct(context, {
      databaseUrl: (login) => server.url(login),
      redisUrl: redis.url,
      receiver,
    });
    const load = await startLoad(product, receiver, 100);
    await until(() => load.count() >= 40, 120_000);
    await load.finish();
    const uuids = [...load.seen.keys()];
    await server.query('checkpoint');
    const [{ folder, path } = {}] = await server.query(
      `select current_setting('data_directory') as folder, pg_relation_filepath('picks') as path`,
    );
    const file = join(String(folder), String(path));

    let looks = 0;
    async function look(title: string): Promise<Map<string, number>> {
      const counts = new Map<string, number>();
      const count = (answer: string) => counts.set(answer, (counts.get(answer) ?? 0) + 1);
      looks += 1;
      // Cached paths, and others.
      const again = ['/', '/api/leaderboard', '/api/cappers/ada/picks', '/c/ada'];
      const fresh = uuids.slice(looks * 5, looks * 5 + 5).map((uuid) => `/api/picks/${uuid}/receipt`);
      for (const [what, paths] of Object.entries({ again, fresh }))
        for (const each of paths) {
          const response = await fetch(`${product.sites[0]}${each}`);
          await response.arrayBuffer();
          count(`read ${what} ${response.status}`);
        }
      const row = { handle: `capper${counts.size}${Date.now() % 1000}`, tier: 'listed', verified: true };
      const post = await fetch(`${product.operator}/cappers`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${product.token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(row),
      });
      count(`post ${post.status}`);
      const { status, output } = await auditOf(context, product, server);
      const last = output
        .split('\n')
        .filter((line) => line !== '')
        .at(-1);
      context.say(`  ${title}: ${[...counts].map(([answer, n]) => `${n} x ${answer}`).join(', ')}`);
      context.say(`    the audit ends with ${status}: ${last?.slice(0, 300)}`);
      counts.set('audit', status);
      return counts;
    }

    /** Makes PostgreSQL read its files again. */
    async function restart(): Promise<void> {
      const { pid } = context.running().get('postgres')!;
      process.kill(pid, 'SIGINT');
      await until(() => context.running().get('postgres')?.pid !== pid);
      await until(async () => (await server.query('select 1').catch(() => [])).length === 1);
      await until(async () => (await fetch(`${product.sites[0]}/readyz`)).status === 200);
    }

    await look('sound');
    const flip = () => {
      const descriptor = openSync(file, 'r+');
      const byte = Buffer.alloc(1);
      const at = pageBytes - 100;
      readSync(descriptor, byte, 0, 1, at);
      byte[0]! ^= 0xff;
      writeSync(descriptor, byte, 0, 1, at);
      closeSync(descriptor);
    };
    flip();
    await restart();
    const damaged = await look('damaged');
    // A check that fails in two rounds of the status worker opens an incident.
    await pause(45_000);
    const status = (await (await fetch(`${product.sites[0]}/api/status`)).json()) as {
      status: string;
      checks: { name: string; status: string; message: string }[];
    };
    context.say(`    status: ${status.status}`);
    for (const check of status.checks.filter((each) => each.status !== 'ok'))
      context.say(`      ${check.name} is ${check.status}: ${check.message}`);
    flip();
    await restart();
    const whole = await look('written back');
    const line = `damaged-pages: checksums ${on}; damaged, the audit ends with ${damaged.get('audit')}; written back, with ${whole.get('audit')}`;
    if (on !== 'on' || damaged.get('audit') === 0 || whole.get('audit') !== 0) throw new Error(line);
    return line;
  } finally {
    await context.supervisor.stop();
    await Promise.all([redis.close(), receiver.close()]);
  }
}
