import type { Outcome } from '../jobs/job.ts';
import { pollEspn } from './espn/poll.ts';
import { pollFootballData } from './football-data/poll.ts';
import type { SourceName } from './index.ts';
import { pollOddsApi } from './odds-api/poll.ts';
import type { PollDeps, SourceSettings } from './poll-deps.ts';
import { pollSchedules } from './schedules/poll.ts';

export interface PollsDeps extends PollDeps<SourceSettings> {
  /** Whether the site is a demo, which has no real games. */
  demo: boolean;
}

/** Polls a source for due data; does nothing while its setting is off. */
type Poll = (deps: PollsDeps) => Promise<Outcome>;

export const polls: Readonly<Record<SourceName, Poll>> = {
  espn: ({ config, demo, ...deps }) =>
    pollEspn({ ...deps, config: demo ? { ...config.espn, leagues: [] } : config.espn }),
  'football-data': ({ config, demo, ...deps }) =>
    pollFootballData({
      ...deps,
      config: demo ? { ...config.footballData, key: undefined } : config.footballData,
    }),
  'odds-api': (deps) => pollOddsApi({ ...deps, config: deps.config.oddsApi }),
  schedule: (deps) => pollSchedules({ ...deps, config: deps.config.schedules }),
};

/** Reports whether the settings enable a source. A disabled source is polled once at the start, to delete its runs. */
export function isOn(name: SourceName, { espn, footballData, oddsApi, schedules }: SourceSettings): boolean {
  return {
    espn: espn.leagues.length > 0,
    'football-data': footballData.key !== undefined,
    'odds-api': oddsApi.key !== undefined,
    schedule: schedules.length > 0,
  }[name];
}
