/** Addresses that no webhook may reach, each with the registry entry that says why. */
export const hostileIPv4 = [
  '0.0.0.0', // this network, RFC 791
  '0.1.2.3',
  '10.0.0.1', // private use, RFC 1918
  '10.255.255.255',
  '100.64.0.1', // shared, RFC 6598
  '100.100.100.200', // cloud metadata in that range
  '100.127.255.255',
  '127.0.0.1', // loopback, RFC 1122
  '127.1.2.3',
  '127.255.255.254',
  '168.63.129.16', // cloud platform
  '169.254.0.1', // link-local, RFC 3927
  '169.254.169.254', // metadata of most clouds
  '169.254.170.2',
  '172.16.0.1', // private use
  '172.31.255.255',
  '192.0.0.1', // IETF protocols, RFC 6890
  '192.0.0.192',
  '192.0.2.1', // documentation, RFC 5737
  '192.31.196.1', // AS112, RFC 7535
  '192.52.193.1', // AMT, RFC 7450
  '192.88.99.1', // 6to4 relays, RFC 7526
  '192.168.0.1', // private use
  '192.168.255.255',
  '192.175.48.1', // AS112, RFC 7534
  '198.18.0.1', // benchmarks, RFC 2544
  '198.19.255.255',
  '198.51.100.7', // documentation
  '203.0.113.9', // documentation
  '224.0.0.1', // multicast, RFC 5771
  '239.255.255.250',
  '240.0.0.1', // reserved, RFC 1112
  '255.255.255.254',
  '255.255.255.255', // broadcast, RFC 919
];

export const hostileIPv6 = [
  '::', // unspecified, RFC 4291
  '::1', // loopback
  '0:0:0:0:0:0:0:1',
  '0000:0000:0000:0000:0000:0000:0000:0001',
  '::127.0.0.1', // IPv4-compatible, RFC 4291, 2.5.5.1
  '::7f00:1',
  '::10.0.0.1',
  '::8.8.8.8',
  '::ffff:127.0.0.1', // IPv4-mapped, 2.5.5.2
  '::ffff:7f00:1',
  '::FFFF:10.0.0.1',
  '::ffff:a9fe:a9fe',
  '0:0:0:0:0:ffff:192.168.0.1',
  '::ffff:8.8.8.8',
  '::ffff:0:127.0.0.1', // IPv4-translated, RFC 2765
  '64:ff9b::127.0.0.1', // NAT64, RFC 6052
  '64:ff9b::7f00:1',
  '64:ff9b::10.0.0.1',
  '64:ff9b:1::a00:1', // local NAT64, RFC 8215
  '64:ff9b:1:ffff::1',
  '100::1', // discard, RFC 6666
  '100:0:0:1::1', // dummy, RFC 9780
  '2001::1', // Teredo, RFC 4380
  '2001:0:7f00:1::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:1::1', // protocols, RFC 2928
  '2001:2::1', // benchmarks, RFC 5180
  '2001:3::1', // AMT, RFC 7450
  '2001:4:112::1', // AS112
  '2001:10::1', // ORCHID, RFC 4843
  '2001:20::1', // ORCHIDv2, RFC 7343
  '2001:2f:ffff::1',
  '2001:30::1', // drones, RFC 9374
  '2001:db8::1', // documentation, RFC 3849
  '2001:db8:ffff:ffff::1',
  '2002:7f00:1::', // 6to4, RFC 3056
  '2002:a00:1::1',
  '2002:a9fe:a9fe::1',
  '2002:c0a8:1::1',
  '2002:808:808::1',
  '2606:4700:0:0:0:5efe:a00:1', // ISATAP, RFC 5214
  '2606:4700::200:5efe:127.0.0.1',
  '2620:4f:8000::1', // AS112
  '3ffe::1', // 6bone, RFC 3701
  '3fff::1', // documentation, RFC 9637
  '3fff:fff::1',
  '4000::1', // unallocated
  '5f00::1', // segment routing, RFC 9602
  '8000::1',
  'e000::1',
  'fc00::1', // unique local, RFC 4193
  'fd00::1',
  'fd00:ec2::254', // cloud metadata
  'fdff:ffff::1',
  'fe80::1', // link-local
  'fe80::a00:1',
  'febf::1',
  'fec0::1', // site-local, RFC 3879
  'feff::1',
  'ff00::1', // multicast
  'ff02::1',
  'ff02::2',
  'ff05::1:3',
  'ff0e::1',
];

