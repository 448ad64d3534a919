/*
 * An optimization. Concurrent calls share a transaction or a statement, because round trips cost more than the work in it.
 *
 * - Posting: eight clients that post single picks store 2.1 times as many per second; arrays of 100 store 1.5 times as many
 *   (two busy cores; `npm run bench -- posting`). Plain alternative: `maxItems: 1, extra: 7`.
 * - Webhooks: workers and PostgreSQL spend 0.7 ms of CPU on a delivery, and 7.6 ms without batches
 *   (`npm run bench -- fanout`). Plain alternative: `maxItems: 1`.
 */

export interface BatcherOptions<Item> {
  maxItems: number;
  /** Size of an item; default 1. An item larger than a batch forms its own batch. */
  sizeOf?(item: Item): number;
  /** Additional concurrent batches, started only when more items wait than one batch holds; default 0. */
  extra?: number;
}

/**
 * Merges concurrent calls into batches. Items that arrive during a batch form the next one; no batch waits to fill up.
 * @param work returns the outcome of each item, in order; if it throws, all of them are rejected
 * @returns a function that adds an item and resolves with its outcome
 */
export function createBatcher<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly PromiseSettledResult<Result>[]>,
  { maxItems, sizeOf = () => 1, extra = 0 }: BatcherOptions<Item>,
): (item: Item) => Promise<Result> {
  const waiting: { item: Item; resolve(result: Result): void; reject(error: unknown): void }[] = [];
  let running = 0;

  async function run(): Promise<void> {
    running += 1;
    // Lets items added in this turn of the event loop join.
    await Promise.resolve();
    const batch = waiting.splice(0, countThatFits());
    try {
      const outcomes = await work(batch.map(({ item }) => item));
      batch.forEach(({ resolve, reject }, index) => {
        const outcome = outcomes[index]!;
        if (outcome.status === 'fulfilled') resolve(outcome.value);
        else reject(outcome.reason);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    running -= 1;
    start();
  }

  function countThatFits(): number {
    let size = 0;
    const beyond = waiting.findIndex(({ item }) => {
      size += sizeOf(item);
      return size > maxItems;
    });
    return beyond === -1 ? waiting.length : Math.max(1, beyond);
  }

  function start(): void {
    if (waiting.length === 0) return;
    if (running === 0 || (running <= extra && countThatFits() < waiting.length)) void run();
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      start();
    });
}
