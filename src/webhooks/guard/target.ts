import { isIP } from 'node:net';
import { domainToUnicode } from 'node:url';
import { platformOf } from '../platforms/index.ts';
import type { Platform } from '../platforms/platform.ts';
import { isPublicAddress } from './addresses.ts';
import { nameFault } from './names.ts';

/** An address to deliver to, as a subscriber gave it. */
export interface Target {
  /** As the WHATWG URL standard writes it, without a trailing dot in the name. Often a credential in itself: never logged or shown. */
  url: string;
  /** Lower case, without trailing dot or brackets. */
  hostname: string;
  port: number;
  /** Lower case, with `:port` only where that is not 443, IPv6 in brackets. */
  host: string;
  /** The chat platform whose channel it is, if it is one. */
  platform: Platform | undefined;
  /** Scheme and host; path and query are masked. */
  masked: string;
}

/** Hosts that no rule of the guard holds for: `hostname:port`, the name in lower case without trailing dot or brackets. */
export type AllowedHosts = ReadonlySet<string>;

export type TargetVerdict =
  | { ok: true; target: Target }
  /** `reason`: a sentence for the subscriber. */
  | { ok: false; reason: string };

const maxUrlLength = 2048;
const ports = new Set([443, 8443]);

/** Scheme, `//`, authority and the rest: RFC 3986, appendix B, without what URL parsers tolerate. */
const shape = /^https:\/\/([^/?#]+)(.*)$/i;

/** What URL parsers drop, turn into slashes or end at, each differently: spaces, control characters, backslashes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this is what the pattern finds
const ambiguous = /[\u0000-\u0020\u007f-\u00a0\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\\]/;

/** Whether the guard's rules are waived for a target. */
export function isAllowed({ hostname, port }: Target, allowed: AllowedHosts): boolean {
  return allowed.has(`${hostname}:${port}`);
}

/**
 * Checks how the address of a webhook is written (docs/security.md#webhook-targets). `checkTarget` checks what its name resolves to.
 * The name or address must be written as itself: a spelling that only some parsers read as a host is refused, whatever it stands for.
 * @param given as the subscriber sent it
 * @param allowed hosts that may have any port, name and address
 */
export function parseTarget(given: string, allowed: AllowedHosts): TargetVerdict {
  if (given.length > maxUrlLength) return refused(`The URL is longer than ${maxUrlLength} characters.`);
  if (ambiguous.test(given)) return refused('The URL contains a space, a control character or a backslash.');
  const [, authority] = shape.exec(given) ?? [];
  if (authority === undefined) return refused('The URL must begin with https:// and a host.');
  if (authority.includes('@')) return refused('The URL must not contain a user name or password.');
  if (given.includes('#')) return refused('The URL must not contain a fragment.');
  const url = parsed(given);
  if (url === undefined) return refused('The URL has no valid host.');
  url.hostname = bare(url.hostname);
  if (url.href.length > maxUrlLength) return refused(`The URL is longer than ${maxUrlLength} characters.`);

  const hostname = plain(url.hostname);
  const target = targetOf(url, hostname);
  if (!writtenAsItself(authority, url)) return refused('The host is not written in its usual form.');
  if (isAllowed(target, allowed)) return { ok: true, target };
  if (!ports.has(target.port)) return refused('The port must be 443 or 8443.');
  const fault =
    isIP(hostname) === 0
      ? nameFault(hostname)
      : isPublicAddress(hostname)
        ? undefined
        : 'The host is not a public address.';
  return fault === undefined ? { ok: true, target } : refused(fault);
}

function targetOf(url: URL, hostname: string): Target {
  return {
    url: url.href,
    hostname,
    port: portOf(url.port),
    host: url.host,
    platform: platformOf(url),
    masked: `https://${url.host}/…`,
  };
}

function parsed(given: string): URL | undefined {
  return URL.canParse(given) ? new URL(given) : undefined;
}

/**
 * Whether the host that was given is the one that the URL standard makes of it, but for case, a trailing dot, and letters beyond ASCII:
 * not an IPv4 address in octal, full-width digits, percent-encoding and the like.
 */
function writtenAsItself(authority: string, { hostname }: URL): boolean {
  const given = bare(authority.replace(/:\d*$/, '').toLowerCase());
  if (given.startsWith('[')) return isIP(given.slice(1, -1)) === 6;
  return given === hostname || given.normalize('NFC') === domainToUnicode(hostname);
}

/** Without the dot that ends an absolute name. */
function bare(hostname: string): string {
  return hostname.replace(/\.$/, '');
}

/** Without the brackets around an IPv6 address. */
function plain(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

function portOf(port: string): number {
  return port === '' ? 443 : Number(port);
}

function refused(reason: string): TargetVerdict {
  return { ok: false, reason };
}
