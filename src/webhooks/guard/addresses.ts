import ipaddr from 'ipaddr.js';

/**
 * Ranges that are not public unicast although `ipaddr.js` says so, each with its source. IPv6 outside 2000::/3 needs no line here: none
 * of it is allocated.
 */
const furtherRanges = [
  // The 6bone's, given back: RFC 3701.
  '3ffe::/16',
  // The platform's own address inside of every Azure network; no RFC, Microsoft's documentation on 168.63.129.16.
  '168.63.129.16/32',
].map((range) => ipaddr.parseCIDR(range));

/** All that IANA has allocated as global unicast addresses (RFC 4291, section 2.4, and its registry). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Interface identifiers of ISATAP, which carry an IPv4 address of their site: RFC 5214, section 6.1. */
const isatapIdentifiers = [0x0000, 0x0200];

/**
 * Whether an address is public unicast, so that connecting to it on a stranger's request is safe. Anything but dotted decimal IPv4 or
 * IPv6 without a zone is not public.
 */
export function isPublicAddress(address: string): boolean {
  const parsed = parse(address);
  if (parsed === undefined || parsed.range() !== 'unicast') return false;
  if (furtherRanges.some(([range, bits]) => parsed.kind() === range.kind() && parsed.match(range, bits)))
    return false;
  return parsed instanceof ipaddr.IPv4 || (parsed.match(globalUnicast) && !isIsatap(parsed));
}

function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address);
  // A zone names an interface of this very machine (RFC 4007).
  if (address.includes('%') || !ipaddr.IPv6.isValid(address)) return undefined;
  return ipaddr.IPv6.parse(address);
}

function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return isatapIdentifiers.includes(parts[4] as number) && parts[5] === 0x5efe;
}
