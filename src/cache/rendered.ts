import { type Coded, compressible } from './representation.ts';

/** An answer that may be given again, with its headers, its tags, and the end of its validity. */
export interface CachedResponse {
  /** Two answers of one key are the same. */
  key: string;
  contentType: string;
  /** The advertised lifetime in seconds, or a `Cache-Control`. */
  lifetime: number | string;
  /** Headers other than those of its type, tag, and lifetime. */
  headers?: Readonly<Record<string, string>>;
  /** The instant that it was made for, in epoch milliseconds. */
  generatedAt: number;
  /** When it is stale by time alone, in epoch milliseconds. */
  goodUntil: number;
  etag: string;
  /** Tags that it depends on. A bump of one of them makes it stale. */
  tags: readonly string[];
  /** Its data may have changed while it was made, so caches in front may keep it only briefly. */
  unsettled?: true;
  /** A buffer if it is sent in only one coding. */
  body: Coded | Buffer;
}

/** A rendered answer, as Redis keeps it. It is valid until the end of its lifetime or of the ET day; its entity tag is weak. */
export interface Rendered extends CachedResponse {
  lifetime: number;
  /** The versions of the tags and the cache's epoch, as read before rendering. */
  versions: readonly (string | null)[];
  epoch: string;
  body: Coded;
}

/**
 * Bytes that an answer takes in memory beside its text: objects, buffers, map entries, and its headers. Measured by `test/cache/cost.ts`.
 */
const overhead = 5600;

/** The bytes that an answer takes in memory. They grow with each coding of its body. */
export function sizeOf(response: CachedResponse | Rendered): number {
  const { body, key, tags } = response;
  const versions = 'versions' in response ? response.versions : [];
  const texts = [key, ...tags, ...versions].reduce((sum, text) => sum + (text?.length ?? 0) + 40, 0);
  return overhead + texts + (Buffer.isBuffer(body) ? body.length : body.size);
}

/** Maximum difference between the clocks of two machines, in milliseconds. */
const clockSkew = 5000;

/** Reports whether an answer is fresh by time at an instant of the service's clock. */
export function isInTime({ generatedAt, goodUntil }: CachedResponse, now: number): boolean {
  return now < goodUntil && now >= generatedAt - clockSkew;
}

/**
 * Reports whether an answer that is not fresh may still be given while a fresh one is rendered: for as long as caches in front may serve it
 * stale. A service that was down, or starts under a later clock, finds older ones in Redis.
 */
export function mayBeStale({ generatedAt, lifetime }: Rendered, now: number): boolean {
  return Math.abs(now - generatedAt) < 2 * lifetime * 1000;
}

/** The version of the encoding below. Raise it with every change, so that no process misreads what another release stored. */
const form = 2;

/** Encodes an answer for Redis: the length of the head, the head as JSON, the text without compression. */
export function encode({ body, ...facts }: Rendered): Buffer {
  const text = body.made('identity') as Buffer;
  const head = Buffer.from(JSON.stringify({ form, facts, length: text.length }));
  const prefix = Buffer.alloc(4);
  prefix.writeUInt32BE(head.length);
  return Buffer.concat([prefix, head, text]);
}

interface Head {
  form: number;
  facts: Omit<Rendered, 'body'>;
  length: number;
}

/** Bytes at a block's beginning that certainly contain its head. */
export const headBytes = 16_384;

/** The head of a block; undefined for another version of the encoding. */
export function headOf(block: Buffer): Head | undefined {
  try {
    const head = JSON.parse(block.toString('utf8', 4, 4 + block.readUInt32BE(0)));
    return head.form === form ? head : undefined;
  } catch {
    return undefined;
  }
}

/** Reverses {@link encode}; undefined for another version of the encoding. */
export function decode(block: Buffer): Rendered | undefined {
  const head = headOf(block);
  if (head === undefined) return undefined;
  const text = block.subarray(4 + block.readUInt32BE(0));
  return text.length === head.length ? { ...head.facts, body: compressible(text) } : undefined;
}
