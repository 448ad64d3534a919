import ipaddr from 'ipaddr.js';

/**
 * Ranges that are not public unicast although `ipaddr.js` says so, with sources. IPv6 outside 2000::/3 needs no entry: none of it is
 * allocated.
 */
const furtherRanges = [
  // 6bone, returned: RFC 3701.
  '3ffe::/16',
  // Azure's platform address in every virtual network. No RFC; Microsoft's documentation on 168.63.129.16.
  '168.63.129.16/32',
].map((range) => ipaddr.parseCIDR(range));

/** All global unicast addresses that IANA allocates from (RFC 4291, section 2.4, and its registry). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** ISATAP interface identifiers, which embed an IPv4 address of their site: RFC 5214, section 6.1. */
const isatapIdentifiers = [0x0000, 0x0200];

/**
 * Reports whether an address is public unicast, so that connecting to it for a stranger is safe. Only dotted decimal IPv4 and IPv6 without
 * a zone can be public.
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
  // A zone names an interface of this machine (RFC 4007).
  if (address.includes('%') || !ipaddr.IPv6.isValid(address)) return undefined;
  return ipaddr.IPv6.parse(address);
}

function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return isatapIdentifiers.includes(parts[4] as number) && parts[5] === 0x5efe;
}
