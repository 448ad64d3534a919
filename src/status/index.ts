import type { Config } from '../platform/config/config.ts';
import type { Check, Declaration, Runbook } from './check.ts';
import { boardsCheck, boardsLagCheck } from './checks/boards.ts';
import { checkpointCheck, eventsSetAsideCheck, sealingCheck } from './checks/log.ts';
import { cdnCheck, logFilesCheck } from './checks/outlets.ts';
import {
  closingsCheck,
  disputedScoresCheck,
  gradingsCheck,
  lastPickCheck,
  lastSettlementCheck,
  resultsCheck,
  twinGamesCheck,
} from './checks/picks.ts';
import { jobsCheck, jobsWaitingCheck, workersCheck } from './checks/queues.ts';
import { feedsCheck, providerAnswersCheck } from './checks/sources.ts';
import { databaseCheck, redisCheck } from './checks/stores.ts';
import { deliveriesCheck, fanoutCheck } from './checks/webhooks.ts';

/** Checked by the process that shows the status, because a stopped worker cannot report itself. */
export const statusWorker: Declaration = {
  name: 'status-worker',
  about: 'How long ago the status worker last reported.',
  thresholds: { degraded: 60, down: 300 },
  unit: 'seconds',
  runbook: {
    means: 'The status worker does not report, so no checks run.',
    readers: 'The status page is out of date. The service itself may work normally.',
    lookAt: 'Whether the process runs, and its log.',
    first: 'Restart the status worker.',
  },
};

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
