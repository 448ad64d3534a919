import { LRUCache } from 'lru-cache';
import type { Clock } from '../platform/clock.ts';
import type { Changes } from './changes.ts';
import { type CachedResponse, isInTime, sizeOf } from './rendered.ts';

export type Memory = ReturnType<typeof createMemory>;

export interface AsOf {
  /** Position in {@link Changes}; -1 without a channel. */
  position: number;
  /** Time of `performance.now()`, in ms. */
  at: number;
}

interface Entry {
  response: CachedResponse;
  asOf: AsOf;
  /** Time until which it is fresh even if its tags change, on the clock of `performance.now()`. */
  freshUntil: number;
  /** Stale from then on, on the clock of `performance.now()`. */
  staleFrom: number;
}

/** Keeps no value larger than a quarter of the limit. @param changes default: only answers with `freshMs` are kept */
export function createMemory(clock: Clock, changes: Changes | undefined, maxBytes: number) {
  const maxSize = Math.floor(maxBytes);
  // biome-ignore lint/suspicious/noExplicitAny: each shelf knows the type of its values.
  const values = new LRUCache<string, any>({ maxSize, maxEntrySize: Math.floor(maxSize / 4) });

  /** For one kind of value, with its own keys but no memory of its own. @param name a character, different for each kind */
  function shelf<Value extends NonNullable<unknown>>(
    name: string,
    sizeOf: (value: Value, key: string) => number,
  ) {
    const own: LRUCache<string, Value> = values;
    return {
      get: (key: string) => own.get(name + key),
      /** Does not mark the value as used. */
      peek: (key: string) => own.peek(name + key),
      /** Does not mark the value as used. */
      has: (key: string) => own.has(name + key),
      /** A value that has grown is charged its new size only if it is a different object. @param ttl in ms; default: no limit */
      set(key: string, value: Value, ttl = 0): void {
        own.set(name + key, value, { size: sizeOf(value, key), ttl });
      },
    };
  }
  const entries = shelf<Entry>('a', ({ response }) => sizeOf(response));

  return {
    shelf,
    isEmpty: () => values.size === 0,
    /** Returns the current moment. Call it before reading an answer's data. */
    now: (): AsOf => ({ position: changes?.position() ?? -1, at: performance.now() }),
    /** Returns an answer that is certainly fresh: the channel is up, reported no change of its tags, and the answer has not expired. */
    fresh(key: string): CachedResponse | undefined {
      const entry = entries.get(key);
      if (entry === undefined || !isInTime(entry.response, clock.now())) return undefined;
      const { response, asOf, freshUntil, staleFrom } = entry;
      const isChanged = changes === undefined || changes.changedSince(asOf.position, response.tags);
      return performance.now() < (isChanged ? freshUntil : staleFrom) ? response : undefined;
    },
    /** Returns an answer that may be stale, for lack of a better one. */
    any: (key: string) => entries.get(key)?.response,
    /** Reports whether an answer is kept, fresh or not, without marking it as used. */
    has: entries.has,
    /**
     * @param asOf when its data was read
     * @param freshMs time after `asOf` for which it counts as fresh even if its tags change, in ms
     * @param maxAgeMs time after `asOf` until it is stale even if its tags do not change, in ms. Default: its own expiry
     */
    put(response: CachedResponse, asOf: AsOf, freshMs = 0, maxAgeMs = Number.POSITIVE_INFINITY): void {
      if (changes === undefined && freshMs === 0) return;
      const entry = { response, asOf, freshUntil: asOf.at + freshMs, staleFrom: asOf.at + maxAgeMs };
      entries.set(response.key, entry);
    },
    /** Lets a kept answer count as fresh until it is `ms` old, for example while the next one is rendered. */
    extend(key: string, ms: number): void {
      const entry = entries.peek(key);
      if (entry !== undefined) entry.freshUntil = Math.max(entry.freshUntil, entry.asOf.at + ms);
    },
    /** Charges an answer its size again, after it was encoded in another coding. */
    recount(key: string): void {
      const entry = entries.peek(key);
      if (entry !== undefined) entries.set(key, { ...entry });
    },
  };
}
