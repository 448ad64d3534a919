import type { Redis } from 'ioredis';
import { headBytes, headOf } from './rendered.ts';
import { entryKey } from './store.ts';

/**
 * When stored answers were computed, in epoch milliseconds; undefined for one that is not stored. Reads their heads only.
 * @throws when Redis is away
 */
export async function renderedAt(redis: Redis, keys: readonly string[]): Promise<(number | undefined)[]> {
  const heads = await Promise.all(keys.map((key) => redis.getrangeBuffer(entryKey(key), 0, headBytes - 1)));
  return heads.map((head) => headOf(head)?.facts.generatedAt);
}
