import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { openDatabase } from '../../src/platform/database.ts';
import type { Note } from './figures.ts';
import { onService } from './service.ts';

/** The idle load of the whole service: an empty ledger and no reader. */
export async function bench(
  say: (line: string) => void,
  note: Note,
  { on = onService(), settleMs = 40_000, seconds = Number(process.env.IDLE_SECONDS ?? 60) } = {},
): Promise<void> {
  await on(async (service) => {
    const { DATABASE_URL = '', REDIS_URL = '' } = service.environment;
    const database = openDatabase(DATABASE_URL, { connections: 1, name: 'bench idle' });
    const redis = new Redis(REDIS_URL);
    const transactions = async () => {
      const { rows } = await database.raw(
        'select sum(xact_commit + xact_rollback)::float8 as count from pg_stat_database',
      );
      return rows[0].count as number;
    };
    try {
      // Work left over from the start.
      await pause(settleMs);
      await redis.config('RESETSTAT');
      const before = { cpu: service.cpuSeconds(), transactions: await transactions() };
      await pause(seconds * 1000);
      const cpu = service.cpuSeconds() - before.cpu;
      const commands = commandCounts(await redis.info('commandstats'));
      const total = commands.reduce((sum, [, count]) => sum + count, 0);
      // Idle backends report their statistics within a second.
      const done = (await transactions()) - before.transactions;
      note({
        name: 'CPU of all processes',
        ours: (100 * cpu) / seconds,
        unit: '% of a core',
        aim: { atMost: 3 },
      });
      note({ name: 'PostgreSQL transactions', ours: done / seconds, unit: '/s', aim: { atMost: 5 } });
      note({ name: 'Redis commands', ours: total / seconds, unit: '/s', aim: { atMost: 20 } });
      for (const [name, count] of commands.slice(0, 8))
        say(`  ${name.padEnd(20)} ${(count / seconds).toFixed(1)}/s`);
      for (const [name, bytes] of service.resident())
        note({ name: `resident: ${name}`, ours: bytes / 2 ** 20, unit: 'MB', aim: { atMost: 200 } });
    } finally {
      redis.disconnect();
      await database.destroy();
    }
  });
}

/** Returns calls by command, the most frequent first. Redis counts those within scripts too. */
function commandCounts(info: string): [string, number][] {
  return [...info.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm)]
    .map(([, name, calls]): [string, number] => [name as string, Number(calls)])
    .sort(([, one], [, other]) => other - one);
}
