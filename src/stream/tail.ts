import { LRUCache } from 'lru-cache';
import { createLimiter } from '../platform/limiter.ts';
import { singleFlight } from '../platform/once.ts';
import type { StreamEvent } from './events.ts';

/** The events of a range of the log. */
export interface Page {
  from: number;
  /** The seq after the last that it covers. */
  to: number;
  events: readonly StreamEvent[];
}

/** Reads the log. */
export interface LogReader {
  /** The seq that the log's next entry will have. */
  end(): Promise<number>;
  /** @param to the seq after the last */
  events(from: number, to: number): Promise<StreamEvent[]>;
}

/** Entries of a page. */
export const pageSize = 256;
/** Pages before the newest one that are kept, and read at once. */
const keptPages = 64;
const readsAtOnce = 2;

/** The log as this process has read it: new entries are read once for all who follow it, older ones in pages that they share. */
export interface Tail {
  /** The seq after the last entry that was read. */
  end(): number;
  /** Reads what the log has grown by. A call while one runs makes that one look again. */
  advance(): Promise<void>;
  /**
   * The page of an entry before {@link end}: at once where it is in memory.
   * @throws what reading throws
   */
  page(seq: number): Page | Promise<Page>;
}

/** Opens the log at its present end. */
export async function openTail(log: LogReader): Promise<Tail> {
  const startOf = (seq: number) => seq - (seq % pageSize);
  const pages = new LRUCache<number, Page>({ max: keptPages });
  const once = singleFlight<Page>();
  const limiter = createLimiter(readsAtOnce);
  const first = await log.end();
  // Readers who come back after a restart are behind by less than a page, nearly always.
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
    advance() {
      again = advancing !== undefined;
      advancing ??= readOn().finally(() => {
        advancing = undefined;
      });
      return advancing;
    },
    page(seq) {
      const from = startOf(seq);
      if (from === newest.from) return newest;
      const known = pages.get(from);
      if (known !== undefined) return known;
      return once(String(from), async () => {
        const page = await limiter.run(() => readPage(from, from + pageSize), Infinity);
        pages.set(from, page);
        return page;
      });
    },
  };
}
