import { Type } from '../platform/type.ts';
import { job } from './job.ts';

/** Reads the log on from the boards' cursor: rollups, streaks, staleness. */
export const followLogJob = job({
  name: 'follow-log',
  queue: 'boards',
  about: 'Brings rollups and boards up to the head of the log.',
  payload: Type.Object({}),
  sameAs: () => 'follow-log',
  attempts: 15,
  retryEveryMs: 1000,
  everyMs: 15_000,
  pollMs: 250,
});

/** Renders the boards that are computed ahead, where they are stale. */
export const renderAhead = job({
  name: 'render-ahead',
  queue: 'boards',
  about: 'Renders the boards that are computed ahead and have become stale.',
  payload: Type.Object({}),
  sameAs: () => 'render-ahead',
  everyMs: 15_000,
});
