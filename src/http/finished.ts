import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import type { Coding } from '../cache/rendered.ts';
import { compressed } from './compressed.ts';
import { noneMatches } from './conditional.ts';
import { preferredCoding } from './encoding.ts';

/** A finished text, and the codings of it that were asked for so far. */
export interface Finished {
  contentType: string;
  etag: string;
  bytes: Partial<Record<Coding, Buffer>> & { identity: Buffer };
}

/**
 * Finishes a text.
 * @param stamp what stands before the first instant, where that is when the text was made: the entity tag leaves it out
 */
export function finished(text: string, contentType: string, stamp?: string): Finished {
  const identity = Buffer.from(text);
  const at = stamp === undefined ? 0 : identity.indexOf(stamp) + stamp.length;
  const from = stamp === undefined ? 0 : identity.indexOf('"', at);
  const hash = createHash('sha256').update(identity.subarray(0, at)).update(identity.subarray(from));
  return { contentType, etag: `W/"${hash.digest('base64url').slice(0, 27)}"`, bytes: { identity } };
}

/** Bytes of memory that a finished text takes. */
export function sizeOf({ bytes }: Finished): number {
  return Object.values(bytes).reduce((sum, each) => sum + each.length, 1000);
}

/** Answers with a finished text, in the coding that the reader likes best, or with 304 where the reader has it. */
export async function sendFinished(
  ctx: Context,
  { contentType, etag, bytes }: Finished,
  cacheControl: string,
): Promise<void> {
  ctx.set({ 'Cache-Control': cacheControl, Vary: 'Accept-Encoding', ETag: etag });
  if (noneMatches(ctx.get('If-None-Match') || undefined, etag)) {
    ctx.status = 304;
    return;
  }
  const coding = preferredCoding(ctx.get('Accept-Encoding') || undefined);
  bytes[coding] ??= await compressed(bytes.identity, coding);
  if (coding !== 'identity') ctx.set('Content-Encoding', coding);
  ctx.body = bytes[coding];
  ctx.set('Content-Type', contentType);
}
