import { boards } from '../boards/index.ts';
import { jobs } from '../jobs/index.ts';
import { queueNames } from '../jobs/job.ts';
import type { Config } from '../platform/config/config.ts';
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

/** The thresholds of all checks. */
export type CheckLimits = Config['status']['checks'];

/** Queues that some job belongs to. */
const queues = queueNames.filter((queue) => jobs.some((job) => job.queue === queue));

/**
 * Every check, in the order in which they are shown.
 * @param probe resolves when PostgreSQL answers over a connection made for that
 */
export function checksOf(limits: CheckLimits, probe: () => Promise<void>): readonly Check[] {
  return [
    databaseCheck(limits.database, probe),
    redisCheck(limits.redis),
    lastPickCheck(limits.lastPick),
    lastSettlementCheck(limits.lastSettlement),
    sealingCheck(limits.sealing),
    checkpointCheck(limits.checkpoint),
    closingsCheck(limits.closings),
    gradingsCheck(limits.gradings),
    resultsCheck(limits.results),
    feedsCheck(limits.feeds),
    fanoutCheck(limits.fanout),
    deliveriesCheck(limits.deliveries),
    workersCheck(queues, limits.workers),
    jobsCheck(queues, limits.jobsFailed, limits.jobsWaiting),
    boardsLagCheck(limits.boards),
    boardsCheck(boards, limits.boards),
  ];
}
