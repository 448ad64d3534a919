import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { openDatabase } from '../../src/platform/database.ts';
import { type RunningService, serviceFolder } from './service.ts';

const seconds = Number(process.env.IDLE_SECONDS ?? 60);

/** What the whole service costs while nothing happens: an empty ledger, no reader. */
export async function bench(say: (line: string) => void): Promise<void> {
  const folder = await serviceFolder();
  try {
    const service = await folder.start();
    try {
      await measure(service, say);
    } finally {
      await service.stop();
    }
  } finally {
    folder.remove();
  }
}

async function measure(service: RunningService, say: (line: string) => void): Promise<void> {
  const database = openDatabase(service.databaseUrl, { connections: 1, name: 'bench idle' });
  const redis = new Redis(service.redisUrl);
  const transactions = async () => {
    const { rows } = await database.raw(
      'select sum(xact_commit + xact_rollback)::float8 as count from pg_stat_database',
    );
    return rows[0].count as number;
  };
  try {
    // What a start leaves to do.
    await pause(20_000);
    await redis.config('RESETSTAT');
    const before = { cpu: service.cpuSeconds(), transactions: await transactions() };
    await pause(seconds * 1000);
    const cpu = service.cpuSeconds() - before.cpu;
    const commands = commandCounts(await redis.info('commandstats'));
    const total = commands.reduce((sum, [, count]) => sum + count, 0);
    const perSecond = (count: number) => (count / seconds).toFixed(1);
    say(`CPU            ${((100 * cpu) / seconds).toFixed(1)} % of a core   (aim: 3 %)`);
    // Backends report what they did when they are idle, at the latest after a second.
    say(`transactions   ${perSecond((await transactions()) - before.transactions)}/s   (aim: 1/s)`);
    say(`Redis          ${perSecond(total)} commands/s   (aim: 20/s)`);
    for (const [name, count] of commands.slice(0, 8)) say(`  ${name.padEnd(20)} ${perSecond(count)}/s`);
    for (const [name, bytes] of service.resident())
      say(`resident       ${(bytes / 2 ** 20).toFixed(0).padStart(4)} MB   ${name}`);
  } finally {
    redis.disconnect();
    await database.destroy();
  }
}

/** Calls by command, the most frequent first. Those of scripts count, as Redis counts them. */
function commandCounts(info: string): [string, number][] {
  return [...info.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm)]
    .map(([, name, calls]): [string, number] => [name as string, Number(calls)])
    .sort(([, one], [, other]) => other - one);
}
