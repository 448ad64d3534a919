import { evictionPolicy } from '../../platform/redis.ts';
import { ageCheck } from '../check.ts';
import { timed } from './database.ts';

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
