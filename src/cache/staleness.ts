import type { RedisClient } from '../platform/redis.ts';
import type { Store } from './store.ts';

/** Publishes to all processes what became stale, also across outages of Redis. */
export interface Staleness {
  /**
   * Makes every answer stale that depends on one of these tags. To be called after the transaction that changed them has committed.
   * Never rejects: a bump that Redis does not take is followed by a new epoch as soon as it can.
   * @param version distinct for each bump, such as a position in the log
   */
  bump(tags: Iterable<string>, version: number): Promise<void>;
  /**
   * Makes everything stale, now and on every reconnect to Redis from then on: a restarted Redis may hold what it knew hours ago. For the
   * process that calls {@link bump}, at its start. Never rejects.
   */
  renewEpoch(): Promise<void>;
  close(): void;
}

const retryMs = 500;

export function createStaleness(redis: RedisClient, store: Store): Staleness {
  let retry: NodeJS.Timeout | undefined;
  let onEveryConnect = false;
  let closed = false;
  /** Whether Redis has yet to take a new epoch. A bump then says nothing more, and must not take its turn. */
  let owed = false;

  async function renew(): Promise<void> {
    clearTimeout(retry);
    owed = true;
    if (closed) return;
    owed = !(await store.renewEpoch());
    if (!owed || closed) return;
    clearTimeout(retry);
    retry = setTimeout(renew, retryMs).unref();
  }
  const onReady = () => void renew();

  return {
    async bump(tags, version) {
      const list = [...new Set(tags)];
      if (list.length > 0 && (owed || !(await store.bump(list, version)))) await renew();
    },
    async renewEpoch() {
      if (!onEveryConnect) redis.on('ready', onReady);
      onEveryConnect = true;
      await renew();
    },
    close() {
      closed = true;
      clearTimeout(retry);
      redis.off('ready', onReady);
    },
  };
}
