import { expect } from 'chai';
import { COSIGNATURE, ED25519, formatVerifierKey, verifierKey } from '../../src/proof/verifier-key.ts';
import { parseWitnessList } from '../../src/proof/witness.ts';

describe('a list of witnesses', () => {
  const key = (name: string, byte: number, type: typeof ED25519 | typeof COSIGNATURE = COSIGNATURE) =>
    formatVerifierKey(verifierKey(name, type, new Uint8Array(32).fill(byte)));

  it('names each with its key and address', () => {
    const list = parseWitnessList(
      `${key('one', 1)} https://one.example/, ${key('two', 2)}  http://two.example/w`,
    );
    expect(list.map(({ key, url }) => [key.name, url])).to.deep.equal([
      ['one', 'https://one.example'],
      ['two', 'http://two.example/w'],
    ]);
    expect(parseWitnessList(' ')).to.deep.equal([]);
  });

  for (const [what, text, reason] of [
    ['without an address', key('one', 1), 'must be written'],
    ['with an address of another kind', `${key('one', 1)} ftp://one.example`, 'must be written'],
    ['that is named twice', `${key('one', 1)} http://a.b, ${key('one', 2)} http://c.d`, 'twice'],
    ['whose key is for plain signatures', `${key('one', 1, ED25519)} http://a.b`, "not a witness's key"],
    ['whose key is malformed', 'one http://a.b', 'a verifier key has the form'],
    ['that is empty', `${key('one', 1)} http://a.b,`, 'must be written'],
  ] as const)
    it(`refuses a witness ${what}`, () => {
      expect(() => parseWitnessList(text)).to.throw(SyntaxError, reason);
    });
});
