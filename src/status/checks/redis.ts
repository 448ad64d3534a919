import { ageCheck, type Check, type Thresholds } from '../check.ts';
import { timed } from './database.ts';

export function redisCheck(thresholds: Thresholds): Check {
  return ageCheck({
    name: 'redis',
    title: 'Redis',
    about: 'How long Redis takes to answer.',
    thresholds,
    restsOn: [],
    look: ({ redis }) => timed('Redis', () => redis.ping()),
  });
}
