import { isIP } from 'node:net';
import { domainToUnicode } from 'node:url';
import { platformOf } from '../platforms/index.ts';
import type { Service } from '../platforms/platform.ts';
import { isPublicAddress, nameFault } from './names.ts';

export interface Target {
  /** As the WHATWG URL standard writes it, without a trailing dot in the name. Often a credential: never log or show it. */
  url: string;
  /** Lowercase, without trailing dot or brackets. */
  hostname: string;
  port: number;
  /** Lowercase, with `:port` unless it is 443, IPv6 in brackets. */
  host: string;
  /** The chat platform or push service that the URL belongs to, if any. */
  platform: Service | undefined;
  /** Scheme and host, with path and query masked. */
  masked: string;
}

/** Hosts exempt from the guard's rules: `hostname:port`, the name lowercase, without trailing dot or brackets. */
export type AllowedHosts = ReadonlySet<string>;

export type TargetVerdict =
  | { ok: true; target: Target }
  /** `reason`: a sentence for the subscriber. */
  | { ok: false; reason: string };

const maxUrlLength = 2048;
const ports = new Set([443, 8443]);

/** Scheme, `//`, authority, and the rest: RFC 3986, appendix B, without the leniency of URL parsers. */
const shape = /^https:\/\/([^/?#]+)(.*)$/i;

/** Characters that URL parsers drop, turn into slashes, or end at, each differently: spaces, control characters, backslashes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this is what the pattern finds
const ambiguous = /[\u0000-\u0020\u007f-\u00a0\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\\]/;

export function isAllowed({ hostname, port }: Target, allowed: AllowedHosts): boolean {
  return allowed.has(`${hostname}:${port}`);
}

/**
 * Checks the spelling of a webhook's URL (docs/security.md#webhook-targets); `checkTarget` checks what its name resolves to. The host must
 * be in canonical form: a spelling that only some parsers read as a host is refused.
 * @param given as the subscriber sent it
 * @param allowed hosts that may have any port, name, and address
 */
export function parseTarget(given: string, allowed: AllowedHosts): TargetVerdict {
  if (given.length > maxUrlLength) return refused(`The URL is longer than ${maxUrlLength} characters.`);
  if (ambiguous.test(given)) return refused('The URL contains a space, a control character, or a backslash.');
  const [, authority] = shape.exec(given) ?? [];
  if (authority === undefined) return refused('The URL must begin with https:// and a host.');
  if (authority.includes('@')) return refused('The URL must not contain a user name or password.');
  if (given.includes('#')) return refused('The URL must not contain a fragment.');
  const url = URL.parse(given);
  if (url === null) return refused('The URL has no valid host.');
  url.hostname = bare(url.hostname);
  if (url.href.length > maxUrlLength) return refused(`The URL is longer than ${maxUrlLength} characters.`);

  if (!writtenAsItself(authority, url)) return refused('The host is not written in its usual form.');
  const platform = platformOf(url);
  const reason = platform?.fault?.(url);
  if (reason !== undefined) return refused(reason);
  const { href, host } = url;
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = url.port === '' ? 443 : Number(url.port);
  const target: Target = { url: href, hostname, port, host, platform, masked: `https://${host}/…` };
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

/** Browsers' push services as subscriptions store them. They document no limit that one device's messages could reach. */
export const pushService: Service = { name: 'push', rates: [], ends: [404, 410] };

/** Hosts of the push services of Chrome and Edge on Android, Firefox, Safari, and Edge on Windows. */
const pushHost =
  /^(?:fcm\.googleapis\.com|updates\.push\.services\.mozilla\.com|web\.push\.apple\.com|(?:[a-z0-9-]+\.)+notify\.windows\.com)$/;

/** Checks the endpoint of a push subscription, like {@link parseTarget}: a known push service, on port 443, or an allowed host. */
export function parseEndpoint(given: string, allowed: AllowedHosts): TargetVerdict {
  const verdict = parseTarget(given, allowed);
  if (!verdict.ok) return verdict;
  const { target } = verdict;
  if (!isAllowed(target, allowed) && !(target.port === 443 && pushHost.test(target.hostname)))
    return refused('The host is not a push service that browsers use.');
  return { ok: true, target: { ...target, platform: pushService } };
}

/** Except for case, a trailing dot, and non-ASCII letters. Refuses octal IPv4, full-width digits, percent-encoding, and so on. */
function writtenAsItself(authority: string, { hostname }: URL): boolean {
  const given = bare(authority.replace(/:\d*$/, '').toLowerCase());
  if (given.startsWith('[')) return isIP(given.slice(1, -1)) === 6;
  return given === hostname || given.normalize('NFC') === domainToUnicode(hostname);
}

function bare(hostname: string): string {
  return hostname.replace(/\.$/, '');
}

function refused(reason: string): TargetVerdict {
  return { ok: false, reason };
}
