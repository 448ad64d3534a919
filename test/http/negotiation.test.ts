import { expect } from 'chai';
import fc from 'fast-check';
import { noneMatches, preferredCoding } from '../../src/http/transport/headers.ts';

describe('the content coding of an answer', () => {
  for (const [header, coding] of [
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['br;q=0.2, gzip;q=0.1', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0', 'identity'],
    ['gzip;q=0.5, identity', 'identity'],
    ['*', 'br'],
    ['*;q=0.1, gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['identity;q=0, *;q=0', 'identity'],
    ['deflate', 'identity'],
    ['GZIP', 'gzip'],
    ['zstd, brotli', 'identity'],
  ] as const)
    it(`is ${coding} for ${JSON.stringify(header)}`, () => {
      expect(preferredCoding(header)).to.equal(coding);
    });

  it('is a supported one, whatever the header', () => {
    fc.assert(
      fc.property(fc.string(), (header) => ['identity', 'gzip', 'br'].includes(preferredCoding(header))),
    );
  });
});

const etag = 'W/"abc"';

describe('If-None-Match', () => {
  for (const [header, matches] of [
    [undefined, false],
    ['', false],
    ['W/"abc"', true],
    ['"abc"', true],
    [' W/"abc" ', true],
    ['*', true],
    ['"x", W/"abc"', true],
    ['"x",W/"y" , "abc"', true],
    ['"x"', false],
    ['abc', false],
    ['"x,abc"', false],
    ['"*"', false],
    ['W/"ABC"', false],
  ] as const)
    it(`${JSON.stringify(header)} ${matches ? 'matches' : 'does not match'} ${etag}`, () => {
      expect(noneMatches(header, etag)).to.equal(matches);
    });
});
