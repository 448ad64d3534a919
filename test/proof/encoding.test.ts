import { expect } from 'chai';
import fc from 'fast-check';
import { base64, equalBytes, fromBase64, fromHex, fromUtf8, hex, utf8 } from '../../src/proof/encoding.ts';

describe('bytes as text', () => {
  it('round-trip through hex, base64, and UTF-8', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.string({ unit: 'grapheme' }), (bytes, text) => {
        expect(equalBytes(fromHex(hex(bytes)), bytes)).to.equal(true);
        expect(equalBytes(fromBase64(base64(bytes)), bytes)).to.equal(true);
        expect(fromUtf8(utf8(text))).to.equal(text);
      }),
    );
  });

  it('have the standard encoding', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(hex(bytes)).to.equal(Buffer.from(bytes).toString('hex'));
        expect(base64(bytes)).to.equal(Buffer.from(bytes).toString('base64'));
      }),
    );
  });

  for (const text of ['AB', 'abc', '0g', ' 00', '00 ', '0x00']) {
    it(`are not parsed from the hex ${JSON.stringify(text)}`, () => {
      expect(() => fromHex(text)).to.throw(SyntaxError);
    });
  }

  // RFC 4648 section 3.5: the last bits of "AB==" are not zero, so it would be a second text for the byte of "AA==".
  for (const text of ['AB==', 'AA', 'AA=', 'A A==', 'AA==\n', '-_8=', '=', '====', 'é']) {
    it(`are not parsed from the base64 ${JSON.stringify(text)}`, () => {
      expect(() => fromBase64(text)).to.throw(SyntaxError);
    });
  }

  it('are rejected as UTF-8 if invalid, and keep a byte order mark', () => {
    expect(() => fromUtf8(Uint8Array.of(0xc3))).to.throw(SyntaxError);
    expect(() => fromUtf8(Uint8Array.of(0xed, 0xa0, 0x80))).to.throw(SyntaxError);
    expect(fromUtf8(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61))).to.equal('\ufeffa');
  });
});
