import { followLog, renderAhead } from './boards.ts';
import { closeGame, gradeDue, planClosings } from './grading.ts';
import { advanceDemo, askOddsApi, fetchSchedules } from './ingest.ts';
import type { Job } from './job.ts';
import { publish, seal } from './sealing.ts';
import { lookAround } from './status.ts';
import { deliverChat, deliverHealthy, deliverSlow, fanoutCycle, trimAttempts } from './webhooks.ts';

/** Every job of the service. */
export const jobs: readonly Job[] = [
  advanceDemo,
  askOddsApi,
  fetchSchedules,
  seal,
  publish,
  closeGame,
  gradeDue,
  planClosings,
  followLog,
  renderAhead,
  lookAround,
  fanoutCycle,
  trimAttempts,
  deliverHealthy,
  deliverSlow,
  deliverChat,
] as readonly Job[];
