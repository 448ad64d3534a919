import { evictionPolicy } from '../../platform/redis.ts';
import { withTimeout } from '../../platform/timeout.ts';
import { ageCheck } from '../check.ts';

const timeoutMs = 5000;

export const databaseCheck = ageCheck({
  name: 'database',
  title: 'PostgreSQL',
  about: 'How long PostgreSQL takes to accept a connection and answer on it.',
  thresholds: { degraded: 1, down: 4 },
  runbook: {
    means: 'PostgreSQL is slow or down.',
    readers: 'Pages show older data, and some cannot be shown at all. New picks and results are delayed.',
    lookAt:
      "PostgreSQL's log, free disk space, and `pg_stat_activity`: long transactions, exhausted connections.",
    first:
      'Free disk space or cancel the blocking query; otherwise fail over. Processes reconnect automatically.',
  },
  dependsOn: [],
  measure: ({ probe }) => timed('PostgreSQL', probe),
});

export async function timed(store: string, ask: () => Promise<unknown>) {
  const began = performance.now();
  try {
    await withTimeout(ask(), timeoutMs);
  } catch {
    return { seconds: null, message: `${store} does not answer.`, atLeast: 'down' as const };
  }
  const ms = Math.round(performance.now() - began);
  return { seconds: ms / 1000, value: ms, message: `${store} answered in ${ms} ms.` };
}

export const redisCheck = ageCheck({
  name: 'redis',
  title: 'Redis',
  about: 'How long Redis takes to answer.',
  thresholds: { degraded: 1, down: 2 },
  runbook: {
    means: 'Redis is slow or down, or its eviction policy lets it delete jobs.',
    readers: 'Pages are slower. New picks, results, and webhooks may be delayed.',
    lookAt: "`redis-cli info memory`, Redis' log, and its host.",
    first: 'Restart Redis, or point `REDIS_URL` at another one; it may be empty.',
  },
  dependsOn: [],
  async measure({ redis }) {
    let policy = 'unknown';
    const found = await timed('Redis', async () => {
      policy = await evictionPolicy(redis);
    });
    if (['noeviction', 'unknown'].includes(policy)) return found;
    return {
      ...found,
      atLeast: 'degraded',
      message: `Redis may delete jobs: its eviction policy is ${policy}. Set maxmemory-policy to noeviction.`,
    };
  },
});
