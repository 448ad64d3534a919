import { Type } from '../platform/type.ts';
import { job } from './job.ts';

/** Gives `seq` to every event that is stored and not yet in the log. */
export const seal = job({
  name: 'seal',
  queue: 'sealing',
  about: 'Seals stored events into the log.',
  payload: Type.Object({}),
  sameAs: () => 'seal',
  attempts: 15,
  retryEveryMs: 1000,
  everyMs: 15_000,
  pollMs: 250,
});

/** Signs a checkpoint over what is sealed: a job of its own, so that sealing goes on should signing fail. */
export const publish = job({
  name: 'publish-checkpoint',
  queue: 'sealing',
  about: 'Signs a checkpoint over the sealed log.',
  payload: Type.Object({}),
  sameAs: () => 'publish-checkpoint',
  attempts: 15,
  retryEveryMs: 1000,
  everyMs: 15_000,
  pollMs: 250,
});
