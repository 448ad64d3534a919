import { LRUCache } from 'lru-cache';
import {
  Coded,
  type Coding,
  compressed,
  copied,
  type Effort,
  exactly,
  weakEntityTag,
} from '../../cache/representation.ts';
import { clientKey, type FairQueue } from '../../platform/fair-queue.ts';
import { singleFlight } from '../../platform/single-flight.ts';

/** An answer that took long to build, in one coding. */
export interface Built {
  /** Weak, and the same for every coding. */
  etag: string;
  /** They fill their block of memory. */
  bytes: Buffer;
}

/**
 * @param content stays with the caller: nothing refers to it once this resolves
 * @param tagged what the entity tag is made of; default: the content
 */
export async function builtOf(
  content: Buffer,
  { coding, effort }: { coding: Coding; effort: Effort },
  tagged: readonly Buffer[] = [content],
): Promise<Built> {
  const etag = weakEntityTag(...tagged);
  const bytes = coding === 'identity' ? copied(content) : exactly(await compressed(content, coding, effort));
  return { etag, bytes };
}

/** A built answer, in the codings that were asked for. */
export interface BuiltAnswer {
  etag: string;
  body: Coded;
}

export interface KeptBuildsOptions {
  /** What is built waits its turn here. */
  queue: FairQueue;
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
   * @param build gives the answer in the coding
   * @param ip of the client that asks
   * @returns the answer with at least that coding; undefined where there is nothing
   * @throws Overloaded, and what building throws
   */
  answer(
    key: string,
    coding: Coding,
    build: () => Promise<Built | undefined>,
    ip: string,
    keeping?: Keeping,
  ): Promise<BuiltAnswer | undefined>;
}

export function createKeptBuilds({ queue, maxBytes }: KeptBuildsOptions): KeptBuilds {
  const kept = new LRUCache<string, BuiltAnswer>({
    maxSize: maxBytes,
    sizeCalculation: ({ body }) => body.size + 1000,
  });
  const once = singleFlight<BuiltAnswer | undefined>();

  function keep(
    key: string,
    coding: Coding,
    built: Built | undefined,
    { keep = true, ttl }: Keeping,
  ): BuiltAnswer | undefined {
    if (built === undefined) return undefined;
    const { etag, bytes } = built;
    const known = kept.get(key);
    // The record may have grown since the other codings were built.
    const body = known?.etag === etag ? known.body : new Coded({});
    body.put(coding, bytes);
    const answer = { etag, body };
    if (keep) kept.set(key, answer, ttl === undefined ? {} : { ttl });
    return answer;
  }

  return {
    async answer(key, coding, build, ip, keeping = {}) {
      const known = kept.get(key);
      if (known?.body.made(coding) !== undefined) return known;
      return once(`${coding} ${key}`, async () =>
        keep(key, coding, await queue.run(clientKey(ip), build), keeping),
      );
    },
  };
}
