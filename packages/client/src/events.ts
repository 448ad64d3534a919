import { ApiError, located, type Service, send } from './api.ts';
import { type Operations, operations } from './operations.ts';

/** An event of a live pick: `posted`, `closed`, or `settled`. */
export type PickEvent = Operations['followPicks']['answer'];

export interface EventOptions {
  signal?: AbortSignal;
  /** Called when the connection is lost or refused, before the next attempt. */
  onRetry?: (error: Error, waitMs: number) => void;
  /** Delay before the first attempt after a lost connection, in ms; doubled up to 32 times. Default: 1000. */
  retryMs?: number;
}

/** Without a byte for this long, the connection counts as lost, in ms: the service sends a mark every 15 seconds. */
const silenceMs = 45_000;

/**
 * Yields the events of the log as they happen, in its order. After a lost connection it continues after the last event, so that none is
 * missed or repeated. Ends only by `signal` or `break`.
 * @throws ApiError if the service refuses the parameters
 */
export async function* eventsOf(
  service: Service,
  params: Omit<Operations['followPicks']['params'], 'Last-Event-ID'>,
  { signal, onRetry = () => {}, retryMs = 1000 }: EventOptions,
): AsyncGenerator<PickEvent, void, undefined> {
  let last: string | undefined;
  let failed = 0;
  for (;;) {
    if (isAborted(signal)) return;
    const connection = new AbortController();
    const close = () => connection.abort();
    signal?.addEventListener('abort', close);
    let silence = setTimeout(close, silenceMs);
    let error: Error = new Error('The stream ended.');
    try {
      const { path } = located(operations.followPicks[1], params);
      const { body } = await send(service, path, {
        headers: { Accept: 'text/event-stream', ...(last !== undefined && { 'Last-Event-ID': last }) },
        signal: connection.signal,
      });
      const text = body!.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>);
      let rest = '';
      for await (const part of text as unknown as AsyncIterable<string>) {
        clearTimeout(silence);
        silence = setTimeout(close, silenceMs);
        const blocks = (rest + part).split(/\r?\n\r?\n/);
        rest = blocks.pop()!;
        for (const block of blocks) {
          const { id, data } = fieldsOf(block);
          if (data !== undefined) yield JSON.parse(data) as PickEvent;
          if (id !== undefined) last = id;
          failed = 0;
        }
      }
    } catch (caught) {
      error = caught as Error;
      if (error instanceof ApiError && error.status < 500 && error.status !== 429) throw error;
    } finally {
      clearTimeout(silence);
      signal?.removeEventListener('abort', close);
      close();
    }
    if (isAborted(signal)) return;
    const asked = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
    const waitMs = Math.max(asked, retryMs * 2 ** Math.min(failed, 5));
    failed += 1;
    onRetry(error, waitMs);
    await pause(waitMs, signal);
  }
}

const isAborted = (signal: AbortSignal | undefined): boolean => signal?.aborted === true;

/** Parses one event of the event-stream format. */
function fieldsOf(block: string): { id?: string; data?: string } {
  const fields: Record<string, string> = {};
  for (const line of block.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^([a-z]+)(?:: ?(.*))?$/.exec(line) ?? [];
    fields[name] = name === 'data' && fields.data !== undefined ? `${fields.data}\n${value}` : value;
  }
  return fields;
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done);
  });
}
