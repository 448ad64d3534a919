import { LRUCache } from 'lru-cache';
import { Coded } from '../../cache/representation.ts';
import type { Availability } from '../../platform/availability.ts';
import { clientKey, type FairQueue } from '../../platform/fair-queue.ts';
import { singleFlight } from '../../platform/single-flight.ts';
import type { Build } from './build.ts';
import type { Builds } from './builds.ts';

/** A built answer, in the codings that were asked for. */
export interface BuiltAnswer {
  etag: string;
  body: Coded;
}

export interface KeptBuildsOptions {
  availability: Availability;
  /** What is built waits its turn here. */
  queue: FairQueue;
  builds: Builds;
  maxBytes: number;
}

/** How a built answer is kept. */
export interface Keeping {
  /** Default: yes. */
  keep?: boolean;
  /** Milliseconds for which it is kept; default: until others take its room. */
  ttl?: number;
}

/** Answers that take long to build, kept in memory up to a number of bytes. Each coding is built when it is first asked for. */
export interface KeptBuilds {
  /**
   * @param key what is the same under it is built once
   * @param ip of the client that asks
   * @returns the answer with at least the coding of the task; undefined where there is nothing
   * @throws Overloaded, LedgerUnavailable
   */
  answer(key: string, task: Build, ip: string, keeping?: Keeping): Promise<BuiltAnswer | undefined>;
}

export function createKeptBuilds({ availability, queue, builds, maxBytes }: KeptBuildsOptions): KeptBuilds {
  const kept = new LRUCache<string, BuiltAnswer>({
    maxSize: maxBytes,
    sizeCalculation: ({ body }) => body.size + 1000,
  });
  const once = singleFlight<BuiltAnswer | undefined>();

  async function build(
    key: string,
    task: Build,
    ip: string,
    { keep = true, ttl }: Keeping,
  ): Promise<BuiltAnswer | undefined> {
    const built = await queue.run(clientKey(ip), () => availability.run(() => builds.run(task)));
    if (built === undefined) return undefined;
    const { etag } = built;
    const bytes = Buffer.from(built.bytes.buffer);
    const known = kept.get(key);
    // The record may have grown since the other codings were built.
    const body = known?.etag === etag ? known.body : new Coded({});
    body.put(task.coding, bytes);
    const answer = { etag, body };
    if (keep) kept.set(key, answer, ttl === undefined ? {} : { ttl });
    return answer;
  }

  return {
    async answer(key, task, ip, keeping = {}) {
      const known = kept.get(key);
      if (known?.body.made(task.coding) !== undefined) return known;
      return once(`${task.coding} ${key}`, () => build(key, task, ip, keeping));
    },
  };
}
