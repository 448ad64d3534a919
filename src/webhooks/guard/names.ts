import ipaddr from 'ipaddr.js';

/** Top-level labels without public hosts. `example.com` and similar names are ordinary (RFC 6761, section 6.5). */
const specialUse = new Set([
  // RFC 6761.
  'example',
  'invalid',
  'localhost',
  'test',
  // RFC 6762: multicast DNS (including Kubernetes' cluster.local), and names used in private networks (appendix G).
  'local',
  'corp',
  'home',
  'internal',
  'intranet',
  'lan',
  'private',
  // Reserved by ICANN (2018) because private networks use it.
  'mail',
  // RFC 7686, RFC 9476, and other overlay networks.
  'onion',
  'alt',
  'i2p',
  // Infrastructure (RFC 3172), including home.arpa (RFC 8375), ipv4only.arpa (RFC 8880), and resolver.arpa (RFC 9462).
  'arpa',
  // Search domains expand `api.default.svc` and `api.default.svc.cluster` to names inside a Kubernetes cluster.
  'svc',
  'pod',
  'cluster',
  'k8s',
  'kube',
  'kubernetes',
  // Service discovery and container networks.
  'consul',
  'nomad',
  'mesos',
  'docker',
  'swarm',
  'podman',
  'containers',
  'lxd',
  // Hosts files, DHCP servers, routers, and clouds.
  'localdomain',
  'localhost4',
  'localhost6',
  'localnet',
  'domain',
  'workgroup',
  'dhcp',
  'router',
  'gateway',
  'homenet',
  'vpn',
  'priv',
  'office',
  'server',
  'novalocal',
  'openstacklocal',
]);

const maxNameLength = 253;

/** A label of a name (RFC 1123, section 2.1), or with the underscore that some hosts use anyway. */
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** A sentence, or undefined if the name can be a public host. @param hostname lowercase, ASCII, without a trailing dot */
export function nameFault(hostname: string): string | undefined {
  const labels = hostname.split('.');
  const top = labels.at(-1) as string;
  if (hostname.length > maxNameLength || !labels.every((each) => label.test(each)))
    return 'The host is not a valid name.';
  if (labels.length < 2) return 'The host is a single word; a public host has a dot in its name.';
  if (specialUse.has(top)) return `Names that end in .${top} are not public.`;
  return undefined;
}

/** Not public unicast although `ipaddr.js` says so, with sources. IPv6 outside 2000::/3 needs no entry: none of it is allowed. */
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

/** Safe to connect to for a stranger. Only dotted decimal IPv4 and IPv6 without a zone can be public. */
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
