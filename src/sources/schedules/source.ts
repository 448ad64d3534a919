import { fetchSchedules } from '../../jobs/declared.ts';
import type { Job } from '../../jobs/job.ts';
import type { Source } from '../source.ts';

/** League schedules as .ics feeds. They are published rarely and cached on the way, so other sources know a moved start sooner. */
export const schedulesSource = {
  name: 'schedule',
  title: 'League schedules',
  setting: 'SCHEDULE_FEEDS',
  offers: { schedule: { credits: 0, everyMs: 30 * 60_000, trust: 4 } },
  job: fetchSchedules as Job,
} as const satisfies Source;
