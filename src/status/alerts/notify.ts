import type { Incident } from '../incidents.ts';
import type { Chat } from './chat.ts';
import { linesOf } from './message.ts';
import { afterTelling, news } from './news.ts';

/** What a notification starts from, and what it leads to. */
export interface Notified {
  incidents: readonly Incident[];
  chat: { failures: number; notBefore: number };
}

const firstRetryMs = 15_000;
const maxRetryMs = 900_000;

/**
 * Sends the chat everything that is new in one message. A message that is not accepted is tried again with an exponential backoff from
 * 15 seconds to 15 minutes, and not before the chat's own wait is over.
 * @param chat undefined where none is set: then everything counts as sent
 * @param now epoch milliseconds
 * @param baseUrl as {@link linesOf} takes it
 * @returns undefined where there was nothing to do
 */
export async function notify(
  before: Notified,
  chat: Chat | undefined,
  heading: string,
  now: number,
  baseUrl?: string,
): Promise<Notified | undefined> {
  const list = news(before.incidents, now);
  if (list.length === 0) return undefined;
  if (chat === undefined) return { incidents: afterTelling(before.incidents, list, now), chat: before.chat };
  if (now < before.chat.notBefore) return undefined;
  const { accepted, waitMs } = await chat.send(heading, linesOf(list, now, baseUrl));
  if (accepted)
    return {
      incidents: afterTelling(before.incidents, list, now),
      chat: { failures: 0, notBefore: now + waitMs },
    };
  const failures = before.chat.failures + 1;
  const backoff = Math.min(firstRetryMs * 2 ** Math.min(failures - 1, 10), maxRetryMs);
  return { incidents: before.incidents, chat: { failures, notBefore: now + Math.max(waitMs, backoff) } };
}
