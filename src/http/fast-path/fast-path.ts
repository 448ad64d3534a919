import {
  type IncomingMessage,
  type ServerResponse,
  STATUS_CODES,
  validateHeaderName,
  validateHeaderValue,
} from 'node:http';
import { LRUCache } from 'lru-cache';
import type { AsOf, Memory } from '../../cache/memory.ts';
import type { CachedResponse } from '../../cache/rendered.ts';
import { Coded, type Coding, exactly } from '../../cache/representation.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { type Answer, cacheControl, jsonType } from '../answer.ts';
import type { requestIds } from '../transport/access-log.ts';
import { type FlatHeaders, headersOf, noneMatches, pairs, preferredCoding } from '../transport/headers.ts';

/** What an answer from memory depends on in a request. */
export interface Asked {
  method: string;
  url: string;
  acceptEncoding: string | undefined;
  ifNoneMatch: string | undefined;
  /** The id that came with it. */
  requestId: string | undefined;
}

/** The status line and headers of an answer that is given many times, but what concerns the connection. */
export interface Head {
  status: 200 | 304;
  /** As HTTP/1.1 writes it, in Latin-1, up to where `Date` and the connection's headers go. */
  text(requestId: string): string;
}

/** An answer from memory. */
export interface Found {
  head: Head;
  requestId: string;
  /** Undefined for a HEAD or a 304. */
  body: Buffer | undefined;
}

/**
 * The fast path before Koa: answers a URL that was answered before straight from memory, while that answer is certainly fresh. What it
 * answers is to the byte what Koa would.
 */
export interface Front {
  /** @returns an answer, which counts as given; undefined where there is none */
  answer(asked: Asked): Found | undefined;
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
      headersOf(response, coding, bytes),
      transport,
    );
    return known[name];
  }

  return {
    answer({ method, url, acceptEncoding, ifNoneMatch, requestId: given }) {
      if (method !== 'GET' && method !== 'HEAD') return undefined;
      const key = keys.get(url);
      if (key === undefined) return undefined;
      const response = memory.fresh(key);
      if (response === undefined) return undefined;
      const { body, etag } = response;
      const unchanged = noneMatches(ifNoneMatch, etag);
      const coding = Buffer.isBuffer(body) ? 'identity' : preferredCoding(acceptEncoding);
      const bytes = unchanged ? undefined : Buffer.isBuffer(body) ? body : body.made(coding);
      if (!unchanged && bytes === undefined) return undefined;
      const requestId = idOf(given);
      const head = headOf(response, coding, bytes);
      answered += 1;
      // A line for each would cost more than the answer itself.
      if (log.isLevelEnabled('debug'))
        log.debug({ requestId, method, url, status: head.status, cache: 'memory' }, 'request');
      return { head, requestId, body: method === 'HEAD' ? undefined : bytes };
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

/** What the front reads of a request that Node parsed. */
export function askedOf({ method = '', url = '', headers }: IncomingMessage): Asked {
  return {
    ...{ method, url },
    acceptEncoding: headers['accept-encoding'] as string | undefined,
    ifNoneMatch: headers['if-none-match'],
    requestId: headers['x-request-id'] as string | undefined,
  };
}

/** Gives an answer from memory to a request that Node parsed. */
export function give({ head, requestId, body }: Found, res: ServerResponse): void {
  // The headers are kept as text alone.
  const [, ...fields] = head.text(requestId).trimEnd().split('\r\n');
  const headers = fields.flatMap((field) => {
    const colon = field.indexOf(': ');
    return [field.slice(0, colon), field.slice(colon + 2)];
  });
  res.writeHead(head.status, headers).end(body);
}

/**
 * @param transport headers after the request's id
 * @throws TypeError where a header cannot be sent
 */
export function createHead(status: 200 | 304, headers: FlatHeaders, transport: FlatHeaders): Head {
  // Joined into one text each: they are copied for each answer.
  const before = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`, ...lines(headers), 'X-Request-Id: '].join(
    '',
  );
  const after = ['\r\n', ...lines(transport)].join('');
  return {
    status,
    text: (requestId) => before + requestId + after,
  };
}

function* lines(headers: FlatHeaders): Generator<string> {
  for (const [name, value] of pairs(headers)) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    yield `${name}: ${value}\r\n`;
  }
}
