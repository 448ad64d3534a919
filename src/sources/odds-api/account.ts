import type { Enqueue } from '../../jobs/runtime/enqueue.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/database.ts';
import type { Logger } from '../../platform/logger.ts';
import { readRuns, type SourceRun } from '../runs.ts';

/** Name of the account's row, and prefix of its feeds' rows. */
export const account = 'odds-api';

export interface OddsApiDeps {
  config: Config['sources']['oddsApi'] & { readonly key: string };
  database: Database;
  clock: Clock;
  enqueue: Pick<Enqueue, 'add'>;
  log: Logger;
  /** Aborted on shutdown. */
  closing: AbortSignal;
}

/** State of the account. */
export async function accountRun(database: Database): Promise<SourceRun | undefined> {
  return (await readRuns(database, account)).get(account);
}
