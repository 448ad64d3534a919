import type { Outcome } from '../jobs/outcome.ts';
import type { Enqueue } from '../jobs/runtime/enqueue.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import type { Database } from '../platform/database.ts';
import type { Logger } from '../platform/logger.ts';
import { pollEspn } from './espn/poll.ts';
import { pollFootballData } from './football-data/poll.ts';
import type { SourceName } from './index.ts';
import { pollOddsApi } from './odds-api/poll.ts';
import { pollSchedules } from './schedules/poll.ts';

export interface PollDeps {
  config: Config<'ingest'>['sources'];
  /** The demo has no games of the real world. */
  demo: boolean;
  database: Database;
  clock: Clock;
  enqueue: Pick<Enqueue, 'add'>;
  log: Logger;
  /** Aborted on shutdown. */
  closing: AbortSignal;
}

/** Polls what is due at a source; does nothing while its setting is off. */
type Poll = (deps: PollDeps) => Promise<Outcome>;

/** How each source is polled. */
export const polls: Readonly<Record<SourceName, Poll>> = {
  espn: ({ config, demo, ...deps }) =>
    pollEspn({ ...deps, config: demo ? { ...config.espn, leagues: [] } : config.espn }),
  'football-data': ({ config, demo, ...deps }) =>
    pollFootballData({
      ...deps,
      config: demo ? { ...config.footballData, key: undefined } : config.footballData,
    }),
  'odds-api': (deps) => pollOddsApi({ ...deps, config: deps.config.oddsApi }),
  schedule: (deps) => pollSchedules({ ...deps, schedules: deps.config.schedules }),
};
