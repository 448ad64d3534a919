import { randomUUID } from 'node:crypto';
import type { Logger } from '../platform/logger.ts';
import { databaseOf, type RedisClient } from '../platform/redis.ts';
import { withActiveTimeout } from '../platform/timeout.ts';

/**
 * Changed tags, from a Redis channel. To keep a value that depends on tags, note the position *before* reading it; later check whether a
 * tag has changed since. While the channel is down, `changedSince` is always true.
 */
export type Changes = ReturnType<typeof subscribeToChanges>;

/** Returns the channel for changed tags. A message is a JSON array of tags, or `*` for all. */
export function changesChannel(redis: RedisClient): string {
  // Unlike keys, channels are shared by all databases of a Redis.
  return `boards:changes:${databaseOf(redis)}`;
}

/** Limit on tracked tags. Beyond it, all tags count as changed. */
const maxTags = 50_000;
const heartbeatMs = 1000;
/** Timeout of a heartbeat, in ms, not counting time in which this process was blocked. */
const answerMs = 400;
/** Missed heartbeats in a row before the connection is reopened: the server may have vanished without closing it. */
const maxMissed = 5;

/**
 * @param subscriber a dedicated connection that waits for Redis
 * @param through publishes heartbeats, to test that messages of others arrive here. On a connection to a former primary, or to a node that
 * left its cluster, they do not. Default: the subscriber only pings its server
 */
export function subscribeToChanges(subscriber: RedisClient, log: Logger, through?: RedisClient) {
  const channel = changesChannel(subscriber);
  const ownChannel = `${channel}:${randomUUID()}`;
  let arrived = () => {};
  let writable = true;
  const changedAt = new Map<string, number>();
  let received = 0;
  // Everything counts as changed at this position.
  let floor = 0;
  let subscribed = false;
  let up = false;
  const listeners: (() => void)[] = [];
  const notify = () => {
    for (const listener of listeners) listener();
  };

  function everythingChanged(): void {
    changedAt.clear();
    received += 1;
    floor = received;
  }

  function changed(tags: readonly string[]): void {
    if (changedAt.size + tags.length > maxTags) everythingChanged();
    received += 1;
    for (const tag of tags) changedAt.set(tag, received);
  }

  function setUp(next: boolean): void {
    if (next === up) return;
    everythingChanged();
    up = next;
    log.debug({ up }, 'channel of changed tags');
    notify();
  }

  const setSubscribed = (next: boolean) => {
    subscribed = next;
    setUp(next);
  };
  const onReady = () =>
    void subscriber.subscribe(channel, ...(through === undefined ? [] : [ownChannel])).then(
      () => setSubscribed(subscriber.status === 'ready'),
      () => setSubscribed(false),
    );
  const onClose = () => setSubscribed(false);
  const onMessage = (from: string, message: string) => {
    if (from === ownChannel) return arrived();
    if (from !== channel) return;
    const tags = tagsIn(message);
    if (tags === undefined) everythingChanged();
    else changed(tags);
    notify();
  };
  subscriber.on('ready', onReady).on('close', onClose).on('message', onMessage);
  if (subscriber.status === 'ready') onReady();

  async function beat(): Promise<void> {
    if (through === undefined) return void (await subscriber.ping());
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    // Even a full Redis accepts the deletion of a key that does not exist.
    writable = await through.del(`${ownChannel}:none`).then(
      () => true,
      (error: Error) => error.name !== 'ReplyError',
    );
    await through.publish(ownChannel, '');
    await arrival;
    if (!writable) throw new Error('redis refuses writes');
  }

  // A connection can be dead without being closed.
  let missed = 0;
  const heartbeat = setInterval(async () => {
    if (subscriber.status !== 'ready') return;
    const answered = await withActiveTimeout(
      beat().then(
        () => true,
        () => false,
      ),
      answerMs,
      () => false,
    );
    missed = answered ? 0 : missed + 1;
    setUp(answered && subscribed);
    if (missed < maxMissed || subscriber.status !== 'ready') return;
    missed = 0;
    subscriber.disconnect(true);
  }, heartbeatMs).unref();

  return {
    /** -1 while the channel is down. */
    position: () => (up ? received : -1),
    changedSince(position: number, tags: readonly string[]): boolean {
      if (!up || position < floor) return true;
      return tags.some((tag) => (changedAt.get(tag) ?? 0) > position);
    },
    /** False while Redis refuses writes, as a replica does. Its versions of tags may then be old. */
    writable: () => writable,
    /** Only in this process. */
    change: changed,
    /** Registers a listener that is called after each message, and when messages may have been missed. */
    onChange: (listener: () => void): void => void listeners.push(listener),
    close(): void {
      clearInterval(heartbeat);
      setSubscribed(false);
      subscriber.off('ready', onReady).off('close', onClose).off('message', onMessage);
      // Not awaited: a dead connection would never answer.
      if (subscriber.status === 'ready') subscriber.unsubscribe(channel, ownChannel).catch(() => {});
    },
  };
}

/** Parses the tags of a message; undefined if it means all tags. */
function tagsIn(message: string): string[] | undefined {
  if (message === '*') return undefined;
  try {
    return JSON.parse(message);
  } catch {
    return undefined;
  }
}
