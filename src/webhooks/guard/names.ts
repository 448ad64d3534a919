/**
 * Top-level domains that are not in the public DNS, or mean something else than a host there. Nobody can own a name below them.
 * `example.com` and its like may be used as any other (RFC 6761, section 6.5).
 */
const specialUse = new Set([
  // RFC 6761.
  'example',
  'invalid',
  'localhost',
  'test',
  // RFC 6762: multicast DNS; its appendix G: names that private networks use.
  'local',
  'corp',
  'home',
  'internal',
  'intranet',
  'lan',
  'private',
  // Kept out of the root for the same reason (ICANN, 2018).
  'mail',
  // RFC 7686, RFC 9476.
  'onion',
  'alt',
  // Infrastructure (RFC 3172), with home.arpa (RFC 8375), ipv4only.arpa (RFC 8880), resolver.arpa (RFC 9462).
  'arpa',
  // What hosts files and container networks commonly call this machine and its neighbours.
  'localdomain',
  'docker',
  'consul',
]);

const maxNameLength = 253;

/** One label of a name (RFC 1123, section 2.1), with the underscore that some hosts have nevertheless. */
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * What keeps a name from being that of a public host, as a sentence, or undefined.
 * @param hostname lower case, ASCII, without a trailing dot
 */
export function nameFault(hostname: string): string | undefined {
  const labels = hostname.split('.');
  const top = labels.at(-1) as string;
  if (hostname.length > maxNameLength || !labels.every((each) => label.test(each)))
    return 'The host is not a valid name.';
  if (labels.length < 2) return 'The host is a single word; a public host has a dot in its name.';
  if (specialUse.has(top)) return `Names that end in .${top} are not public.`;
  return undefined;
}
