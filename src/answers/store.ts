import { createHash, randomBytes } from 'node:crypto';
import { createBreaker } from '../platform/breaker.ts';
import type { Logger } from '../platform/logger.ts';
import { isCluster, type RedisClient } from '../platform/redis.ts';
import { changesChannel } from './changes.ts';
import { decode, encode, headBytes, headOf, type Rendered } from './rendered.ts';

export type Versions = Pick<Rendered, 'versions' | 'epoch'>;

export interface Stored extends Versions {
  /** Undefined if Redis has none. */
  rendered: Rendered | undefined;
}

/** Rendered answers and versions of tags in Redis. Nothing here throws while Redis is unavailable. */
export type Store = ReturnType<typeof createStore>;

const hourMs = 3_600_000;
/** Expiry of answers refreshed ahead, of other answers, and of tag versions, which must outlive every answer that refers to them. */
const aheadMs = 3 * hourMs;
const requestedMs = hourMs / 4;
const versionMs = 4 * hourMs;

const retryMs = 500;
const epochKey = 'boards:epoch';
const versionKey = (tag: string) => `boards:version:${tag}`;

const textOf = (value: Buffer | null | undefined) => value?.toString() ?? null;

/** Number of groups of answers in a cluster. A group is in one slot together with its byte counters. */
const groups = 16;

function groupOf(redis: RedisClient, key: string): string {
  if (!isCluster(redis)) return 'boards';
  const [byte = 0] = createHash('sha256').update(key).digest();
  return `{boards${byte % groups}}`;
}

const entryKey = (redis: RedisClient, key: string) => `${groupOf(redis, key)}:entry:${key}`;

/** A bump of more tags than this is published as a change of everything. */
const maxPublishedTags = 500;

/**
 * Stores an answer that readers requested, unless such answers would then exceed a limit: readers choose parameters, and must not fill Redis
 * with them. Replacing one is charged for the difference. KEYS: the answer, the bytes. ARGV: the answer, the expiry in ms, the limit in bytes.
 */
const writeScript = `
  local before = redis.call('STRLEN', KEYS[1])
  local bytes = tonumber(redis.call('GET', KEYS[2]) or '0') + #ARGV[1] - before
  if before == 0 and bytes > tonumber(ARGV[3]) then return end
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  redis.call('SET', KEYS[2], bytes, 'PX', ARGV[2])`;

/** Gives tags a version. KEYS: of the tags. ARGV: the version, its expiry in ms. */
const bumpScript = `for _, key in ipairs(KEYS) do redis.call('SET', key, ARGV[1], 'PX', ARGV[2]) end`;

const tagsAtOnce = 500;

