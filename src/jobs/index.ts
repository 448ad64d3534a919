import { followLogJob, renderAhead } from './boards.ts';
import { closeGame, gradeDueJob, planClosings } from './grading.ts';
import { advanceDemoJob, askOddsApi, fetchSchedules } from './ingest.ts';
import type { Job } from './job.ts';
import { publish, seal } from './sealing.ts';
import { lookAround } from './status.ts';
import { deliverChat, deliverHealthy, deliverSlow, fanoutCycle, trimAttemptsJob } from './webhooks.ts';

/** Every job of the service. */
export const jobs: readonly Job[] = [
  advanceDemoJob,
  askOddsApi,
  fetchSchedules,
  seal,
  publish,
  closeGame,
  gradeDueJob,
  planClosings,
  followLogJob,
  renderAhead,
  lookAround,
  fanoutCycle,
  trimAttemptsJob,
  deliverHealthy,
  deliverSlow,
  deliverChat,
] as readonly Job[];
