import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Answers, type AnswersDeps, createAnswers } from '../../src/answers/answers.ts';
import { type Changes, subscribeToChanges } from '../../src/answers/changes.ts';
import { type Api, type ApiDeps, createApi } from '../../src/api.ts';
import { createBoundedServer } from '../../src/http/transport/bounded-server.ts';
import { type Availability, createAvailability } from '../../src/platform/availability.ts';
import type { Clock } from '../../src/platform/clock.ts';
import type { Logger } from '../../src/platform/logger.ts';
import { keptProbe } from '../../src/platform/postgres-probe.ts';
import { testConfig } from './config.ts';
import type { TestDatabase } from './database.ts';
import { fixedClock } from './fixed-clock.ts';
import { patienceMs } from './patience.ts';
import { quiet } from './quiet.ts';
import type { TestRedis } from './redis.ts';
import { until } from './until.ts';

export interface ApiOptions
  extends Partial<
    Pick<
      ApiDeps,
      'boards' | 'routes' | 'log' | 'database' | 'redis' | 'metrics' | 'logKind' | 'buildReads' | 'loop'
    >
  > {
  /** Missing ones do nothing. */
  targets?: Partial<ApiDeps['targets']>;
  clock?: Clock;
  availability?: Availability;
  /** Settings in addition to those of `testConfig`. */
  settings?: Record<string, string>;
  cache?: Partial<AnswersDeps>;
  /** Whether answers come from memory too, as in the service. Default: true. */
  memory?: boolean;
}

/** The public site and API, listening on a free port. */
export interface RunningApi {
  /** For example `http://127.0.0.1:40123`. */
  address: string;
  api: Api;
  cache: Answers;
  server: Server;
  close(): Promise<void>;
}

/** Webhook targets for tests that need none: no name resolves, and nothing is sent. */
const noTargets: ApiDeps['targets'] = {
  resolve: (hostname) => Promise.reject(new Error(`${hostname} is unknown here`)),
  client: { post: ({ masked }) => Promise.reject(new Error(`nothing is sent to ${masked}`)) },
};

/** Starts the API over a test's database and Redis. Unless given, the clock is fixed at 2026-01-15 12:00 UTC. */
export async function startApi(
  stores: { database: TestDatabase; redis: TestRedis },
  options: ApiOptions = {},
): Promise<RunningApi> {
  const { clock = fixedClock('2026-01-15T12:00:00Z'), log = quiet, boards, routes } = options;
  const database = options.database ?? stores.database.database;
  const redis = options.redis ?? stores.redis.redis;
  const availability = options.availability ?? patientAvailability(stores.database.url, log);
  const subscriber = options.memory === false ? undefined : stores.redis.openWaiting();
  const changes = subscriber === undefined ? undefined : subscribeToChanges(subscriber, log);
  if (changes !== undefined) await isUp(changes);
  const cache = createAnswers({
    redis,
    database,
    clock,
    baseUrl: 'https://picks.example',
    helpLine: '1-800-GAMBLER',
    log,
    availability,
    ...(changes === undefined ? {} : { changes }),
    // With a shorter timeout, a busy machine would make tests see stale answers.
    refreshTimeoutMs: patienceMs,
    // Tests read right after a change.
    renderEveryMs: 0,
    ...options.cache,
  });
  const api = createApi({
    config: testConfig(options.settings),
    database,
    redis,
    availability,
    ...(options.buildReads === undefined ? {} : { buildReads: options.buildReads }),
    answers: cache,
    ...(changes === undefined ? {} : { changes }),
    clock,
    log,
    logKind: options.logKind ?? (() => 'replay'),
    targets: { ...noTargets, ...options.targets },
    ...(boards === undefined ? {} : { boards }),
    ...(routes === undefined ? {} : { routes }),
    ...(options.metrics === undefined ? {} : { metrics: options.metrics }),
    ...(options.loop === undefined ? {} : { loop: options.loop }),
  });
  const server = createBoundedServer(api.handle, { connections: 1000 }, api.answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    api,
    cache,
    server,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      cache.close();
      changes?.close();
      availability.close();
      subscriber?.disconnect();
    },
  };
}

/**
 * Waits with the tests' patience before it declares PostgreSQL unavailable. With the service's limit of about a second, a busy machine
 * would cause a 503. Tests of outages pass their own availability.
 */
function patientAvailability(url: string, log: Logger): Availability {
  return createAvailability(keptProbe(url, { answerMs: patienceMs, connectMs: patienceMs }), log, {
    suspectAfterMs: patienceMs,
  });
}

/** Resolves once the channel of changes is up. */
export function isUp(changes: Changes): Promise<void> {
  return until(() => changes.position() >= 0);
}
