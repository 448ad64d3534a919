import type { Incident } from '../incidents.ts';
import type { Chat } from './chat.ts';
import { linesOf } from './message.ts';
import { afterTelling, news } from './news.ts';

/** What telling starts from, and what it leads to. */
export interface Told {
  incidents: readonly Incident[];
  chat: { failures: number; notBefore: number };
}

const firstRetryMs = 15_000;
const longestRetryMs = 900_000;

/**
 * Tells the chat all that is new in one message. What it does not take is tried again later, after 15 seconds and then ever longer, up
 * to a quarter of an hour; as long as it asks to be left alone it is.
 * @param chat undefined where there is none: then everything counts as told
 * @param now epoch milliseconds
 * @returns undefined where there was nothing to do
 */
export async function tell(
  before: Told,
  chat: Chat | undefined,
  heading: string,
  now: number,
): Promise<Told | undefined> {
  const list = news(before.incidents, now);
  if (list.length === 0) return undefined;
  if (chat === undefined) return { incidents: afterTelling(before.incidents, list, now), chat: before.chat };
  if (now < before.chat.notBefore) return undefined;
  const { taken, waitMs } = await chat.tell(heading, linesOf(list, now));
  if (taken)
    return {
      incidents: afterTelling(before.incidents, list, now),
      chat: { failures: 0, notBefore: now + waitMs },
    };
  const failures = before.chat.failures + 1;
  const backoff = Math.min(firstRetryMs * 2 ** Math.min(failures - 1, 10), longestRetryMs);
  return { incidents: before.incidents, chat: { failures, notBefore: now + Math.max(waitMs, backoff) } };
}
