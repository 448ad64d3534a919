import { expect } from 'chai';
import fc from 'fast-check';
import { hex, utf8 } from '../../src/proof/encoding.ts';
import { sha256 } from '../../src/proof/sha256.ts';
import { nodeSha256 } from './grown-tree.ts';

describe('SHA-256', () => {
  // NIST, "Examples with Intermediate Values" for FIPS 180-4; the million is from FIPS 180-2 appendix B.3.
  const published: [string, string][] = [
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    ],
    ['a'.repeat(1_000_000), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0'],
  ];
  for (const [message, digest] of published) {
    it(`hashes ${message.length} characters as published`, () => {
      expect(hex(sha256(utf8(message)))).to.equal(digest);
    });
  }

  it('agrees with node:crypto at every length around the padding', () => {
    for (let length = 0; length <= 260; length += 1) {
      const message = Uint8Array.from({ length }, (_, i) => (i * 37 + length) % 256);
      expect(hex(sha256(message)), `${length} bytes`).to.equal(hex(nodeSha256(message)));
    }
  });

  it('agrees with node:crypto on random bytes, and does not modify them', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (message) => {
        const before = message.slice();
        expect(hex(sha256(message))).to.equal(hex(nodeSha256(message)));
        expect(message).to.deep.equal(before);
      }),
    );
  });
});
