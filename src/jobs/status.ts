import { Type } from '../platform/type.ts';
import { job } from './job.ts';

/** Runs all checks. The status worker also runs them on a timer every 15 s, because a job could not report that Redis is down. */
export const runChecksJob = job({
  name: 'look-around',
  queue: 'status',
  about: 'Runs every check, records incidents, and reports them to chat.',
  payload: Type.Object({}),
  dedupKey: () => 'look-around',
  attempts: 1,
  everyMs: 60_000,
});