/** @param maxBytes limit for answers that readers requested, per {@link requestedMs} */
export function createStore(redis: RedisClient, log: Logger, maxBytes: number) {
  let retry: NodeJS.Timeout | undefined;
  let onEveryConnect = false;
  let closed = false;
  /** Whether Redis has yet to accept a new epoch. Bumps are skipped until then, because the epoch covers them. */
  let owed = false;
  const breaker = createBreaker({
    timeoutMs: 500,
    openMs: 1000,
    onFailure: (error) => log.debug({ err: (error as Error).message }, 'redis skipped'),
  });
  // A separate breaker, so that a failed read skips no change. Callers continue to read the log meanwhile.
  const publishing = createBreaker({
    timeoutMs: 500,
    openMs: 500,
    onFailure: (error) => log.debug({ err: (error as Error).message }, 'staleness not published'),
  });

  /** Reads keys. In a cluster they are not read at one instant, so an answer may count as stale, but never as fresh. */
  function get(keys: readonly string[]): Promise<(Buffer | null)[]> {
    return isCluster(redis)
      ? Promise.all(keys.map((key) => redis.getBuffer(key)))
      : redis.mgetBuffer(...keys);
  }

  async function find(key: string, tags: readonly string[]): Promise<Stored> {
    const [epoch, block, ...versions] = await get([epochKey, entryKey(redis, key), ...tags.map(versionKey)]);
    if (epoch === null || epoch === undefined) {
      await redis.set(epochKey, randomName(), 'NX');
      return find(key, tags);
    }
    return {
      rendered: block === null || block === undefined ? undefined : decode(block),
      epoch: epoch.toString(),
      versions: versions.map(textOf),
    };
  }

  async function publish(tags: readonly string[], version: number): Promise<boolean> {
    try {
      // Random, because a game's start may change without a new log entry.
      const value = `${version}-${randomName()}`;
      for (let from = 0; from < tags.length; from += tagsAtOnce) {
        const keys = tags.slice(from, from + tagsAtOnce).map(versionKey);
        await (isCluster(redis)
          ? Promise.all(keys.map((key) => redis.set(key, value, 'PX', versionMs)))
          : redis.eval(bumpScript, keys.length, ...keys, value, versionMs));
      }
      await redis.publish(changesChannel(redis), tags.length > maxPublishedTags ? '*' : JSON.stringify(tags));
      return true;
    } catch (error) {
      // Redis answered, so the breaker stays closed for the new epoch that follows.
      if ((error as Error).name === 'ReplyError') return false;
      throw error;
    }
  }

  async function renew(): Promise<void> {
    clearTimeout(retry);
    owed = true;
    if (closed) return;
    const renewed = await publishing.attempt(async () => {
      // A full Redis refuses a key but deletes one. The next reader then starts an epoch.
      await redis.set(epochKey, randomName()).catch(() => redis.del(epochKey));
      await redis.publish(changesChannel(redis), '*');
      return true;
    });
    owed = renewed !== true;
    if (!owed || closed) return;
    clearTimeout(retry);
    retry = setTimeout(renew, retryMs).unref();
  }
  const onReady = () => void renew();

  return {
    /** @returns undefined while Redis is unavailable */
    read: (key: string, tags: readonly string[]) => breaker.attempt(() => find(key, tags)),

    /** @param ahead whether the answer is refreshed ahead; such answers do not count toward the limit */
    async write(rendered: Rendered, ahead: boolean): Promise<void> {
      await breaker.attempt(async () => {
        const entry = entryKey(redis, rendered.key);
        if (ahead) return redis.set(entry, encode(rendered), 'PX', aheadMs);
        // Bytes are counted per span as long as an answer's expiry, so at most two spans are alive at once.
        const bytes = `${groupOf(redis, rendered.key)}:bytes:${Math.floor(Date.now() / requestedMs)}`;
        const most = isCluster(redis) ? maxBytes / groups : maxBytes;
        return redis.eval(writeScript, 2, entry, bytes, encode(rendered), requestedMs, most);
      });
    },

    /**
     * Makes every answer stale that depends on any of these tags, in all processes. Call it after the transaction that changed them has
     * committed. If Redis does not accept a bump, a new epoch follows once it does.
     * @param version distinct for each bump, such as a position in the log
     */
    async bump(tags: Iterable<string>, version: number): Promise<void> {
      const list = [...new Set(tags)];
      if (list.length > 0 && (owed || (await publishing.attempt(() => publish(list, version))) !== true))
        await renew();
    },

    /**
     * Makes all answers stale, now and after every reconnection to Redis, because a restarted Redis may have old data. The process that calls
     * `bump` calls it at its start.
     */
    async renewEpoch(): Promise<void> {
      if (!onEveryConnect) redis.on('ready', onReady);
      onEveryConnect = true;
      await renew();
    },

    close(): void {
      closed = true;
      clearTimeout(retry);
      redis.off('ready', onReady);
    },
  };
}

/** When stored answers were rendered; undefined for one that is not stored. Reads only their heads. @throws while Redis is unavailable */
export async function renderedAt(
  redis: RedisClient,
  keys: readonly string[],
): Promise<(EpochMs | undefined)[]> {
  const heads = await Promise.all(
    keys.map((key) => redis.getrangeBuffer(entryKey(redis, key), 0, headBytes - 1)),
  );
  return heads.map((head) => headOf(head)?.fields.generatedAt);
}

function randomName(): string {
  return randomBytes(9).toString('base64url');
}
