import type { Redis } from 'ioredis';
import type { Store } from './store.ts';

/** Tells all processes what became stale, and sees to it that it arrives, whatever happens to Redis meanwhile. */
export interface Staleness {
  bump(tags: Iterable<string>, version: number): Promise<void>;
  renewEpoch(): Promise<void>;
  close(): void;
}

const retryMs = 1000;

/**
 * A bump that Redis could not take is made up for by a new epoch as soon as it can. From the first {@link Staleness.renewEpoch} on
 * there is also a new epoch whenever the connection to Redis is made anew: a restarted Redis may have come back with what it
 * knew hours ago.
 */
export function createStaleness(redis: Redis, store: Store): Staleness {
  let retry: NodeJS.Timeout | undefined;
  let keeping = false;
  let closed = false;

  async function renew(): Promise<void> {
    clearTimeout(retry);
    if (closed || (await store.renewEpoch()) || closed) return;
    clearTimeout(retry);
    retry = setTimeout(renew, retryMs).unref();
  }
  const onReady = () => void renew();

  return {
    async bump(tags, version) {
      const list = [...new Set(tags)];
      if (list.length > 0 && !(await store.bump(list, version))) await renew();
    },
    async renewEpoch() {
      if (!keeping) redis.on('ready', onReady);
      keeping = true;
      await renew();
    },
    close() {
      closed = true;
      clearTimeout(retry);
      redis.off('ready', onReady);
    },
  };
}
