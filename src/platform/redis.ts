import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { Logger } from './logger.ts';

/** A connection to a Redis, or to a Redis Cluster. */
export type RedisClient = Redis | Cluster;

interface RedisNode {
  host: string;
  port: number;
  username?: string;
  password?: string;
}

/** Where a Redis is: `config.redis`. */
export interface RedisStore {
  url: string;
  /** Set where sentinels know the primary, by this name. */
  sentinels?: { name: string; nodes: readonly RedisNode[] } | undefined;
  /** Set for a Redis Cluster: some of its nodes. */
  clusterNodes?: readonly RedisNode[] | undefined;
}

/** Whether keys live on several servers, so that a command or script may name keys of one slot alone. */
export function isCluster(redis: RedisClient): redis is Cluster {
  return redis instanceof Cluster;
}

const retryMs = (attempt: number) => Math.min(attempt * 100, 2000);

/** The number of the database that a connection uses. */
export function databaseOf(redis: RedisClient): number {
  return isCluster(redis) ? 0 : (redis.options.db ?? 0);
}

/**
 * Opens a connection for commands that a request or a job waits for: while Redis is unavailable they fail at once instead of queueing.
 * It reconnects by itself until it is closed.
 */
export function openRedis(url: string, log: Logger): Redis;
export function openRedis(store: RedisStore, log: Logger): RedisClient;
export function openRedis(store: RedisStore | string, log: Logger): RedisClient {
  const options = { enableOfflineQueue: false, maxRetriesPerRequest: 0, connectTimeout: 2000 };
  // A server that vanished without a word is given up: the next connection may find another one.
  return opened(store, { ...options, commandTimeout: 2000, socketTimeout: 5000 }, 1, log);
}

/** Opens a connection whose commands wait until Redis is available: for BullMQ workers. */
export function openWaitingRedis(url: string, log: Logger): Redis;
export function openWaitingRedis(store: RedisStore, log: Logger): RedisClient;
export function openWaitingRedis(store: RedisStore | string, log: Logger): RedisClient {
  return opened(store, { maxRetriesPerRequest: null }, 2, log);
}

/**
 * Opens a connection for publish/subscribe. With a cluster it is one to a single node, since each node has what is published on any
 * (https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/); when that one fails, to the next.
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

/** @param onReplica what becomes of a command that a replica refused: 1, it fails; 2, it is sent again on the next connection */
function opened(store: RedisStore | string, fixed: Fixed, onReplica: 1 | 2, log: Logger): RedisClient {
  if (typeof store === 'string') return opened({ url: store }, fixed, onReplica, log);
  const { url, sentinels, clusterNodes } = store;
  const options = {
    ...fixed,
    // After a failover the address may lead to another server: an open connection would stay with the one that is a replica now.
    reconnectOnError: (error: Error) => (/^(READONLY|UNBLOCKED)\b/.test(error.message) ? onReplica : false),
  } satisfies RedisOptions;
  if (clusterNodes !== undefined) {
    const cluster = new Cluster([...clusterNodes], {
      redisOptions: { ...credentialsOf(url), ...options },
      enableOfflineQueue: fixed.enableOfflineQueue ?? true,
      // The check reconnects where the cluster is down, and leaves `connect()` pending for ever: BullMQ, which awaits it, would take no job
      // again. Without it commands fail, or are repeated, as at any other moment.
      enableReadyCheck: false,
      clusterRetryStrategy: retryMs,
      slotsRefreshTimeout: 2000,
      // A node that took over is known after this even where nothing was asked of the one before.
      slotsRefreshInterval: 5000,
      // Names in certificates are those of the addresses that the nodes announce.
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
        // Reconnects as soon as a sentinel says that there is another primary.
        failoverDetector: true,
        retryStrategy: retryMs,
        ...options,
      }),
      log,
    );
  }
  return logged(new Redis(url, { retryStrategy: retryMs, ...options }), log);
}

/** What an address says beside where the server is. */
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
 * Redis' eviction policy. Any but `noeviction` loses jobs once the memory is full, and with them nothing says so (docs of BullMQ, "Going to
 * production"). INFO says it also where CONFIG is forbidden, as by many providers.
 */
export async function evictionPolicy(redis: RedisClient): Promise<string> {
  const info = await redis.info('memory');
  return /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? 'unknown';
}

/** Warns, once connected, of an eviction policy that loses jobs. */
export function warnOfEviction(redis: RedisClient, log: Logger): void {
  const check = async () => {
    const policy = await evictionPolicy(redis).catch(() => 'unknown');
    if (policy !== 'noeviction' && policy !== 'unknown')
      log.warn(
        { policy },
        'redis evicts: set maxmemory-policy to noeviction, or jobs get lost when its memory is full',
      );
  };
  if (redis.status === 'ready') void check();
  else redis.once('ready', () => void check());
}

/** Logs once that the connection broke and once that it is back, not every attempt. */
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
