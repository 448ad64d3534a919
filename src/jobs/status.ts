import { Type } from '../platform/type.ts';
import { job } from './job.ts';

/** Looks at all of the service. The status worker's timer does so every 15 seconds: it has to see that Redis is away. */
export const lookAround = job({
  name: 'look-around',
  queue: 'status',
  about: 'Makes every freshness check, keeps incidents and tells the chat of them.',
  payload: Type.Object({}),
  sameAs: () => 'look-around',
  attempts: 1,
  everyMs: 60_000,
});
