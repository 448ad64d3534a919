import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { Logger } from './logger.ts';

export type RedisClient = Redis | Cluster;

interface RedisNode {
  host: string;
  port: number;
  username?: string;
  password?: string;
}

export interface RedisStore {
  url: string;
  /** Set if sentinels know the primary under this name. */
  sentinels?: { name: string; nodes: readonly RedisNode[] } | undefined;
  clusterNodes?: readonly RedisNode[] | undefined;
}

/** A separate store, or that of the queues. */
export function cacheStore(store: RedisStore & { cacheUrl?: string | undefined }): RedisStore {
  return store.cacheUrl === undefined ? store : { url: store.cacheUrl };
}

/** Reports whether keys live on several servers, so that a command or script may only use keys of one slot. */
export function isCluster(redis: RedisClient): redis is Cluster {
  return redis instanceof Cluster;
}

const retryMs = (attempt: number) => Math.min(attempt * 100, 2000);

export function databaseOf(redis: RedisClient): number {
  return isCluster(redis) ? 0 : (redis.options.db ?? 0);
}

/**
 * Opens a connection for commands that a request or job waits for. While Redis is unavailable they fail at once instead of queueing.
 * Reconnects automatically until closed.
 */
export function openRedis(url: string, log: Logger): Redis;
export function openRedis(store: RedisStore, log: Logger): RedisClient;
export function openRedis(store: RedisStore | string, log: Logger): RedisClient {
  const options = { enableOfflineQueue: false, maxRetriesPerRequest: 0, connectTimeout: 2000 };
  // Gives up on a server that vanished silently: the next connection may reach another one.
  return opened(store, { ...options, commandTimeout: 2000, socketTimeout: 5000 }, 1, log);
}

/**
 * Longest wait for an answer on a connection whose commands wait, in ms: longer than a worker's blocking read. A server can vanish without a
 * reset.
 */
const waitingTimeoutMs = 35_000;

/** Opens a connection whose commands wait until Redis is available, for BullMQ workers. */
export function openWaitingRedis(url: string, log: Logger): Redis;
export function openWaitingRedis(store: RedisStore, log: Logger): RedisClient;
export function openWaitingRedis(store: RedisStore | string, log: Logger): RedisClient {
  return opened(store, { maxRetriesPerRequest: null, socketTimeout: waitingTimeoutMs }, 2, log);
}

/**
 * Opens a connection for publish/subscribe. In a cluster it connects to one node, because every node receives all messages
 * (https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/), and to the next one if that fails.
 */
export function openSubscriber(store: RedisStore, log: Logger): RedisClient {
  const { url, clusterNodes: nodes } = store;
  if (nodes === undefined) return openWaitingRedis(store, log);
  let turn = 0;
  const redis: Redis = new Redis({
    ...credentialsOf(url),
    ...(nodes[0] as RedisNode),
    maxRetriesPerRequest: null,
    connectTimeout: 2000,
    retryStrategy(attempt: number) {
      turn += 1;
      Object.assign(redis.options, nodes[turn % nodes.length]);
      return retryMs(attempt);
    },
  });
  return logged(redis, log);
}

interface Fixed {
  maxRetriesPerRequest: number | null;
  enableOfflineQueue?: boolean;
  connectTimeout?: number;
  commandTimeout?: number;
  socketTimeout?: number;
}

/** @param onReplica handling of a command that a replica refused: 1 fails it; 2 sends it again on the next connection */
function opened(store: RedisStore | string, fixed: Fixed, onReplica: 1 | 2, log: Logger): RedisClient {
  if (typeof store === 'string') return opened({ url: store }, fixed, onReplica, log);
  const { url, sentinels, clusterNodes } = store;
  const options = {
    ...fixed,
    // After a failover the address may lead to another server, but an open connection stays with the former primary.
    reconnectOnError: (error: Error) => (/^(READONLY|UNBLOCKED)\b/.test(error.message) ? onReplica : false),
  } satisfies RedisOptions;
  if (clusterNodes !== undefined) {
    const cluster = new Cluster([...clusterNodes], {
      redisOptions: { ...credentialsOf(url), ...options },
      enableOfflineQueue: fixed.enableOfflineQueue ?? true,
      // The ready check leaves `connect()` pending forever if the cluster is down, and BullMQ, which awaits it, would take no more jobs.
      // Without the check, commands fail or are retried as usual.
      enableReadyCheck: false,
      clusterRetryStrategy: retryMs,
      slotsRefreshTimeout: 2000,
      // Finds a promoted node even if no command reached the old one.
      slotsRefreshInterval: 5000,
      // Certificates are issued for the addresses that nodes announce.
      dnsLookup: (address, callback) => callback(null, address),
    });
    return logged(cluster, log);
  }
  if (sentinels !== undefined) {
    const { username, password } = sentinels.nodes[0] as RedisNode;
    return logged(
      new Redis({
        ...credentialsOf(url),
        sentinels: sentinels.nodes.map(({ host, port }) => ({ host, port })),
        name: sentinels.name,
        ...(username === undefined ? {} : { sentinelUsername: username }),
        ...(password === undefined ? {} : { sentinelPassword: password }),
        sentinelRetryStrategy: retryMs,
        // Reconnects as soon as a sentinel reports another primary.
        failoverDetector: true,
        retryStrategy: retryMs,
        ...options,
      }),
      log,
    );
  }
  return logged(new Redis(url, { retryStrategy: retryMs, ...options }), log);
}

function credentialsOf(address: string) {
  const { protocol, username, password, pathname } = new URL(address);
  return {
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
    ...(/^\/\d+$/.test(pathname) ? { db: Number(pathname.slice(1)) } : {}),
    ...(protocol === 'rediss:' ? { tls: {} } : {}),
  };
}

/**
 * Returns Redis's eviction policy. Any other than `noeviction` silently loses jobs when memory is full (BullMQ docs, "Going to
 * production"). INFO works even where providers forbid CONFIG.
 */
export async function evictionPolicy(redis: RedisClient): Promise<string> {
  const info = await redis.info('memory');
  return /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? 'unknown';
}

/** Logs once when the connection breaks and once when it is back, instead of at every attempt. */
function logged<C extends RedisClient>(redis: C, log: Logger): C {
  let unavailable = false;
  redis.on('error', (error: Error) => {
    if (!unavailable) log.warn({ err: error.message }, 'redis is unavailable');
    unavailable = true;
  });
  redis.on('ready', () => {
    if (unavailable) log.info('redis is available again');
    unavailable = false;
  });
  return redis;
}