type Octets = readonly [number, number, number, number];

const hex = (value: number) => `0x${value.toString(16)}`;
const octal = (value: number) => `0${value.toString(8)}`;
const number = ([a, b, c, d]: Octets) => ((a * 256 + b) * 256 + c) * 256 + d;
const fullWidth = (text: string) =>
  text.replace(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0));
const circled = (text: string) =>
  text.replace(/\d/g, (digit) => (digit === '0' ? '⓪' : String.fromCharCode(0x245f + Number(digit))));
const percent = (text: string) =>
  text.replace(/./g, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`);

/** The notations of an IPv4 address that some parser understands. */
const spellings: readonly ((octets: Octets) => string)[] = [
  (octets) => octets.join('.'),
  (octets) => `${octets.join('.')}.`,
  (octets) => String(number(octets)),
  (octets) => hex(number(octets)),
  (octets) => hex(number(octets)).toUpperCase(),
  (octets) => octal(number(octets)),
  (octets) => String(number(octets) + 2 ** 32),
  (octets) => octets.map(hex).join('.'),
  (octets) => octets.map(octal).join('.'),
  (octets) => octets.map((octet) => String(octet).padStart(4, '0')).join('.'),
  ([a, b, c, d]) => `${hex(a)}.${b}.${octal(c)}.${d}`,
  ([a, b, c, d]) => `${a}.${b}.${c * 256 + d}`,
  ([a, b, c, d]) => `${a}.${(b * 256 + c) * 256 + d}`,
  ([a, b, c, d]) => `${hex(a)}.${hex((b * 256 + c) * 256 + d)}`,
  (octets) => fullWidth(octets.join('.')),
  (octets) => circled(octets.join('.')),
  (octets) => octets.join('。'),
  (octets) => octets.join('．'),
  (octets) => octets.join('｡'),
  (octets) => percent(octets.join('.')),
  (octets) => octets.join('%2e'),
  (octets) => octets.join('%E3%80%82'),
  (octets) => `[::ffff:${octets.join('.')}]`,
  (octets) => `[::${octets.join('.')}]`,
  (octets) => `[64:ff9b::${octets.join('.')}]`,
  (octets) => `[${octets.join('.')}]`,
  (octets) => `user@${octets.join('.')}`,
  (octets) => `example.com@${octets.join('.')}`,
  (octets) => `${octets.join('.')}:80`,
];

/** `https://` and every hostile IPv4 address in every notation. */
const spelledIPv4 = hostileIPv4.flatMap((address) =>
  spellings.map((spell) => `https://${spell(address.split('.').map(Number) as unknown as Octets)}/hook`),
);

const spelledIPv6 = hostileIPv6.flatMap((address) => [
  `https://[${address}]/hook`,
  `https://[${address.toUpperCase()}]:8443/hook`,
  `https://[${address}%25eth0]/hook`,
  `https://[${address}%eth0]/hook`,
  `https://[${address}%251]:443/hook`,
  `https://${address}/hook`,
]);

const names = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'LocalHost.',
  'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
  'ｌｏｃａｌｈｏｓｔ',
  'local\u00adhost',
  '%6c%6f%63%61%6c%68%6f%73%74',
  'localhost%00.example.com',
  'localhost%2eexample.com',
  'foo.localhost',
  'foo.localhost.',
  'localhost.localdomain',
  'ip6-localhost',
  'ip6-loopback',
  'broadcasthost',
  'intranet',
  'router',
  'com',
  'printer.local',
  'PRINTER.LOCAL.',
  'service.internal',
  'metadata.google.internal',
  'host.docker.internal',
  'kubernetes.default.svc.cluster.local',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster',
  'API.DEFAULT.SVC.',
  'web.task.swarm',
  'host.podman',
  'cache.service.nomad',
  'nas.homenet',
  'vm.novalocal',
  'gateway.docker',
  'db.service.consul',
  'wiki.corp',
  'nas.home',
  'nas.lan',
  'files.intranet',
  'files.private',
  'smtp.mail',
  'router.home.arpa',
  '1.0.0.127.in-addr.arpa',
  'ipv4only.arpa',
  'resolver.arpa',
  'printer.test',
  'hook.example',
  'hook.invalid',
  'expyuzz4wqqyqhjn.onion',
  'name.alt',
  '.',
  '..',
  '.com',
  'a..com',
  'example..com',
  'example.com..',
  '-a.com',
  'a-.com',
  'a b.com',
  'a\u200bb.com',
  'exa\u00admple.com',
  'exam_ple!.com',
  'exa$mple.com',
  '*.example.com',
  `${'a'.repeat(64)}.com`,
  `${'a.'.repeat(127)}com`,
  `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.com`,
  'ex。com',
  'ex．com',
  'ｅxample.com',
  'ﬁle.com',
  'example.com\u3002',
  'xn--.com',
  '1.2.3',
  '1.2.3.4.5',
  '256.256.256.256',
  '1.2.3.256',
  '0x7f.1',
  '0x.1',
  '127.1',
  '127.0.1',
  '1.2.3.08',
  'example.1',
  'example.0x1',
  '[::1',
  '::1]',
  '[]',
  '[::1]a',
  '[v1.a]',
  '[::1].example.com',
  '[1.2.3.4]',
  '[:::1]',
  '[2606:4700:4700::1111::]',
  '[2606:4700:4700:0:0:0:0:0:1111]',
].map((name) => `https://${name}/hook`);

