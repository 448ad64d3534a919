import type { RedisClient } from '../platform/redis.ts';
import type { Store } from './store.ts';

/** Tells all processes which answers became stale, even across outages of Redis. */
export interface Staleness {
  /**
   * Makes every answer stale that depends on any of these tags. Call it after the transaction that changed them has committed. Never
   * rejects: if Redis does not accept a bump, a new epoch follows once it does.
   * @param version distinct for each bump, such as a position in the log
   */
  bump(tags: Iterable<string>, version: number): Promise<void>;
  /**
   * Makes all answers stale, now and after every reconnection to Redis, because a restarted Redis may have old data. The process that calls
   * {@link bump} calls it at its start. Never rejects.
   */
  renewEpoch(): Promise<void>;
  close(): void;
}

const retryMs = 500;

export function createStaleness(redis: RedisClient, store: Store): Staleness {
  let retry: NodeJS.Timeout | undefined;
  let onEveryConnect = false;
  let closed = false;
  /** Whether Redis has yet to accept a new epoch. Bumps are skipped until then, because the epoch covers them. */
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
