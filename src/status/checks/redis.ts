import { evictionPolicy } from '../../platform/redis.ts';
import { ageCheck, type Check, type Thresholds } from '../check.ts';
import { timed } from './database.ts';

export function redisCheck(thresholds: Thresholds): Check {
  return ageCheck({
    name: 'redis',
    title: 'Redis',
    about: 'How long Redis takes to answer, and whether it may throw jobs away.',
    thresholds,
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
}
