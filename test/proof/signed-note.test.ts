import { expect } from 'chai';
import fc from 'fast-check';
import { utf8 } from '../../src/proof/encoding.ts';
import { openNote, parseNote, type Signer, signatureLine, signNote } from '../../src/proof/signed-note.ts';
import { logSigner, testSigner, witnesses } from './example-log.ts';
import { rejection } from './rejection.ts';

describe('a signed note', () => {
  let other: Signer;
  let note: string;
  before(async () => {
    other = await testSigner('other.example', 7);
    note = await signNote('A line.\n\nÄnother.\n', [logSigner, other]);
  });

  it('is verified by trusted keys, whatever other keys have signed', async () => {
    const { text, verified } = await openNote(note, [other.key]);
    expect(text).to.equal('A line.\n\nÄnother.\n');
    expect(verified).to.deep.equal([{ key: other.key, timestamp: null }]);
    expect((await openNote(note, [other.key, logSigner.key])).verified).to.have.length(2);
  });

  it('counts a key once, however often it signed', async () => {
    const line = note.slice(note.lastIndexOf('— '));
    expect((await openNote(note + line, [other.key])).verified).to.have.length(1);
  });

  it('is refused without a signature of a trusted key', async () => {
    const third = await testSigner('third.example', 8);
    expect(await rejection(openNote(note, [third.key]))).to.be.instanceOf(Error);
    expect(await rejection(openNote(note, []))).to.be.instanceOf(Error);
    const sameName = await testSigner('other.example', 8);
    expect(await rejection(openNote(note, [sameName.key]))).to.be.instanceOf(Error);
  });

  it('is rejected as a whole if one trusted key’s signature is invalid', async () => {
    const text = 'Something else.\n';
    const forged = `${await signNote(text, [logSigner])}${note.slice(note.lastIndexOf('— '))}`;
    expect((await openNote(forged, [logSigner.key])).text).to.equal(text);
    expect(await rejection(openNote(forged, [logSigner.key, other.key]))).to.match(/invalid/);
  });

  it('is refused after any change of one bit in its text or in the signature', async () => {
    const bytes = utf8(await signNote('A line.\n', [logSigner]));
    const decode = new TextDecoder();
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length * 8 - 1), async (bit) => {
        const changed = bytes.map((byte, i) => (i === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
        await rejection(openNote(decode.decode(changed), [logSigner.key]));
      }),
      { numRuns: 400 },
    );
  });

  const line = signatureLine({ name: 'a', id: '00000000' }, new Uint8Array(64));
  const malformed: [string, string][] = [
    ['nothing', ''],
    ['no signature', 'text\n'],
    ['no signature after the empty line', 'text\n\n'],
    ['no empty line', `text\n${line}`],
    ['no final newline', `text\n\n${line.slice(0, -1)}`],
    ['an empty line after the signatures', `text\n\n${line}\n`],
    ['a hyphen instead of the dash', `text\n\n${line.replace('—', '-')}`],
    ['a carriage return', `text\r\n\n${line}`],
    ['a tab', `te\txt\n\n${line}`],
    ['a zero character', `text\u0000\n\n${line}`],
    ['a lone surrogate', `text\ud800\n\n${line}`],
    ['two spaces', `text\n\n${line.replace(' a ', ' a  ')}`],
    ['a name with a plus', `text\n\n${line.replace(' a ', ' a+b ')}`],
    ['a name with another kind of space', `text\n\n${line.replace(' a ', ' a\u2003b ')}`],
    ['a signature that is not base64', `text\n\n${line.replace('AAA', '!!!')}`],
    ['loose base64', `text\n\n— a AAAAAAB=\n`],
    ['a signature of no bytes', `text\n\n— a AAAAAA==\n`],
    ['text after the signature', `text\n\n${line.slice(0, -1)} x\n`],
    ['101 signatures', `text\n\n${line.repeat(101)}`],
    ['an overlong text', `${'t'.repeat(1_000_000)}\n\n${line}`],
  ];
  for (const [what, given] of malformed) {
    it(`is malformed with ${what}`, () => expect(() => parseNote(given)).to.throw(SyntaxError));
  }

  it('may have a hundred signatures, and a text with empty lines', () => {
    expect(parseNote(`a\n\nb\n\n${line.repeat(100)}`)).to.have.property('text', 'a\n\nb\n');
  });

  it('is never made from an invalid text or by a witness', async () => {
    for (const text of ['', 'no newline', 'a\tb\n', '\ud800\n']) {
      expect(await rejection(signNote(text, [logSigner]))).to.be.instanceOf(RangeError);
    }
    expect(await rejection(signNote('text\n', [witnesses[0]!]))).to.be.instanceOf(RangeError);
  });
});
