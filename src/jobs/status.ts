import { Type } from 'typebox';
import { job } from './job.ts';

/** Looks at all of the service. The status worker does so without jobs too: it has to see that Redis is away. */
export const lookAround = job({
  name: 'look-around',
  queue: 'status',
  about: 'Makes every freshness check, keeps incidents and tells the chat of them.',
  payload: Type.Object({}),
  sameAs: () => 'look-around',
  attempts: 1,
  everyMs: 15_000,
});
