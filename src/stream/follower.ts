import { Readable } from 'node:stream';
import type { StreamEvent } from './events.ts';
import { type Page, pageSize, type Tail } from './tail.ts';

export interface Wanted {
  /** A capper's handle; undefined: every capper. */
  handle?: string | undefined;
  /** Undefined: every sport. */
  sport?: string | undefined;
}

/** Bounds the memory of a slow client. */
const maxEvents = 32;
/** Unread bytes of a client above which no more are produced. */
const highWaterMark = 16 * 1024;
/** Entries without an event for a client before it is sent its position, so that a proxy does not close an idle connection. */
const maxSilence = 64 * pageSize;

/** A client of the log, as the body of its answer. Written only as fast as it is read: a slow client catches up from pages. */
export type Follower = ReturnType<typeof createFollower>;

/**
 * @param next the first seq that the client does not have
 * @param retryMs delay before the client reconnects after a broken connection
 */
export function createFollower(
  tail: Tail,
  { next: first, wanted, retryMs }: { next: number; wanted: Wanted; retryMs: number },
) {
  let next = first;
  // Whether the client has everything and has room for more.
  let waits = false;
  let writtenTo = -1;
  let ended = false;

  const body = new Readable({ highWaterMark, read: writeNext });

  function write(text: string): void {
    waits = false;
    writtenTo = next;
    body.push(text);
  }

  function writePage(page: Page): boolean {
    const { text, to } = textFrom(page, next, wanted);
    next = to;
    if (text === '' && next - writtenTo < maxSilence) return false;
    write(text === '' ? `${positionOf(next)}\n\n` : text);
    return true;
  }

  function writeNext(): void {
    if (writtenTo < 0) {
      write(`retry: ${retryMs}\n${positionOf(next)}\n\n`);
      return;
    }
    while (next < tail.end()) {
      const page = tail.page(next);
      if (page instanceof Promise) {
        page.then(
          (read) => {
            if (!body.destroyed && !ended && !writePage(read)) writeNext();
          },
          // The next wake retries.
          () => {
            waits = true;
          },
        );
        return;
      }
      if (writePage(page)) return;
    }
    waits = true;
  }

  return {
    body,
    wake(): void {
      if (!waits || ended) return;
      waits = false;
      writeNext();
    },
    /** Writes a comment, with the client's position, if there is nothing else to write. */
    beat(): void {
      if (waits && !ended) write(`:\n${positionOf(next)}\n\n`);
    },
    /** Ends the answer. @param retry delay in ms before the client reconnects */
    end(retry: number): void {
      ended = true;
      body.push(`retry: ${retry}\n\n`);
      body.push(null);
    },
  };
}

/** An id without data is not an event, but the client reconnects with it, and need not read again what its filter skipped. */
function positionOf(next: number): string {
  return next === 0 ? ':' : `id: ${next - 1}`;
}

/** Joins the wanted events of a page from a seq on. */
function textFrom(page: Page, from: number, wanted: Wanted): { text: string; to: number } {
  const events: StreamEvent[] = [];
  for (const event of page.events) {
    if (event.seq < from || !matches(event, wanted)) continue;
    events.push(event);
    if (events.length === maxEvents) return { text: textOf(events), to: event.seq + 1 };
  }
  return { text: textOf(events), to: page.to };
}

function matches(event: StreamEvent, { handle, sport }: Wanted): boolean {
  return (handle === undefined || event.handle === handle) && (sport === undefined || event.sport === sport);
}

const textOf = (events: readonly StreamEvent[]) => events.map(({ text }) => text).join('');
