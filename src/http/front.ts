import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Memory } from '../cache/memory.ts';
import type { Rendered } from '../cache/rendered.ts';
import type { Logger } from '../platform/logger.ts';
import type { requestIds } from './access-log.ts';
import type { FlatHeaders } from './headers.ts';
import { headersOf } from './headers.ts';
import { noneMatches, preferredCoding } from './negotiation.ts';

/** The fast path before Koa: answers a URL that was answered before straight from memory, while that answer is certainly fresh. */
export interface Front {
  /** @returns whether it answered; if not, the request is untouched */
  answer(req: IncomingMessage, res: ServerResponse): boolean;
  /** Remembers what a URL, exactly as it was asked for, was answered with. */
  learn(url: string, rendered: Rendered): void;
  /** Requests answered so far: they are counted, and logged one by one only at the level `debug`. */
  answered(): number;
}

/** Bytes for URLs that are remembered, and the length of the longest. Readers may spell one answer's parameters in any number of ways. */
const maxBytes = 4 * 2 ** 20;
const maxUrlLength = 500;

/** @param transport headers of every answer, such as `Strict-Transport-Security` */
export function createFront(
  memory: Memory,
  idOf: ReturnType<typeof requestIds>,
  log: Logger,
  transport: FlatHeaders = [],
): Front {
  let answered = 0;
  const keys = new LRUCache<string, string>({
    maxSize: maxBytes,
    // Beside its text an entry takes some 200 bytes.
    sizeCalculation: (key, url) => 200 + key.length + url.length,
  });
  return {
    answer(req, res) {
      if (req.method !== 'GET' && req.method !== 'HEAD') return false;
      const key = keys.get(req.url as string);
      if (key === undefined) return false;
      const rendered = memory.fresh(key);
      if (rendered === undefined) return false;
      const requestId = idOf(req);
      const { headers } = req;
      const unchanged = noneMatches(headers['if-none-match'], rendered.etag);
      const coding = preferredCoding(headers['accept-encoding'] as string | undefined);
      const { notModified, coded } = headersOf(rendered);
      const status = unchanged ? 304 : 200;
      res.writeHead(status, [
        ...(unchanged ? notModified : coded[coding]),
        'X-Request-Id',
        requestId,
        ...transport,
      ]);
      res.end(unchanged || req.method === 'HEAD' ? undefined : rendered.bytes[coding]);
      answered += 1;
      // A line for each would cost more than the answer itself.
      if (log.isLevelEnabled('debug'))
        log.debug({ requestId, method: req.method, url: req.url, status, cache: 'memory' }, 'request');
      return true;
    },
    answered: () => answered,
    learn(url, rendered) {
      if (url.length <= maxUrlLength && memory.has(rendered.key)) keys.set(url, rendered.key);
    },
  };
}
