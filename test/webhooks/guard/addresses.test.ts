import { expect } from 'chai';
import fc from 'fast-check';
import { isPublicAddress } from '../../../src/webhooks/guard/names.ts';
import { hostileIPv4, hostileIPv6 } from './hostile-targets.ts';

/** First and last address of each non-public range, written out by hand from IANA's registries of IPv4. */
const notPublic: readonly (readonly [first: string, last: string])[] = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['168.63.129.16', '168.63.129.16'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.31.196.0', '192.31.196.255'],
  ['192.52.193.0', '192.52.193.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['192.175.48.0', '192.175.48.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '255.255.255.255'],
];

const number = (address: string) => address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);
const dotted = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
const table = notPublic.map(([first, last]) => [number(first), number(last)] as const);
const inTable = (value: number) => table.some(([first, last]) => value >= first && value <= last);

/** Returns an IPv4 address as two groups of IPv6. */
const groups = (value: number) => `${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}`;

const anyIPv4 = fc.oneof(
  fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  // Near the range borders, where mistakes occur.
  fc
    .tuple(fc.constantFrom(...table.flat()), fc.integer({ min: -300, max: 300 }))
    .map(([border, by]) => Math.min(Math.max(border + by, 0), 2 ** 32 - 1)),
);

describe('public addresses', () => {
  it('are judged for all of IPv4 as in a table written by hand', () => {
    fc.assert(
      fc.property(anyIPv4, (value) => {
        expect(isPublicAddress(dotted(value)), dotted(value)).to.equal(!inTable(value));
      }),
      { numRuns: 5000 },
    );
  });

  it('are exact at both ends of every range', () => {
    for (const [first, last] of table) {
      for (const value of [first, last])
        expect(isPublicAddress(dotted(value)), dotted(value)).to.equal(false);
      for (const value of [first - 1, last + 1])
        if (value >= 0 && value < 2 ** 32)
          expect(isPublicAddress(dotted(value)), dotted(value)).to.equal(!inTable(value));
    }
  });

  it('exclude the hostile corpus', () => {
    expect([...hostileIPv4, ...hostileIPv6].filter(isPublicAddress)).to.deep.equal([]);
  });

  it('exclude every IPv6 form of an IPv4 address, public or not', () => {
    fc.assert(
      fc.property(anyIPv4, (value) => {
        const four = groups(value);
        for (const address of [
          `::${four}`,
          `::ffff:${four}`,
          `::ffff:${dotted(value)}`,
          `::ffff:0:${four}`,
          `64:ff9b::${four}`,
          `64:ff9b:1::${four}`,
          `2002:${four}::1`,
          `2001:0:${four}::1`,
          `2a00:1450::5efe:${four}`,
          `2a00:1450::200:5efe:${four}`,
        ])
          expect(isPublicAddress(address), address).to.equal(false);
      }),
    );
  });

  it('are within the allocated range of IPv6', () => {
    const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (parts) => {
        const first = Number.parseInt(parts[0] as string, 16);
        if (isPublicAddress(parts.join(':'))) expect(first).to.be.within(0x2000, 0x3fff);
      }),
      { numRuns: 1000 },
    );
  });

  it('include addresses of public providers', () => {
    for (const address of [
      '8.8.8.8',
      '1.1.1.1',
      '93.184.215.14',
      '192.0.1.1',
      '192.0.3.1',
      '198.17.255.255',
      '198.20.0.0',
      '223.255.255.255',
      '2001:200::1',
      '2001:4860:4860::8888',
      '2003::1',
      '2400:cb00::1',
      '2606:4700:4700::1111',
      '2a00:1450:4001:81b::200e',
      '2c0f:fb50::1',
    ])
      expect(isPublicAddress(address), address).to.equal(true);
  });

  it('are accepted only in their plain notation', () => {
    for (const text of [
      '',
      'example.com',
      '134744072',
      '0x08080808',
      '010.8.8.8',
      '8.8.8',
      '8.8.8.8.',
      ' 8.8.8.8',
      '8.8.8.8 ',
      '8.8.8.8/32',
      '８.8.8.8',
      '[2606:4700::1]',
      '2606:4700::1%eth0',
      '2606:4700::1%',
      '2606:4700::1/64',
    ])
      expect(isPublicAddress(text), text).to.equal(false);
  });
});
