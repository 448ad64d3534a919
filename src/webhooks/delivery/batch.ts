interface Waiting<Item, Outcome> {
  item: Item;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

export interface BatchOptions {
  /** How long a batch waits for more items, in milliseconds: a statement for many costs little more than one for a single item. Default 3. */
  lingerMs?: number;
  /** How many items may come at most: a batch that has them waits no longer. Default: any number. */
  expected?(): number;
}

/**
 * Collects items that come at about the same time, so that they share one statement. One batch runs at a time; what comes meanwhile is
 * in the next one.
 * @param max items in one batch
 * @param run gives an outcome for each item, in their order; what it throws rejects all of them
 */
export function batch<Item, Outcome>(
  max: number,
  run: (items: readonly Item[]) => Promise<readonly Outcome[]>,
  { lingerMs = 3, expected = () => Number.POSITIVE_INFINITY }: BatchOptions = {},
): (item: Item) => Promise<Outcome> {
  const waiting: Waiting<Item, Outcome>[] = [];
  let busy = false;
  let endLinger = () => {};

  const complete = () => waiting.length >= Math.min(max, expected());

  async function work(): Promise<void> {
    busy = true;
    while (waiting.length > 0) {
      if (!complete()) await linger();
      await settle(waiting.splice(0, max));
    }
    busy = false;
  }

  function linger(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, lingerMs);
      endLinger = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function settle(taken: readonly Waiting<Item, Outcome>[]): Promise<void> {
    try {
      const outcomes = await run(taken.map(({ item }) => item));
      for (const [index, { resolve }] of taken.entries()) resolve(outcomes[index]!);
    } catch (error) {
      for (const { reject } of taken) reject(error);
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!busy) void work();
      else if (complete()) endLinger();
    });
}
