import type { Enqueue } from '../../jobs/runtime/enqueue.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/database.ts';
import type { Logger } from '../../platform/logger.ts';
import { readRuns, type SourceRun } from '../runs.ts';

/** The row of the account itself, and where the rows of its feeds begin. */
export const account = 'odds-api';

export interface OddsApiDeps {
  config: Config['sources']['oddsApi'] & { readonly key: string };
  database: Database;
  clock: Clock;
  enqueue: Pick<Enqueue, 'add'>;
  log: Logger;
  /** Aborted when the process closes. */
  closing: AbortSignal;
}

/** What is known of the account itself. */
export async function accountRun(database: Database): Promise<SourceRun | undefined> {
  return (await readRuns(database, account)).get(account);
}
