import { LRUCache } from 'lru-cache';

/**
 * Keeps values that are expensive to create, with one limit in bytes for all kinds. It drops the least recently used value first, and does
 * not keep a value larger than a quarter of the limit.
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
   * Returns a view of the memory for one kind of value, with its own keys but no memory of its own.
   * @param name a character, different for each kind
   * @param sizeOf returns the size of a value, in bytes
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
  get(key: string): Value | undefined;
  /** Returns the value under a key, without marking it as used. */
  peek(key: string): Value | undefined;
  /** Reports whether a value exists, without marking it as used. */
  has(key: string): boolean;
  /**
   * Keeps a value. A value that has grown is charged its new size only if it is a different object.
   * @param ttl how long it is kept, in ms; default: no limit
   */
  set(key: string, value: Value, ttl?: number): void;
}
