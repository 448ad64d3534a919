import type { IncomingMessage } from 'node:http';
import accepts from 'accepts';
import { LRUCache } from 'lru-cache';
import type { Coding } from '../cache/representation.ts';

const remembered = new LRUCache<string, Coding>({ max: 500 });

/**
 * The coding that an `Accept-Encoding` prefers (RFC 9110, section 12.5.3). Among those it likes equally: br, gzip, identity. Where it
 * takes none of them, identity.
 */
export function preferredCoding(header: string | undefined): Coding {
  if (header === undefined) return 'identity';
  const known = remembered.get(header);
  if (known !== undefined) return known;
  const coding = negotiate(header);
  if (header.length <= 200) remembered.set(header, coding);
  return coding;
}

/** The library breaks a tie by the order of the header; so the header is put into ours. */
function negotiate(header: string): Coding {
  const parts = header.split(',').map((part) => part.trim());
  const rank = (part: string) => (/^br\b/i.test(part) ? 0 : /^gzip\b/i.test(part) ? 1 : 2);
  const ordered = parts.sort((a, b) => rank(a) - rank(b)).join(',');
  const request = { headers: { 'accept-encoding': ordered } } as IncomingMessage;
  const chosen = accepts(request).encoding(['br', 'gzip', 'identity']);
  return chosen === false ? 'identity' : (chosen as Coding);
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
