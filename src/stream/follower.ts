import { Readable } from 'node:stream';
import type { StreamEvent } from './events.ts';
import { type Page, pageSize, type Tail } from './tail.ts';

/** Which events a client wants. */
export interface Wanted {
  /** A capper's handle; undefined: of every capper. */
  handle?: string | undefined;
  /** Undefined: of every sport. */
  sport?: string | undefined;
}

/** Maximum number of events in one write: what a slow client can keep in memory. */
const maxEvents = 32;
/** Bytes that wait for a client before no more are made for it. */
const highWaterMark = 16 * 1024;
/** Entries without anything for a client after which it is sent its place, so that a proxy does not close an idle connection. */
const maxSilence = 64 * pageSize;

/**
 * A client that follows the log, as the body of its answer. It is written only as fast as it is read: a slow one falls behind, and
 * catches up from pages.
 */
export interface Follower {
  readonly body: Readable;
  /** Writes what the log has grown by, if the client waits for it. */
  wake(): void;
  /** Writes a comment, and the place up to which the client has everything, if there is nothing else to write. */
  beat(): void;
  /** Ends the answer. @param retryMs when the client is to come back */
  end(retryMs: number): void;
}

/**
 * @param next the first seq that the client does not have
 * @param retryMs after which it is to come back when the connection breaks
 */
export function createFollower(
  tail: Tail,
  { next: first, wanted, retryMs }: { next: number; wanted: Wanted; retryMs: number },
): Follower {
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
    write(text === '' ? `${placeOf(next)}\n\n` : text);
    return true;
  }

  function writeNext(): void {
    if (writtenTo < 0) {
      write(`retry: ${retryMs}\n${placeOf(next)}\n\n`);
      return;
    }
    while (next < tail.end()) {
      const page = tail.page(next);
      if (page instanceof Promise) {
        page.then(
          (read) => {
            if (!body.destroyed && !ended && !writePage(read)) writeNext();
          },
          // The next wake tries again.
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
    wake() {
      if (!waits || ended) return;
      waits = false;
      writeNext();
    },
    beat() {
      if (waits && !ended) write(`:\n${placeOf(next)}\n\n`);
    },
    end(retry) {
      ended = true;
      body.push(`retry: ${retry}\n\n`);
      body.push(null);
    },
  };
}

/** Without data there is no event, but the client comes back with this id: one whose filter matches little need not read it all again. */
function placeOf(next: number): string {
  return next === 0 ? ':' : `id: ${next - 1}`;
}

/** Joins the events of a page from a place on that a client wants. */
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
