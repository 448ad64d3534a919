import { boards } from '../boards/index.ts';
import { jobs } from '../jobs/index.ts';
import { queueNames } from '../jobs/job.ts';
import type { Settings } from '../platform/settings.ts';
import { readThresholds } from '../platform/settings-schema.ts';
import type { Check } from './check.ts';
import { boardsCheck } from './checks/boards.ts';
import { boardsLagCheck } from './checks/boards-lag.ts';
import { checkpointCheck } from './checks/checkpoint.ts';
import { closingsCheck } from './checks/closings.ts';
import { databaseCheck } from './checks/database.ts';
import { deliveriesCheck } from './checks/deliveries.ts';
import { fanoutCheck } from './checks/fanout.ts';
import { feedsCheck } from './checks/feeds.ts';
import { gradingsCheck } from './checks/gradings.ts';
import { jobsCheck } from './checks/jobs.ts';
import { lastPickCheck } from './checks/last-pick.ts';
import { lastSettlementCheck } from './checks/last-settlement.ts';
import { redisCheck } from './checks/redis.ts';
import { resultsCheck } from './checks/results.ts';
import { sealingCheck } from './checks/sealing.ts';
import { workersCheck } from './checks/workers.ts';

export type CheckSettings = Pick<Settings, Extract<keyof Settings, `CHECK_${string}`>>;

/** Queues that some job belongs to. */
const queues = queueNames.filter((queue) => jobs.some((job) => job.queue === queue));

/**
 * Every check, in the order in which they are shown.
 * @param probe resolves when PostgreSQL answers over a connection made for that
 */
export function checksOf(settings: CheckSettings, probe: () => Promise<void>): readonly Check[] {
  const at = (name: keyof CheckSettings) => readThresholds(settings[name]);
  return [
    databaseCheck(at('CHECK_DATABASE'), probe),
    redisCheck(at('CHECK_REDIS')),
    lastPickCheck(at('CHECK_LAST_PICK')),
    lastSettlementCheck(at('CHECK_LAST_SETTLEMENT')),
    sealingCheck(at('CHECK_SEALING')),
    checkpointCheck(at('CHECK_CHECKPOINT')),
    closingsCheck(at('CHECK_CLOSINGS')),
    gradingsCheck(at('CHECK_GRADINGS')),
    resultsCheck(at('CHECK_RESULTS')),
    feedsCheck(at('CHECK_FEEDS')),
    fanoutCheck(at('CHECK_FANOUT')),
    deliveriesCheck(at('CHECK_DELIVERIES')),
    workersCheck(queues, at('CHECK_WORKERS')),
    jobsCheck(queues, at('CHECK_JOBS_FAILED'), at('CHECK_JOBS_WAITING')),
    boardsLagCheck(at('CHECK_BOARDS')),
    boardsCheck(boards, at('CHECK_BOARDS')),
  ];
}
