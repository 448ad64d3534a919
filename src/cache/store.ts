import { randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import { createBreaker } from '../platform/breaker.ts';
import type { Logger } from '../platform/logger.ts';
import { changesChannel } from './changes.ts';
import { decode, encode, type Rendered } from './rendered.ts';

/** What one look into Redis tells about an answer. */
export interface Found extends Pick<Rendered, 'versions' | 'epoch'> {
  rendered: Rendered | undefined;
}

/** Rendered answers and the versions of their tags in Redis. Nothing here throws when Redis is away. */
export interface Store {
  /**
   * The stored answer, with the present versions of tags and the epoch.
   * @returns undefined while Redis is away
   */
  read(key: string, tags: readonly string[]): Promise<Found | undefined>;
  /** @param always also where the room for answers that were merely asked for is used up */
  write(rendered: Rendered, always: boolean): Promise<void>;
  /** Makes everything stale that was rendered with one of these tags. @returns whether Redis took it */
  bump(tags: readonly string[], version: number): Promise<boolean>;
  /** Makes everything stale. @returns whether Redis took it */
  renewEpoch(): Promise<boolean>;
}

const hourMs = 3_600_000;
/** An answer that is not rendered again is forgotten; the versions of tags are kept for longer than any answer that knows them. */
const entryMs = 3 * hourMs;
const versionMs = 4 * hourMs;
const epochKey = 'boards:epoch';
/** Where an answer is stored. */
export const entryKey = (key: string) => `boards:entry:${key}`;
const versionKey = (tag: string) => `boards:version:${tag}`;

/** Beyond so many tags the message only says that much changed. */
const mostTold = 500;

/**
 * Stores an answer, unless it is a new one and those of these hours have used up their room: readers choose parameters, and must not
 * be able to fill Redis with them.
 */
const writeScript = `
  local before = redis.call('STRLEN', KEYS[1])
  local grown = #ARGV[1] - before
  local total = tonumber(redis.call('GET', KEYS[2]) or '0') + grown
  if before == 0 and total > tonumber(ARGV[3]) then return 0 end
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  redis.call('SET', KEYS[2], total, 'PX', ARGV[2])
  return 1`;

/** @param room bytes in Redis for answers that were merely asked for, per life of an answer */
export function createStore(redis: Redis, log: Logger, room: number): Store {
  const breaker = createBreaker({
    timeoutMs: 500,
    openMs: 1000,
    onFailure: (error) => log.debug({ err: (error as Error).message }, 'boards go without Redis'),
  });

  async function look(key: string, tags: readonly string[]): Promise<Found> {
    const [epoch, block, ...versions] = await redis.mgetBuffer(
      epochKey,
      entryKey(key),
      ...tags.map(versionKey),
    );
    if (epoch === null || epoch === undefined) {
      await redis.set(epochKey, freshName(), 'NX');
      return look(key, tags);
    }
    return {
      rendered: block === null || block === undefined ? undefined : decode(block),
      epoch: epoch.toString(),
      versions: versions.map((version) => version?.toString() ?? null),
    };
  }

  return {
    read: (key, tags) => breaker.attempt(() => look(key, tags)),

    async write(rendered, always) {
      await breaker.attempt(() => {
        // Room is counted by spans as long as an answer's life: never more than two of them are alive.
        const span = `boards:bytes:${always ? 'ahead' : Math.floor(Date.now() / entryMs)}`;
        const limit = always ? Number.MAX_SAFE_INTEGER : room;
        return redis.eval(writeScript, 2, entryKey(rendered.key), span, encode(rendered), entryMs, limit);
      });
    },

    bump: (tags, version) =>
      taken(async () => {
        // Distinct even for the same version: a start may move without a new entry in the log.
        const value = `${version}-${freshName()}`;
        for (let from = 0; from < tags.length; from += 1000) {
          const pipeline = redis.pipeline();
          for (const tag of tags.slice(from, from + 1000))
            pipeline.set(versionKey(tag), value, 'PX', versionMs);
          throwFirst(await pipeline.exec());
        }
        await redis.publish(changesChannel(redis), tags.length > mostTold ? '*' : JSON.stringify(tags));
      }),

    renewEpoch: () =>
      taken(async () => {
        await redis.set(epochKey, freshName());
        await redis.publish(changesChannel(redis), '*');
      }),
  };

  async function taken(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      log.debug({ err: (error as Error).message }, 'staleness could not be told to Redis');
      return false;
    }
  }
}

function freshName(): string {
  return randomBytes(9).toString('base64url');
}

function throwFirst(results: [error: Error | null, result: unknown][] | null): void {
  for (const [error] of results ?? []) if (error !== null) throw error;
}
