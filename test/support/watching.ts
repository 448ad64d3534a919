import type { Redis } from 'ioredis';
import { openQueues } from '../../src/jobs/runtime/enqueue.ts';
import type { Database } from '../../src/platform/database.ts';
import { connectionProbe } from '../../src/platform/postgres-probe.ts';
import { createChat } from '../../src/status/alerts.ts';
import type { Check } from '../../src/status/check.ts';
import type { CheckState } from '../../src/status/incidents.ts';
import { checksWith } from '../../src/status/index.ts';
import { storedRounds } from '../../src/status/state.ts';
import { createWatch, type Watch } from '../../src/status/watch.ts';
import { testConfig } from './config.ts';
import { quiet } from './quiet.ts';

export interface WatchingOptions {
  clock: { now(): number };
  database: Database;
  redis: Redis;
  /** The PostgreSQL to probe. */
  databaseUrl: string;
  settings?: Record<string, string>;
  /** Default: all checks. */
  only?: (names: readonly string[]) => boolean;
  /** A chat's incoming webhook. */
  chatUrl?: string;
  heartbeat?: string;
  machineNow?: () => number;
  onIncidents?: () => Promise<void>;
}

/** A status worker within the test's own process. */
export interface Watching extends Watch {
  /** Runs a round, and returns a check's state after it. */
  check(name: string): Promise<CheckState>;
}

export function watching(options: WatchingOptions): Watching {
  const { clock, database, redis, databaseUrl, settings, chatUrl, heartbeat, machineNow, only, onIncidents } =
    options;
  const { queues } = openQueues(redis, quiet);
  const all: readonly Check[] = checksWith(testConfig(settings).status.checks);
  const watch = createWatch({
    checks: only === undefined ? all : all.filter(({ subjects }) => only(subjects.map(({ name }) => name))),
    probe: connectionProbe(databaseUrl, 3000),
    database,
    redis,
    queues,
    clock,
    log: quiet,
    chat: chatUrl === undefined ? undefined : createChat(chatUrl, quiet),
    heading: 'Public Picks, test',
    heartbeat: heartbeat === undefined ? undefined : new URL(heartbeat),
    ...(onIncidents === undefined ? {} : { onIncidents }),
    ...(machineNow === undefined ? {} : { machineNow }),
  });
  return {
    ...watch,
    async check(name) {
      await watch.round();
      const kept = (await storedRounds(database))?.checks[name];
      if (kept === undefined) throw new Error(`there is no check ${name}`);
      return kept;
    },
  };
}
