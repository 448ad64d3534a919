import { Type } from 'typebox';
import { job } from './job.ts';

/** Gives `seq` to every event that is stored and not yet in the log. */
export const seal = job({
  name: 'seal',
  queue: 'sealing',
  about: 'Seals stored events into the log.',
  payload: Type.Object({}),
  sameAs: () => 'seal',
  everyMs: 1000,
});
