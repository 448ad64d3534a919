import { Type } from 'typebox';
import { job } from './job.ts';

/** Lets the demo's world go on: picks are posted, lines move, games start and end. Does nothing unless `DEMO` is on. */
export const advanceDemo = job({
  name: 'advance-demo',
  queue: 'ingest',
  about: 'Plays the demo world on to the present instant.',
  payload: Type.Object({}),
  sameAs: () => 'advance-demo',
  everyMs: 2000,
});
