import type { Redis } from 'ioredis';
import type { Logger } from '../platform/logger.ts';

/**
 * What this process has heard to have changed. Whoever keeps something that rests on tags takes a mark *before* reading it, and asks
 * later whether any of the tags changed since. While the channel is down the answer is always yes.
 */
export interface Changes {
  mark(): number;
  since(mark: number, tags: readonly string[]): boolean;
  /** Stops listening; the connection stays open. */
  close(): void;
}

/** The channel on which changed tags are told, as a JSON array of texts, or `*` for all there are. */
export function changesChannel(redis: Redis): string {
  // Channels, unlike keys, are shared by all databases of a Redis.
  return `boards:changes:${redis.options.db ?? 0}`;
}

/** Tags that are remembered one by one; beyond that all count as changed once. */
const mostTags = 50_000;
const heartbeatMs = 1000;

/**
 * Listens to the channel.
 * @param subscriber a connection of its own, which waits for Redis
 */
export function hearChanges(subscriber: Redis, log: Logger): Changes {
  const channel = changesChannel(subscriber);
  const heardAt = new Map<string, number>();
  let count = 0;
  // What was marked before this is not to be trusted.
  let floor = 0;
  let subscribed = false;
  let up = false;

  function everythingChanged(): void {
    heardAt.clear();
    count += 1;
    floor = count;
  }

  function hear(tags: readonly string[]): void {
    if (heardAt.size + tags.length > mostTags) everythingChanged();
    count += 1;
    for (const tag of tags) heardAt.set(tag, count);
  }

  function setUp(next: boolean): void {
    if (next === up) return;
    everythingChanged();
    up = next;
    log.debug({ up }, 'channel of changes');
  }

  const setSubscribed = (next: boolean) => {
    subscribed = next;
    setUp(next);
  };
  const onReady = () =>
    void subscriber.subscribe(channel).then(
      () => setSubscribed(subscriber.status === 'ready'),
      () => setSubscribed(false),
    );
  const onClose = () => setSubscribed(false);
  const onMessage = (from: string, message: string) => {
    if (from !== channel) return;
    const tags = tagsIn(message);
    if (tags === undefined) everythingChanged();
    else hear(tags);
  };
  subscriber.on('ready', onReady).on('close', onClose).on('message', onMessage);
  if (subscriber.status === 'ready') onReady();

  // A connection can be dead without having been closed.
  const heartbeat = setInterval(async () => {
    if (subscriber.status !== 'ready') return;
    const answered = await Promise.race([
      subscriber.ping().then(
        () => true,
        () => false,
      ),
      new Promise<boolean>((resolve) => setTimeout(resolve, heartbeatMs, false).unref()),
    ]);
    setUp(answered && subscribed);
  }, heartbeatMs).unref();

  return {
    mark: () => (up ? count : -1),
    since(mark, tags) {
      if (!up || mark < floor) return true;
      return tags.some((tag) => (heardAt.get(tag) ?? 0) > mark);
    },
    close() {
      clearInterval(heartbeat);
      setSubscribed(false);
      subscriber.off('ready', onReady).off('close', onClose).off('message', onMessage);
      // Not waited for: a dead connection would never answer.
      if (subscriber.status === 'ready') subscriber.unsubscribe(channel).catch(() => {});
    },
  };
}

/** The tags that a message names; undefined where it names none in particular. */
function tagsIn(message: string): string[] | undefined {
  if (message === '*') return undefined;
  try {
    return JSON.parse(message);
  } catch {
    return undefined;
  }
}
