import { Type } from '../platform/type.ts';
import { job } from './job.ts';

/** Gives a `seq` to every stored event that is not yet in the log. */
export const seal = job({
  name: 'seal',
  queue: 'sealing',
  about: 'Seals stored events into the log.',
  payload: Type.Object({}),
  dedupKey: () => 'seal',
  attempts: 15,
  retryEveryMs: 1000,
  everyMs: 15_000,
  pollMs: 250,
});

/** Signs a checkpoint over the sealed log. Separate from {@link seal}, so that sealing continues if signing fails. */
export const publish = job({
  name: 'publish-checkpoint',
  queue: 'sealing',
  about: 'Signs a checkpoint over the sealed log.',
  payload: Type.Object({}),
  dedupKey: () => 'publish-checkpoint',
  attempts: 15,
  retryEveryMs: 1000,
  everyMs: 15_000,
  pollMs: 250,
});

/** Writes the record of past months as files (docs/operations.md#data-files). */
export const writeDataFilesJob = job({
  name: 'write-data-files',
  queue: 'sealing',
  about: 'Writes the record of past months as Parquet files, and signs their index.',
  payload: Type.Object({}),
  dedupKey: () => 'write-data-files',
  everyMs: 600_000,
  exclusive: true,
});
