import type { Output, Renderable } from '../boards/endpoint.ts';
import { addDays, etDay, etDayStart } from '../rules/et-day.ts';
import { type Coded, compressible, type Effort, weakEntityTag } from './coded.ts';

export interface CachedResponse {
  /** Two answers with the same key are equal. */
  key: string;
  contentType: string;
  lifetime: number | string;
  /** Headers other than type, entity tag, and lifetime. */
  headers?: Readonly<Record<string, string>>;
  generatedAt: EpochMs;
  /** When it expires even without a change. */
  goodUntil: EpochMs;
  etag: string;
  /** Tags that it depends on. Bumping one of them makes it stale. */
  tags: readonly string[];
  /** Whether its data may have changed during rendering, so that caches in front may keep it only briefly. */
  unsettled?: true;
  /** A buffer if it is sent in only one coding. */
  body: Coded | Buffer;
}

/** A rendered answer, as stored in Redis. It expires with its lifetime or the ET day. Its entity tag is weak. */
export interface Rendered extends CachedResponse {
  lifetime: number;
  /** Versions of the tags and the cache's epoch, as read before rendering. */
  versions: readonly (string | null)[];
  epoch: string;
  body: Coded;
}

/** @param read the versions of tags and the epoch, as read before rendering */
export function finish(
  { key, tags, lifetime: usual, contentType }: Omit<Renderable, 'render'>,
  { text, tagged = text, lifetime = usual }: Output,
  at: EpochMs,
  { versions, epoch }: Pick<Rendered, 'versions' | 'epoch'>,
  effort: Effort = 'well',
): Rendered {
  return {
    key,
    contentType,
    lifetime,
    tags,
    versions,
    epoch,
    generatedAt: at,
    // Slates and windows change with the ET day.
    goodUntil: Math.min(at + lifetime * 1000, etDayStart(addDays(etDay(at), 1))),
    etag: weakEntityTag(tagged),
    body: compressible(text, effort),
  };
}

export const everything = 'everything';

/** For caches in front: `Surrogate-Key` for Fastly and Varnish's xkey, `Cache-Tag` for Cloudflare, Google, and Akamai. */
export function tagHeaders(tags: readonly string[]): Record<'Surrogate-Key' | 'Cache-Tag', string> {
  const names = [everything, ...tags].map(tagName);
  return { 'Surrogate-Key': names.join(' '), 'Cache-Tag': names.join(',') };
}

/** Encodes a tag for headers and purges: printable ASCII without spaces, commas, and characters with a meaning in patterns. */
export function tagName(tag: string): string {
  return encodeURIComponent(tag)
    .replaceAll('%3A', ':')
    .replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Memory of an answer in addition to its text, in bytes: objects, buffers, map entries, and headers. Measured by `test/answers/cost.ts`. */
const overhead = 5600;

/** Returns an answer's size in memory, in bytes. It grows with each coding of the body. */
export function sizeOf(response: CachedResponse | Rendered): number {
  const { body, key, tags } = response;
  const versions = 'versions' in response ? response.versions : [];
  const texts = [key, ...tags, ...versions].reduce((sum, text) => sum + (text?.length ?? 0) + 40, 0);
  return overhead + texts + (Buffer.isBuffer(body) ? body.length : body.size);
}

/** Largest difference between the clocks of two machines, in ms. */
const clockSkew = 5000;

/** Reports whether an answer has not expired at an instant of the service's clock. */
export function isInTime({ generatedAt, goodUntil }: CachedResponse, now: number): boolean {
  return now < goodUntil && now >= generatedAt - clockSkew;
}

/** As long as caches in front may serve it. Redis may hold older answers after downtime or under a later clock. */
export function mayBeStale({ generatedAt, lifetime }: Rendered, now: number): boolean {
  return Math.abs(now - generatedAt) < 2 * lifetime * 1000;
}

/** Version of the encoding below. Raise it with every change, so that no process misreads an answer stored by another release. */
const form = 3;

/** Encodes an answer for Redis: length of the head, the head as JSON, the uncompressed text. */
export function encode({ body, ...fields }: Rendered): Buffer {
  const text = body.made('identity') as Buffer;
  const head = Buffer.from(JSON.stringify({ form, fields, length: text.length }));
  const prefix = Buffer.alloc(4);
  prefix.writeUInt32BE(head.length);
  return Buffer.concat([prefix, head, text]);
}

interface Head {
  form: number;
  fields: Omit<Rendered, 'body'>;
  length: number;
}

/** Size of a block's start that certainly contains the head, in bytes. */
export const headBytes = 16_384;

/** Decodes the head of a block; undefined for another version of the encoding. */
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
  return text.length === head.length ? { ...head.fields, body: compressible(text) } : undefined;
}
