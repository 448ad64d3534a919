import { Type } from '../platform/type.ts';
import { job } from './job.ts';

/** Reads the log from the boards' cursor on, and updates rollups, streaks, and tags. */
export const followLogJob = job({
  name: 'follow-log',
  queue: 'boards',
  about: 'Brings rollups and boards up to the head of the log.',
  payload: Type.Object({}),
  dedupKey: () => 'follow-log',
  attempts: 15,
  retryEveryMs: 1000,
  everyMs: 15_000,
  pollMs: 250,
});

/** Renders stale boards before a reader asks for them. */
export const renderAhead = job({
  name: 'render-ahead',
  queue: 'boards',
  about: 'Renders stale boards ahead of readers.',
  payload: Type.Object({}),
  dedupKey: () => 'render-ahead',
  everyMs: 15_000,
});
