/**
 * Merges concurrent calls: work that is asked for again under the same key while it runs is done once, for all callers. A call after
 * it has finished does the work again.
 */
export function singleFlight<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const inFlight = new Map<string, Promise<T>>();
  return (key, work) => {
    const shared = inFlight.get(key);
    if (shared !== undefined) return shared;
    const started = work().finally(() => inFlight.delete(key));
    inFlight.set(key, started);
    return started;
  };
}

/** Returns a value that is computed on first use and kept. An error is thrown to the caller, and the next call tries again. */
export function lazy<T>(compute: () => T): () => T {
  let computed: { value: T } | undefined;
  return () => {
    computed ??= { value: compute() };
    return computed.value;
  };
}
