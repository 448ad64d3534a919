import { setTimeout as sleep } from 'node:timers/promises';

/** How long the first one waits for others, in milliseconds: a statement for many costs little more than one for a single one. */
const gatherMs = 3;

interface Waiting<Item, Outcome> {
  item: Item;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/**
 * Lets those who ask at about the same time share one statement: whoever comes while one is under way waits for the next.
 * @param most items in one statement
 * @param store does it for all of them, and tells what came of each, in their order; when it throws, all are told so
 */
export function gather<Item, Outcome>(
  most: number,
  store: (items: readonly Item[]) => Promise<readonly Outcome[]>,
): (item: Item) => Promise<Outcome> {
  const waiting: Waiting<Item, Outcome>[] = [];
  let busy = false;

  async function work(): Promise<void> {
    busy = true;
    while (waiting.length > 0) {
      if (waiting.length < most) await sleep(gatherMs);
      await settle(waiting.splice(0, most));
    }
    busy = false;
  }

  async function settle(group: readonly Waiting<Item, Outcome>[]): Promise<void> {
    try {
      const outcomes = await store(group.map(({ item }) => item));
      for (const [index, { resolve }] of group.entries()) resolve(outcomes[index]!);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!busy) void work();
    });
}
