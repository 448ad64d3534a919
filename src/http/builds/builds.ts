import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import type { Build, Built } from './build.ts';

/** Builds answers that take long. */
export interface Builds {
  /**
   * @returns undefined where there is nothing
   * @throws what reading PostgreSQL throws
   */
  run(task: Build): Promise<Built | undefined>;
  close(): Promise<void>;
}

/** What a thread is started with. */
export interface ThreadSettings {
  databaseUrl: string;
  /** Of the standby that is read as far as it keeps up. */
  replicaUrl?: string | undefined;
  baseUrl: string;
}

/** What a thread gives. Of an error only what is plain data arrives from another thread. */
export type ThreadResult =
  | { built: Built | undefined }
  | { error: { name: string; message: string; code: string | undefined } };

/**
 * Builds in threads of their own, with connections of their own and a lower priority than the thread that answers requests: one thread,
 * two where there are more than four processors. They start with the first build.
 */
export function createBuilds(settings: ThreadSettings): Builds {
  const threads = new Piscina<Build, ThreadResult>({
    filename: new URL('./thread-entry.mjs', import.meta.url).href,
    workerData: settings,
    minThreads: 0,
    maxThreads: availableParallelism() > 4 ? 2 : 1,
    idleTimeout: Number.POSITIVE_INFINITY,
    niceIncrement: 10,
    // Nobody reads these histograms, of 0.4 MB each.
    recordTiming: false,
    // Tracing is this thread's alone.
    execArgv: [],
  });
  return {
    async run(task) {
      const result = await threads.run(task);
      if ('built' in result) return result.built;
      throw Object.assign(new Error(result.error.message), result.error);
    },
    close: () => threads.close(),
  };
}
