import type { Enqueue } from '../jobs/runtime/enqueue.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import type { Database } from '../platform/database.ts';
import type { Logger } from '../platform/logger.ts';

export type SourceSettings = Config<'ingest'>['sources'];

export interface PollDeps<Settings> {
  config: Settings;
  database: Database;
  clock: Clock;
  enqueue: Pick<Enqueue, 'add'>;
  log: Logger;
  /** Aborted on shutdown. */
  closing: AbortSignal;
}
