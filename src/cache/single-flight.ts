/**
 * Does a piece of work once for all who ask for it at the same time; whoever asks after it is done has it done anew.
 * @returns a function of what the work is known by, and the work
 */
export function singleFlight<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const underWay = new Map<string, Promise<T>>();
  return (key, work) => {
    const shared = underWay.get(key);
    if (shared !== undefined) return shared;
    const started = work().finally(() => underWay.delete(key));
    underWay.set(key, started);
    return started;
  };
}
