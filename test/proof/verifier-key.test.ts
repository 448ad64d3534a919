import { expect } from 'chai';
import { base64 } from '../../src/proof/encoding.ts';
import {
  COSIGNATURE,
  ED25519,
  formatVerifierKey,
  parseVerifierKey,
  verifierKey,
} from '../../src/proof/verifier-key.ts';

describe('a verifier key', () => {
  // The example of C2SP signed-note.
  const text = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';

  it('round-trips', () => {
    expect(parseVerifierKey(text)).to.include({ name: 'example.com/foo', id: '530d903a', type: ED25519 });
    expect(formatVerifierKey(parseVerifierKey(text))).to.equal(text);
  });

  const refused = [
    text.replace('530d903a', '530d903b'),
    text.replace('530d903a', '530D903A'),
    text.replace('foo', 'fop'),
    text.replace('U2k', 'U2l'),
    text.replace('AekyeRrm', 'AekyeRrn'),
    text.slice(0, -4),
    `${text}\n`,
    'example.com/foo+530d903a',
    '',
    // Type 0x02, an ECDSA key.
    `x+00000000+${base64(Uint8Array.of(2, ...new Uint8Array(32)))}`,
  ];
  for (const other of refused) {
    it(`is not parsed from ${JSON.stringify(other.slice(-60))}`, () => {
      expect(() => parseVerifierKey(other)).to.throw(SyntaxError);
    });
  }

  it('has a name without white space, plus signs, and control characters', () => {
    for (const name of ['', 'a b', 'a+b', 'a\u00a0b', 'a\u2003b', 'a\u0085b', 'a\nb', 'a\u0000', '\ud800']) {
      expect(() => verifierKey(name, ED25519, new Uint8Array(32)), JSON.stringify(name)).to.throw(RangeError);
    }
    expect(verifierKey('Ä/ü-1', ED25519, new Uint8Array(32)).name).to.equal('Ä/ü-1');
    expect(() => verifierKey('a', ED25519, new Uint8Array(31))).to.throw(RangeError);
  });

  it('has another id for a witness than for plain signatures', () => {
    const publicKey = new Uint8Array(32).fill(9);
    expect(verifierKey('w', COSIGNATURE, publicKey).id).to.not.equal(verifierKey('w', ED25519, publicKey).id);
  });
});
