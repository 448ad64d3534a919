import { LRUCache } from 'lru-cache';
import { createLimiter } from '../platform/limiter.ts';
import { singleFlight } from '../platform/once.ts';
import type { StreamEvent } from './events.ts';

export interface Page {
  from: number;
  /** The seq after the last entry it covers. */
  to: number;
  events: readonly StreamEvent[];
}

export interface LogReader {
  end(): Promise<number>;
  /** @param to the seq after the last one */
  events(from: number, to: number): Promise<StreamEvent[]>;
}

export const pageSize = 256;
/** Number of older pages kept, and of concurrent reads. */
const keptPages = 64;
const readsAtOnce = 2;

/** The log as read by this process. New entries are read once for all clients; older ones in shared pages. */
export type Tail = Awaited<ReturnType<typeof openTail>>;

export async function openTail(log: LogReader) {
  const startOf = (seq: number) => seq - (seq % pageSize);
  const pages = new LRUCache<number, Page>({ max: keptPages });
  const once = singleFlight<Page>();
  const limiter = createLimiter(readsAtOnce);
  const first = await log.end();
  // Clients that reconnect after a restart are rarely behind by more than a page.
  let newest = await readPage(startOf(first), first);
  let advancing: Promise<void> | undefined;
  let again = false;

  async function readPage(from: number, to: number): Promise<Page> {
    return { from, to, events: from === to ? [] : await log.events(from, to) };
  }

  async function readOn(): Promise<void> {
    do {
      again = false;
      const end = await log.end();
      while (newest.to < end) {
        const { from, to, events } = newest;
        const upTo = Math.min(from + pageSize, end);
        newest = { from, to: upTo, events: [...events, ...(await log.events(to, upTo))] };
        if (upTo < from + pageSize) continue;
        pages.set(from, newest);
        newest = { from: upTo, to: upTo, events: [] };
      }
    } while (again);
  }

  return {
    end: () => newest.to,
    /** Reads new entries. A call during a run makes it check again. */
    advance(): Promise<void> {
      again = advancing !== undefined;
      advancing ??= readOn().finally(() => {
        advancing = undefined;
      });
      return advancing;
    },
    /** Returns the page of an entry before `end`, synchronously if it is in memory. @throws errors of reading */
    page(seq: number): Page | Promise<Page> {
      const from = startOf(seq);
      if (from === newest.from) return newest;
      const known = pages.get(from);
      if (known !== undefined) return known;
      return once(String(from), async () => {
        const page = await limiter.run(() => readPage(from, from + pageSize));
        pages.set(from, page);
        return page;
      });
    },
  };
}
