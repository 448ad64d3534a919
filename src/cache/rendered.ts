import { type Coded, compressible } from './representation.ts';

/** An answer that may be given again: what serving it takes, and until when and on what it holds. */
export interface CachedResponse {
  /** Two answers of one key are the same. */
  key: string;
  contentType: string;
  /** What it advertises: a lifetime in seconds, or a `Cache-Control`. */
  lifetime: number | string;
  /** Headers beside those of its type, tag and lifetime. */
  headers?: Readonly<Record<string, string>>;
  /** The instant that it was made for, in epoch milliseconds. */
  generatedAt: number;
  /** When it is stale by time alone, in epoch milliseconds. */
  goodUntil: number;
  etag: string;
  /** What it depends on: a bump of one of these makes it stale. */
  tags: readonly string[];
  /** What it depends on may have changed while it was made: caches in front may not keep it. */
  unsettled?: true;
  /** One that is sent in one coding alone is a buffer. */
  body: Coded | Buffer;
}

/** A rendered answer, as Redis keeps it. It is good until the end of its lifetime or of the ET day; its entity tag is weak. */
export interface Rendered extends CachedResponse {
  lifetime: number;
  /** The versions of the tags and the cache's epoch, as read before rendering. */
  versions: readonly (string | null)[];
  epoch: string;
  body: Coded;
}

/**
 * Bytes that an answer takes in memory beside its text: objects, buffers, places in maps, and the headers that are made of it. Measured
 * in `test/cache/cost.ts`.
 */
const overhead = 5600;

/** The bytes that it takes in memory now: they grow with each coding of its body that is made. */
export function sizeOf(response: CachedResponse | Rendered): number {
  const { body, key, tags } = response;
  const versions = 'versions' in response ? response.versions : [];
  const texts = [key, ...tags, ...versions].reduce((sum, text) => sum + (text?.length ?? 0) + 40, 0);
  return overhead + texts + (Buffer.isBuffer(body) ? body.length : body.size);
}

/** Milliseconds by which the clocks of two machines may differ. */
const clockSkew = 5000;

/** Whether an answer is fresh by time at an instant of the service's clock. */
export function isInTime({ generatedAt, goodUntil }: CachedResponse, now: number): boolean {
  return now < goodUntil && now >= generatedAt - clockSkew;
}

/** The version of the encoding below: to be raised with every change of it, so that no process misreads what another release stored. */
const form = 2;

/** One block of bytes for Redis: the length of the head, the head as JSON, the text. It is compressed where it is asked for. */
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

/** Bytes of a block's beginning that are sure to contain its head. */
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
