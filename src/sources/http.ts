import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { request } from 'undici';
import { ownValue } from '../rules/own-value.ts';

/** Thrown if an answer does not have the known form. */
export class Unreadable extends Error {
  override name = 'Unreadable';
}

/** Parses an answer. @throws Unreadable if it is not JSON */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Unreadable('the answer is not JSON');
  }
}

export interface GetOptions {
  headers?: Record<string, string>;
  /** Aborts the request on shutdown. */
  signal?: AbortSignal;
  /** Timeout of the whole exchange, including the body, in ms; default 15,000. */
  timeoutMs?: number;
  /** Largest decoded body, in bytes; default 8 MiB. */
  maxBytes?: number;
  /** Maximum number of redirects, which must stay on the host; default 0. */
  redirects?: number;
}

export interface Got {
  status: number;
  headers: Readonly<Record<string, string>>;
  text: string;
}

/**
 * Thrown without a readable answer. The message never contains the address, whose query may be a credential. `awayMs`: the shortest pause
 * before the next request, in ms.
 */
export class Unanswered extends Error {
  override name = 'Unanswered';
  readonly awayMs: number;
  constructor(message: string, awayMs = 0) {
    super(message);
    this.awayMs = awayMs;
  }
}

/** Thrown if the body exceeds `maxBytes`. */
export class TooLarge extends Unanswered {}

/**
 * Makes a GET request with limits on time, size, and redirects.
 * @throws Unanswered on a timeout, a connection failure, an oversized answer, or a refused redirect
 */
export async function get(url: URL, options: GetOptions = {}): Promise<Got> {
  const { timeoutMs = 15_000, signal } = options;
  const ended = AbortSignal.timeout(timeoutMs);
  const either = signal === undefined ? ended : AbortSignal.any([ended, signal]);
  try {
    return await follow(url, { ...options, signal: either }, options.redirects ?? 0);
  } catch (error) {
    if (error instanceof Unanswered) throw error;
    if (signal?.aborted === true) throw new Unanswered('shutting down');
    if (ended.aborted) throw new Unanswered(`no answer within ${timeoutMs / 1000} s`);
    const { code = 'unknown error', syscall } = error as NodeJS.ErrnoException;
    const failure = syscall === 'getaddrinfo' ? 'its name was not resolved' : 'unreachable';
    throw new Unanswered(`${failure} (${code})`);
  }
}

async function follow(url: URL, options: GetOptions, redirects: number): Promise<Got> {
  const { headers = {}, signal, maxBytes = 8 * 2 ** 20 } = options;
  const answer = await request(url, {
    headers: { 'user-agent': 'public-picks', 'accept-encoding': 'gzip', ...headers },
    signal: signal as AbortSignal,
    // Requests are rare: a kept connection would be dead by the next one.
    reset: true,
  });
  const { statusCode: status, body } = answer;
  const known = Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value[0]! : (value ?? ''),
    ]),
  );
  if (status >= 300 && status < 400 && status !== 304) {
    body.on('error', () => {}).destroy();
    const next = known.location === undefined ? undefined : URL.parse(known.location, url.href);
    if (next == null) throw new Unanswered(`a redirect (${status}) without a valid location`);
    if (redirects === 0) throw new Unanswered(`a redirect (${status}), which is not followed`);
    if (next.hostname !== url.hostname || !['http:', 'https:'].includes(next.protocol))
      throw new Unanswered(`a redirect (${status}) to another host, which is not followed`);
    return follow(next, options, redirects - 1);
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of decoded(body, known['content-encoding'])) {
    bytes += (chunk as Buffer).length;
    // Leaving the loop destroys the body and its connection.
    if (bytes > maxBytes) throw new TooLarge(`the answer is larger than ${maxBytes} bytes`);
    chunks.push(chunk as Buffer);
  }
  return { status, headers: known, text: Buffer.concat(chunks).toString('utf8') };
}

/** Decodes a body; some providers compress regardless of the request. */
function decoded(body: Readable, encoding = 'identity'): Readable {
  const decoders: Record<string, () => Transform> = {
    gzip: createGunzip,
    'x-gzip': createGunzip,
    deflate: createInflate,
    br: createBrotliDecompress,
  };
  const decoder = ownValue(decoders, encoding.trim().toLowerCase())?.();
  if (decoder === undefined) return body;
  body.on('error', (error) => decoder.destroy(error));
  decoder.on('close', () => body.destroy());
  return body.pipe(decoder);
}
