/**
 * Whether an `If-None-Match` names an entity tag: a list or `*`, compared weakly (RFC 9110, sections 8.8.3.2 and 13.1.2).
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
