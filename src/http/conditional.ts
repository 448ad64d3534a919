import { createHash } from 'node:crypto';

/** A strong entity tag: a digest of the bytes (RFC 9110, section 8.8.3). */
export function entityTag(content: string | Buffer): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`;
}

/** A weak entity tag: the same for every content coding of one content. */
export function weakEntityTag(content: string | Buffer): string {
  return `W/${entityTag(content)}`;
}

/**
 * Reports whether an `If-None-Match` names an entity tag: a list or `*`, compared weakly (RFC 9110, sections 8.8.3.2 and 13.1.2).
 * @param header undefined where the request has none
 */
export function noneMatches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header === etag) return true;
  if (header.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  for (const [, tag] of header.matchAll(/(?:W\/)?("[^"]*")/g)) if (tag === opaque) return true;
  return false;
}