const ports = [0, 1, 22, 25, 53, 80, 444, 2375, 3000, 3001, 5432, 6379, 8080, 8444, 9200, 11211, 65535].map(
  (port) => `https://hooks.public-picks.com:${port}/hook`,
);

const host = 'hooks.public-picks.com';

const syntax = [
  '',
  ' ',
  host,
  `//${host}/hook`,
  `/hook`,
  `https:${host}/hook`,
  `https:/${host}/hook`,
  `https:///${host}/hook`,
  `https:////${host}/hook`,
  `https:\\\\${host}\\hook`,
  `https:/\\${host}/hook`,
  `https://${host}\\hook`,
  `https://${host}\\@127.0.0.1/hook`,
  `https://127.0.0.1\\@${host}/hook`,
  `https://127.0.0.1\\.${host}/hook`,
  `https://${host}/hook\\..\\x`,
  ` https://${host}/hook`,
  `https://${host}/hook `,
  `https://${host}/ho ok`,
  `\thttps://${host}/hook`,
  `https://${host}/hook\n`,
  `https://${host}/ho\nok`,
  `https://${host}/hook\r\nX-Injected: 1`,
  `ht\ntps://${host}/hook`,
  `https:/\t/${host}/hook`,
  `https://127.0\n.0.1/hook`,
  `https://127.0\t.0.1/hook`,
  `https://${host}\u0000.evil.com/hook`,
  `https://${host}/\u0000`,
  `https://${host}/\u007f`,
  `https://${host}/\u00a0`,
  `https://${host}/\u2028`,
  `https://${host}/\u3000`,
  `https://\u202e${host}/hook`,
  `\ufeffhttps://${host}/hook`,
  `https://${host}#fragment`,
  `https://${host}/hook#`,
  `https://${host}/hook#@127.0.0.1`,
  `https://127.0.0.1#@${host}/hook`,
  `https://127.0.0.1?@${host}/hook`,
  `https://user@${host}/hook`,
  `https://user:password@${host}/hook`,
  `https://:password@${host}/hook`,
  `https://@${host}/hook`,
  `https://:@${host}/hook`,
  `https://${host}@127.0.0.1/hook`,
  `https://${host}:443@127.0.0.1/hook`,
  `https://${host}%40127.0.0.1/hook`,
  `https://${host}%2f@127.0.0.1/hook`,
  `https://${host}:443:443/hook`,
  `https://${host}:65536/hook`,
  `https://${host}:-443/hook`,
  `https://${host}:+443/hook`,
  `https://${host}:4e2/hook`,
  `https://${host}:0x1bb/hook`,
  `https://${host}:４４３/hook`,
  `https://${host}: 443/hook`,
  `https://${host}:https/hook`,
  'https://',
  'https:///',
  'https://?',
  'https://#',
  'https://:443/',
  'https://@/',
  'https',
  'https:',
  ...[
    'http',
    'HTTP',
    'httpss',
    'ftp',
    'ftps',
    'ws',
    'wss',
    'file',
    'gopher',
    'dict',
    'ldap',
    'ldaps',
    'tftp',
    'sftp',
    'ssh',
    'jar',
    'blob:https',
    'view-source:https',
    'javascript',
    'unix',
    'http+unix',
    'https+unix',
    'redis',
    'postgres',
    'smtp',
    'data',
  ].map((scheme) => `${scheme}://${host}/hook`),
  'file:///etc/passwd',
  'data:text/plain,x',
  'javascript:alert(1)//',
  `https://${host}/${'a'.repeat(2048)}`,
  `https://${host}/${'ä'.repeat(700)}`,
  `https://${host}/${'../'.repeat(1000)}`,
  `https://${'a.'.repeat(2000)}com/`,
  `https://${'a'.repeat(100_000)}`,
];

