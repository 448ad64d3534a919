// The fast path answers a GET or HEAD from memory before Node parses the request.
//
// Why: with it, answers from memory reach 1.1 to 1.3 times the requests per second of a bare `node:http` server that sends the same bytes;
// behind Node's parser, 0.6 to 0.7 times.
// Measure: `npm run bench -- reading`, and again with `FAST_PATH=0`.
// Risk: a second parser may read a request differently from Node. It therefore reads only plain requests. A test compares 10,000 odd,
// split, and smuggling requests and 5,000 pipelined groups with and without it (`test/http/fast-path-connections.test.ts`).
// Alternative: `FAST_PATH=0`. Node then parses every request, and the same answers come from the same memory. This file stays in use;
// `connections.ts` and the parser in `plain-request.ts` do not.

import { type ServerResponse, STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http';
import { LRUCache } from 'lru-cache';
import { Coded, type Coding, exactly } from '../../answers/coded.ts';
import type { AsOf, Memory } from '../../answers/memory.ts';
import type { CachedResponse } from '../../answers/rendered.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { type Answer, cacheControl, jsonType } from '../answer.ts';
import type { requestIds } from '../transport/access-log.ts';
import { type Headers, headersOf, noneMatches, preferredCoding } from '../transport/headers.ts';
import type { PlainRequest } from './plain-request.ts';

/** Status line and headers of an answer, without those of the connection. Built once for all requests. */
export interface Head {
  status: 200 | 304;
  /** Returns the HTTP/1.1 head in Latin-1, up to where `Date` and the connection's headers follow. */
  text(requestId: string): string;
}

export interface KnownAnswer {
  head: Head;
  requestId: string;
  /** Undefined for HEAD and 304. */
  body: Buffer | undefined;
}

/** Answers known URLs from memory, with the bytes that Koa would send, as long as the answer is certainly fresh. */
export type FastPath = ReturnType<typeof createFastPath>;

/** Longest URL that is remembered: parameters of one answer can be spelled in any number of ways. */
const maxUrlLength = 500;

/** @param transport headers of every answer, such as `Strict-Transport-Security` */
export function createFastPath(
  memory: Memory,
  clock: Clock,
  idOf: ReturnType<typeof requestIds>,
  log: Logger,
  transport: Headers = {},
) {
  let answered = 0;
  // Approximate overhead of an entry, in bytes.
  const keys = memory.shelf<string>('u', (key, url) => 200 + key.length + url.length);
  const codings = new LRUCache<string, Coding>({ max: 500 });
  const heads = new WeakMap<CachedResponse, Partial<Record<Coding | 'unchanged', Head>>>();

  function codingFor(header: string | undefined): Coding {
    if (header === undefined || header.length > 200) return preferredCoding(header);
    const known = codings.get(header);
    if (known !== undefined) return known;
    const coding = preferredCoding(header);
    codings.set(header, coding);
    return coding;
  }

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
    /** @returns the answer, and counts it; undefined if there is none */
    answer({
      method,
      url,
      acceptEncoding,
      ifNoneMatch,
      requestId: given,
    }: PlainRequest): KnownAnswer | undefined {
      const key = keys.get(url);
      if (key === undefined) return undefined;
      const response = memory.fresh(key);
      if (response === undefined) return undefined;
      const { body, etag } = response;
      const unchanged = noneMatches(ifNoneMatch, etag);
      const coding = Buffer.isBuffer(body) ? 'identity' : codingFor(acceptEncoding);
      const bytes = unchanged ? undefined : Buffer.isBuffer(body) ? body : body.made(coding);
      if (!unchanged && bytes === undefined) return undefined;
      const requestId = idOf(given);
      const head = headOf(response, coding, bytes);
      answered += 1;
      // A log line costs more than the answer itself.
      if (log.isLevelEnabled('debug'))
        log.debug({ requestId, method, url, status: head.status, cache: 'memory' }, 'request');
      return { head, requestId, body: method === 'HEAD' ? undefined : bytes };
    },
    /** Number of requests answered so far. They are logged only at level `debug`. */
    answered: () => answered,
    /** Call it before computing an answer for `learn`. */
    now: memory.now,
    /**
     * Remembers the key of a URL's answer, for this exact spelling of the URL, and the answer if it may be kept.
     * @param asOf from before the answer was computed
     */
    learn(url: string, answer: Answer, asOf: AsOf): void {
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

/** Undefined if the answer cannot be kept. */
function responseOf(key: string, answer: Answer, now: number): CachedResponse | undefined {
  const { status = 200, type = jsonType, lifetime = cacheControl.none, headers, etag, body, keep } = answer;
  const content = typeof body === 'string' ? Buffer.from(body) : body;
  if (keep === undefined || status !== 200 || etag === undefined) return undefined;
  if (!(Buffer.isBuffer(content) || content instanceof Coded)) return undefined;
  return {
    key,
    contentType: type,
    lifetime,
    etag,
    ...(headers === undefined ? {} : { headers }),
    generatedAt: now,
    goodUntil: keep.goodUntil ?? Number.POSITIVE_INFINITY,
    tags: keep.tags ?? [],
    body: Buffer.isBuffer(content) ? exactly(content) : content,
  };
}

export function give({ head, requestId, body }: KnownAnswer, res: ServerResponse): void {
  // Headers are kept only as text.
  const [, ...fields] = head.text(requestId).trimEnd().split('\r\n');
  const headers = fields.flatMap((field) => {
    const colon = field.indexOf(': ');
    return [field.slice(0, colon), field.slice(colon + 2)];
  });
  res.writeHead(head.status, headers).end(body);
}

/** @param transport headers after the request's id. @throws TypeError if a header cannot be sent */
export function createHead(status: 200 | 304, headers: Headers, transport: Headers): Head {
  // Joined, because they are copied for each answer.
  const before = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`, ...lines(headers), 'X-Request-Id: '].join(
    '',
  );
  const after = ['\r\n', ...lines(transport)].join('');
  return {
    status,
    text: (requestId) => before + requestId + after,
  };
}

function* lines(headers: Headers): Generator<string> {
  for (const [name, value] of Object.entries(headers)) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    yield `${name}: ${value}\r\n`;
  }
}
