import { evictionPolicy } from '../../platform/redis.ts';
import { ageCheck } from '../check.ts';
import { timed } from './database.ts';

export const redisCheck = ageCheck({
  name: 'redis',
  title: 'Redis',
  about: 'How long Redis takes to answer, and whether it may throw jobs away.',
  thresholds: { degraded: 1, down: 2 },
  restsOn: [],
  async look({ redis }) {
    let policy = 'unknown';
    const found = await timed('Redis', async () => {
      policy = await evictionPolicy(redis);
    });
    if (['noeviction', 'unknown'].includes(policy)) return found;
    return {
      ...found,
      atLeast: 'degraded',
      message: `Redis has the eviction policy ${policy}: it may throw jobs away. Set maxmemory-policy to noeviction.`,
    };
  },
});
