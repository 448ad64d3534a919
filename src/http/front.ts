import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { AsOf, Memory } from '../cache/memory.ts';
import type { CachedResponse } from '../cache/rendered.ts';
import { Coded, type Coding, exactly } from '../cache/representation.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import type { requestIds } from './access-log.ts';
import { type Answer, cacheControl, jsonType } from './answer.ts';
import { createHead, type Head } from './head.ts';
import { type FlatHeaders, headersOf, noneMatches, preferredCoding } from './headers.ts';

/**
 * The fast path before Koa: answers a URL that was answered before straight from memory, while that answer is certainly fresh. What it
 * answers is to the byte what Koa would.
 */
export interface Front {
  /** @returns whether it answered; if not, the request is untouched */
  answer(req: IncomingMessage, res: ServerResponse): boolean;
  /** The present. To be noted before an answer is made that is to be learnt. */
  now(): AsOf;
  /**
   * Remembers under which key a URL, exactly as it was asked for, was answered; and the answer where it says that it may be kept.
   * @param asOf from before it was made
   */
  learn(url: string, answer: Answer, asOf: AsOf): void;
  /** Requests answered so far: they are counted, and logged one by one only at the level `debug`. */
  answered(): number;
}

/** Bytes for URLs that are remembered, and the length of the longest. Readers may spell one answer's parameters in any number of ways. */
const maxBytes = 4 * 2 ** 20;
const maxUrlLength = 500;

/** @param transport headers of every answer, such as `Strict-Transport-Security` */
export function createFront(
  memory: Memory,
  clock: Clock,
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
  const heads = new WeakMap<CachedResponse, Partial<Record<Coding | 'unchanged', Head>>>();

  function headOf(response: CachedResponse, coding: Coding, bytes: Buffer | undefined): Head {
    const known = heads.get(response) ?? {};
    heads.set(response, known);
    const name = bytes === undefined ? 'unchanged' : coding;
    known[name] ??= createHead(
      bytes === undefined ? 304 : 200,
      () => headersOf(response, coding, bytes),
      transport,
    );
    return known[name];
  }

  return {
    answer(req, res) {
      if (req.method !== 'GET' && req.method !== 'HEAD') return false;
      const key = keys.get(req.url as string);
      if (key === undefined) return false;
      const response = memory.fresh(key);
      if (response === undefined) return false;
      const { body } = response;
      const { headers } = req;
      const unchanged = noneMatches(headers['if-none-match'], response.etag);
      const coding = Buffer.isBuffer(body)
        ? 'identity'
        : preferredCoding(headers['accept-encoding'] as string | undefined);
      const bytes = unchanged ? undefined : Buffer.isBuffer(body) ? body : body.made(coding);
      if (!unchanged && bytes === undefined) return false;
      const requestId = idOf(req);
      headOf(response, coding, bytes).send(req, res, requestId, bytes);
      answered += 1;
      // A line for each would cost more than the answer itself.
      if (log.isLevelEnabled('debug')) {
        const { method, url } = req;
        log.debug({ requestId, method, url, status: res.statusCode, cache: 'memory' }, 'request');
      }
      return true;
    },
    answered: () => answered,
    now: memory.now,
    learn(url, answer, asOf) {
      const { key } = answer;
      if (key === undefined || url.length > maxUrlLength) return;
      const kept = answer.keep === undefined ? undefined : responseOf(key, answer, clock.now());
      if (kept !== undefined && memory.fresh(key)?.etag !== kept.etag)
        memory.put(kept, asOf, 0, answer.keep?.maxAgeMs);
      if (!memory.has(key)) return;
      memory.recount(key);
      keys.set(url, key);
    },
  };
}

/** An answer as memory keeps it; undefined where it cannot be kept. */
function responseOf(key: string, answer: Answer, now: number): CachedResponse | undefined {
  const { status = 200, type = jsonType, lifetime = cacheControl.none, headers, etag, body, keep } = answer;
  const content = typeof body === 'string' ? Buffer.from(body) : body;
  if (keep === undefined || status !== 200 || etag === undefined) return undefined;
  if (!(Buffer.isBuffer(content) || content instanceof Coded)) return undefined;
  return {
    ...{ key, contentType: type, lifetime, etag },
    ...(headers === undefined ? {} : { headers }),
    generatedAt: now,
    goodUntil: keep.goodUntil ?? Number.POSITIVE_INFINITY,
    tags: keep.tags ?? [],
    body: Buffer.isBuffer(content) ? exactly(content) : content,
  };
}
