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
import { disputedScoresCheck } from './checks/disputed-scores.ts';
import { eventsSetAsideCheck } from './checks/events-set-aside.ts';
import { fanoutCheck } from './checks/fanout.ts';
import { feedsCheck } from './checks/feeds.ts';
import { gradingsCheck } from './checks/gradings.ts';
import { jobsCheck } from './checks/jobs.ts';
import { lastPickCheck } from './checks/last-pick.ts';
import { lastSettlementCheck } from './checks/last-settlement.ts';
import { outletsCheck } from './checks/outlets.ts';
import { redisCheck } from './checks/redis.ts';
import { resultsCheck } from './checks/results.ts';
import { sealingCheck } from './checks/sealing.ts';
import { workersCheck } from './checks/workers.ts';

/** The thresholds of all checks. */
export type CheckThresholds = Config['status']['checks'];

/** Queues that some job belongs to. */
const queues = queueNames.filter((queue) => jobs.some((job) => job.queue === queue));

/**
 * Every check, in the order in which they are shown.
 * @param probe resolves when PostgreSQL answers over a connection made for that
 */
export function checksOf(thresholds: CheckThresholds, probe: () => Promise<void>): readonly Check[] {
  return [
    databaseCheck(thresholds.database, probe),
    redisCheck(thresholds.redis),
    lastPickCheck(thresholds.lastPick),
    lastSettlementCheck(thresholds.lastSettlement),
    sealingCheck(thresholds.sealing),
    eventsSetAsideCheck(thresholds.eventsSetAside),
    checkpointCheck(thresholds.checkpoint),
    closingsCheck(thresholds.closings),
    gradingsCheck(thresholds.gradings),
    resultsCheck(thresholds.results),
    disputedScoresCheck(thresholds.disputedScores),
    feedsCheck(thresholds.feeds),
    fanoutCheck(thresholds.fanout),
    deliveriesCheck(thresholds.deliveries),
    workersCheck(queues, thresholds.workers),
    jobsCheck(queues, thresholds.jobsFailed, thresholds.jobsWaiting),
    boardsLagCheck(thresholds.boards),
    boardsCheck(boards, thresholds.boards),
    outletsCheck(thresholds.outlets),
  ];
}
