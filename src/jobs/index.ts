import { followLogJob, renderAhead } from './boards.ts';
import { closeGame, gradeDueJob, planClosings, relistGamesJob, thinPricesJob } from './grading.ts';
import {
  advanceDemoJob,
  applyImportsJob,
  askEspn,
  askFootballData,
  askOddsApi,
  fetchSchedules,
  settleScores,
} from './ingest.ts';
import type { Job } from './job.ts';
import { publish, seal, writeDataFilesJob } from './sealing.ts';
import { runChecksJob } from './status.ts';
import {
  deliverChat,
  deliverHealthy,
  deliverPush,
  deliverSlow,
  eraseSubscriptionsJob,
  fanoutCycle,
  fillLane,
  trimAttemptsJob,
} from './webhooks.ts';

export const jobs: readonly Job[] = [
  advanceDemoJob,
  applyImportsJob,
  askEspn,
  askFootballData,
  askOddsApi,
  fetchSchedules,
  settleScores,
  seal,
  publish,
  writeDataFilesJob,
  closeGame,
  gradeDueJob,
  planClosings,
  relistGamesJob,
  thinPricesJob,
  followLogJob,
  renderAhead,
  runChecksJob,
  fanoutCycle,
  fillLane,
  eraseSubscriptionsJob,
  trimAttemptsJob,
  deliverHealthy,
  deliverSlow,
  deliverChat,
  deliverPush,
] as readonly Job[];
