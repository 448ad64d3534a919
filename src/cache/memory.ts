import { LRUCache } from 'lru-cache';

/**
 * All values that a process keeps because they are expensive to make, with one limit of bytes. It drops the least recently used value
 * first, of any kind. It does not keep a value larger than a quarter of the limit.
 */
export class Memory {
  // biome-ignore lint/suspicious/noExplicitAny: each shelf knows the type of its values.
  readonly #values: LRUCache<string, any>;

  constructor(maxBytes: number) {
    const maxSize = Math.floor(maxBytes);
    this.#values = new LRUCache({ maxSize, maxEntrySize: Math.floor(maxSize / 4) });
  }

  isEmpty(): boolean {
    return this.#values.size === 0;
  }

  /**
   * Returns a view of the memory for one kind of value, with keys of its own. It has no room of its own.
   * @param name a character, different for each kind
   * @param sizeOf the bytes that a value takes
   */
  shelf<Value extends NonNullable<unknown>>(
    name: string,
    sizeOf: (value: Value, key: string) => number,
  ): Shelf<Value> {
    const values: LRUCache<string, Value> = this.#values;
    return {
      get: (key) => values.get(name + key),
      peek: (key) => values.peek(name + key),
      has: (key) => values.has(name + key),
      set(key, value, ttl = 0) {
        values.set(name + key, value, { size: sizeOf(value, key), ttl });
      },
    };
  }
}

export interface Shelf<Value> {
  /** The value under a key, which counts as used. */
  get(key: string): Value | undefined;
  /** The value under a key, which does not count as used. */
  peek(key: string): Value | undefined;
  /** Reports whether there is a value. It does not count as used. */
  has(key: string): boolean;
  /**
   * Keeps a value. A value that has grown is charged its new size only if it is another object than before.
   * @param ttl milliseconds for which it is kept; default: no limit
   */
  set(key: string, value: Value, ttl?: number): void;
}
