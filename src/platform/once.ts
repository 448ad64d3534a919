/** Calls with the same key share the execution that is already running. A call after it finished starts the work again. */
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

/** Returns a function that computes a value on first use and keeps it. Errors are thrown and not kept. */
export function lazy<T>(compute: () => T): () => T {
  let computed: { value: T } | undefined;
  return () => {
    computed ??= { value: compute() };
    return computed.value;
  };
}
