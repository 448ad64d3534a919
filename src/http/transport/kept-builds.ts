import type { Memory } from '../../cache/answers.ts';
import { Coded, type Coding, compressed, exactly, weakEntityTag } from '../../cache/representation.ts';
import { clientKey, type FairQueue } from '../../platform/fair-queue.ts';
import { singleFlight } from '../../platform/once.ts';

/** An answer that is expensive to build, in one coding. */
export interface Built {
  /** Weak, and equal for all codings. */
  etag: string;
  /** Each fills its memory block, see `exactly`. */
  bytes: Buffer;
}

/**
 * Creates a built answer.
 * @param tagged content of the entity tag. Default: the answer's content
 */
export async function builtOf(
  content: Buffer,
  coding: Coding,
  tagged: readonly Buffer[] = [content],
): Promise<Built> {
  const etag = weakEntityTag(...tagged);
  const bytes = coding === 'identity' ? content : await compressed(content, coding, 'well');
  return { etag, bytes: exactly(bytes) };
}

/** A built answer, in the codings requested so far. */
export interface BuiltAnswer {
  etag: string;
  body: Coded;
}

/** How long a built answer is kept. */
export interface Keeping {
  /** Default: yes. */
  keep?: boolean;
  /** Time for which it is kept, in ms. Default: until its memory is needed. */
  ttl?: number;
}

/** Keeps answers that are expensive to build in memory. Each coding is built on its first request. */
export type KeptBuilds = ReturnType<typeof createKeptBuilds>;

/** @param queue of builds */
export function createKeptBuilds(memory: Memory, queue: FairQueue) {
  const kept = memory.shelf<BuiltAnswer>('b', ({ body }) => body.size + 1000);
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
    if (keep) kept.set(key, answer, ttl);
    return answer;
  }

  return {
    /**
     * Returns an answer, building it if needed.
     * @param key of the answer; concurrent calls for one key and coding share the build
     * @param build builds the answer in the coding
     * @param ip the client's address
     * @returns the answer with at least that coding; undefined if `build` returned that
     * @throws Overloaded, and errors of `build`
     */
    async answer(
      key: string,
      coding: Coding,
      build: () => Promise<Built | undefined>,
      ip: string,
      keeping: Keeping = {},
    ): Promise<BuiltAnswer | undefined> {
      const known = kept.get(key);
      if (known?.body.made(coding) !== undefined) return known;
      return once(`${coding} ${key}`, async () =>
        keep(key, coding, await queue.run(clientKey(ip), build), keeping),
      );
    },
  };
}