/** URLs that must be refused as written, before any name is resolved. */
export const hostileTargets: readonly string[] = [
  ...new Set([...spelledIPv4, ...spelledIPv6, ...names, ...ports, ...syntax]),
];

/** URLs of public hosts, which must be accepted, and the host that each means. */
export const publicTargets: readonly (readonly [url: string, host: string])[] = [
  ['https://example.com', 'example.com'],
  ['https://example.com/', 'example.com'],
  ['https://www.example.org/hook', 'www.example.org'],
  ['HTTPS://Example.COM/Hook', 'example.com'],
  ['https://example.com./hook', 'example.com'],
  ['https://example.com:443/hook', 'example.com'],
  ['https://example.com:8443/hook', 'example.com:8443'],
  ['https://example.com.:8443/hook', 'example.com:8443'],
  ['https://a.b.c.d.e.f.example.co.uk/hook?token=1&x=%20', 'a.b.c.d.e.f.example.co.uk'],
  ['https://example.com?x=1', 'example.com'],
  ['https://example.com/@user', 'example.com'],
  ['https://example.com/?next=https://127.0.0.1/', 'example.com'],
  ['https://example.com/a//b/../c', 'example.com'],
  ['https://example.com/%00', 'example.com'],
  ['https://hooks_1.example.com/', 'hooks_1.example.com'],
  ['https://xn--bcher-kva.example.com/', 'xn--bcher-kva.example.com'],
  ['https://bücher.example.com/', 'xn--bcher-kva.example.com'],
  ['https://BÜCHER.example.com/', 'xn--bcher-kva.example.com'],
  ['https://例え.jp/', 'xn--r8jz45g.jp'],
  ['https://local.example.com/', 'local.example.com'],
  ['https://localhost.example.com/', 'localhost.example.com'],
  ['https://internal.com/', 'internal.com'],
  ['https://test.com/', 'test.com'],
  ['https://127.0.0.1.example.com/', '127.0.0.1.example.com'],
  ['https://8.8.8.8/', '8.8.8.8'],
  ['https://8.8.8.8.:8443/', '8.8.8.8:8443'],
  ['https://1.1.1.1:443/hook', '1.1.1.1'],
  ['https://9.255.255.255/', '9.255.255.255'],
  ['https://11.0.0.0/', '11.0.0.0'],
  ['https://100.63.255.255/', '100.63.255.255'],
  ['https://100.128.0.0/', '100.128.0.0'],
  ['https://126.255.255.255/', '126.255.255.255'],
  ['https://128.0.0.0/', '128.0.0.0'],
  ['https://169.253.255.255/', '169.253.255.255'],
  ['https://172.15.255.255/', '172.15.255.255'],
  ['https://172.32.0.0/', '172.32.0.0'],
  ['https://192.167.255.255/', '192.167.255.255'],
  ['https://223.255.255.255/', '223.255.255.255'],
  ['https://[2606:4700:4700::1111]/', '[2606:4700:4700::1111]'],
  ['https://[2606:4700:4700:0:0:0:0:1111]/', '[2606:4700:4700::1111]'],
  ['https://[2A00:1450:4001:81B::200E]:8443/', '[2a00:1450:4001:81b::200e]:8443'],
  ['https://[2001:4860:4860::8888]/', '[2001:4860:4860::8888]'],
  ['https://[2003::1]/', '[2003::1]'],
  ['https://discord.com/api/webhooks/1/abc', 'discord.com'],
  ['https://DISCORD.com./api/webhooks/1/abc', 'discord.com'],
  ['https://discordapp.com/api/webhooks/1/abc', 'discordapp.com'],
];
