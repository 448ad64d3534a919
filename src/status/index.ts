import type { Config } from '../platform/config/config.ts';
import type { Check, Declaration, Runbook } from './check.ts';
import { boardsCheck } from './checks/boards.ts';
import { boardsLagCheck } from './checks/boards-lag.ts';
import { cdnCheck } from './checks/cdn.ts';
import { checkpointCheck } from './checks/checkpoint.ts';
import { closingsCheck } from './checks/closings.ts';
import { databaseCheck } from './checks/database.ts';
import { deliveriesCheck } from './checks/deliveries.ts';
import { disputedScoresCheck } from './checks/disputed-scores.ts';
import { eventsSetAsideCheck } from './checks/events-set-aside.ts';
import { fanoutCheck } from './checks/fanout.ts';
import { feedsCheck } from './checks/feeds.ts';
import { gradingsCheck } from './checks/gradings.ts';
import { jobsCheck } from './checks/jobs.ts';
import { jobsWaitingCheck } from './checks/jobs-waiting.ts';
import { lastPickCheck } from './checks/last-pick.ts';
import { lastSettlementCheck } from './checks/last-settlement.ts';
import { logFilesCheck } from './checks/log-files.ts';
import { providerAnswersCheck } from './checks/provider-answers.ts';
import { redisCheck } from './checks/redis.ts';
import { resultsCheck } from './checks/results.ts';
import { sealingCheck } from './checks/sealing.ts';
import { statusWorker } from './checks/status-worker.ts';
import { twinGamesCheck } from './checks/twin-games.ts';
import { workersCheck } from './checks/workers.ts';

/** All checks of the status worker, in the order shown. */
export const checks: readonly Check[] = [
  databaseCheck,
  redisCheck,
  lastPickCheck,
  lastSettlementCheck,
  sealingCheck,
  eventsSetAsideCheck,
  checkpointCheck,
  closingsCheck,
  gradingsCheck,
  resultsCheck,
  disputedScoresCheck,
  twinGamesCheck,
  feedsCheck,
  providerAnswersCheck,
  fanoutCheck,
  deliveriesCheck,
  workersCheck,
  jobsCheck,
  jobsWaitingCheck,
  boardsLagCheck,
  boardsCheck,
  cdnCheck,
  logFilesCheck,
];

/** All checks that `CHECKS` can name. */
export const declarations: readonly Declaration[] = [...checks, statusWorker];

/** Thresholds set by `CHECKS`, by name. */
export type Overrides = Config['status']['checks'];

/** Returns a check with the thresholds of `CHECKS`, or its defaults. */
export function overridden<D extends Declaration>(declared: D, overrides: Overrides): D {
  return { ...declared, thresholds: overrides[declared.name] ?? declared.thresholds };
}

export function checksWith(overrides: Overrides): readonly Check[] {
  return checks.map((check) => overridden(check, overrides));
}

const runbooks = new Map<string, Runbook>([
  [statusWorker.name, statusWorker.runbook],
  ...checks.flatMap(({ subjects, runbook }) => subjects.map(({ name }) => [name, runbook] as const)),
]);

/** Returns the runbook for an incident's subject; undefined for a check of another release. */
export function entryOf(subject: string): Runbook | undefined {
  return runbooks.get(subject);
}
