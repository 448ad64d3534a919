import { LRUCache } from 'lru-cache';

/**
 * What was used last, up to a number of bytes, as a segmented LRU: an eighth of the bytes is for what was asked for once. Readers may choose
 * any number of parameters, and those do not displace what is asked for again.
 */
export class SegmentedLru<Value extends object> {
  readonly #once: LRUCache<string, Value>;
  readonly #again: LRUCache<string, Value>;

  /** @param sizeOf the bytes that a value takes */
  constructor(maxBytes: number, sizeOf: (value: Value) => number) {
    const segment = (maxSize: number) => new LRUCache<string, Value>({ maxSize, sizeCalculation: sizeOf });
    this.#once = segment(maxBytes / 8);
    this.#again = segment((maxBytes / 8) * 7);
  }

  get isEmpty(): boolean {
    return this.#again.size + this.#once.size === 0;
  }

  /** Whether there is one. It does not count as asking for it. */
  has(key: string): boolean {
    return this.#of(key).has(key);
  }

  get(key: string): Value | undefined {
    const found = this.#once.peek(key);
    if (found === undefined) return this.#again.get(key);
    this.#once.delete(key);
    this.#again.set(key, found);
    return found;
  }

  /** As {@link get}, without counting as asking for it. */
  peek(key: string): Value | undefined {
    return this.#of(key).peek(key);
  }

  /** Sets it where it is already; else it counts as asked for once. A value that was changed is counted again only as another object. */
  set(key: string, value: Value): void {
    this.#of(key).set(key, value);
  }

  #of(key: string): LRUCache<string, Value> {
    return this.#again.has(key) ? this.#again : this.#once;
  }
}
