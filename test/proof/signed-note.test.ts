import { expect } from 'chai';
import fc from 'fast-check';
import {
  cosign,
  formatCheckpoint,
  openCheckpoint,
  parseCheckpoint,
  signCheckpoint,
} from '../../src/proof/checkpoint.ts';
import { cosignedMessage } from '../../src/proof/cosignature.ts';
import { keyPair, verify } from '../../src/proof/ed25519.ts';
import { base64, fromHex, hex, utf8 } from '../../src/proof/encoding.ts';
import { openNote, parseNote, type Signer, signatureLine, signNote } from '../../src/proof/signed-note.ts';
import {
  COSIGNATURE,
  ED25519,
  formatVerifierKey,
  parseVerifierKey,
  verifierKey,
} from '../../src/proof/verifier-key.ts';
import { logSigner, ORIGIN, testSigner, witnesses } from './example-log.ts';
import { describeVectors } from './vectors.ts';

/** What a promise was rejected with; fails when it was not. */
export async function rejection(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error('it was accepted');
}

describe('a verifier key', () => {
  // The example of C2SP signed-note.
  const text = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';

  it('is read and written', () => {
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
    it(`is not read from ${JSON.stringify(other.slice(-60))}`, () => {
      expect(() => parseVerifierKey(other)).to.throw(SyntaxError);
    });
  }

  it('has a name without white space, plus and control characters', () => {
    for (const name of ['', 'a b', 'a+b', 'a\u00a0b', 'a\u2003b', 'a\u0085b', 'a\nb', 'a\u0000', '\ud800']) {
      expect(() => verifierKey(name, ED25519, new Uint8Array(32)), JSON.stringify(name)).to.throw(RangeError);
    }
    expect(verifierKey('Ä/ü-1', ED25519, new Uint8Array(32)).name).to.equal('Ä/ü-1');
    expect(() => verifierKey('a', ED25519, new Uint8Array(31))).to.throw(RangeError);
  });

  it('of a witness has another id than one for plain signatures', () => {
    const publicKey = new Uint8Array(32).fill(9);
    expect(verifierKey('w', COSIGNATURE, publicKey).id).to.not.equal(verifierKey('w', ED25519, publicKey).id);
  });
});

describe('a signed note', () => {
  let other: Signer;
  let note: string;
  before(async () => {
    other = await testSigner('other.example', 7);
    note = await signNote('A line.\n\nÄnother.\n', [logSigner, other]);
  });

  it('is verified by the keys that are trusted, whoever else signed', async () => {
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

  it('is refused as a whole when one trusted key’s signature is false', async () => {
    const text = 'Something else.\n';
    const forged = `${await signNote(text, [logSigner])}${note.slice(note.lastIndexOf('— '))}`;
    expect((await openNote(forged, [logSigner.key])).text).to.equal(text);
    expect(await rejection(openNote(forged, [logSigner.key, other.key]))).to.match(/false/);
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
    ['no last newline', `text\n\n${line.slice(0, -1)}`],
    ['an empty line after the signatures', `text\n\n${line}\n`],
    ['a hyphen for the dash', `text\n\n${line.replace('—', '-')}`],
    ['a carriage return', `text\r\n\n${line}`],
    ['a tab', `te\txt\n\n${line}`],
    ['a zero character', `text\u0000\n\n${line}`],
    ['a lone surrogate', `text\ud800\n\n${line}`],
    ['two spaces', `text\n\n${line.replace(' a ', ' a  ')}`],
    ['a name with a plus', `text\n\n${line.replace(' a ', ' a+b ')}`],
    ['a name with another space', `text\n\n${line.replace(' a ', ' a\u2003b ')}`],
    ['no base64', `text\n\n${line.replace('AAA', '!!!')}`],
    ['loose base64', `text\n\n— a AAAAAAB=\n`],
    ['a signature of no bytes', `text\n\n— a AAAAAA==\n`],
    ['something after the signature', `text\n\n${line.slice(0, -1)} x\n`],
    ['a hundred and one signatures', `text\n\n${line.repeat(101)}`],
    ['a text that is too long', `${'t'.repeat(1_000_000)}\n\n${line}`],
  ];
  for (const [what, given] of malformed) {
    it(`is malformed with ${what}`, () => expect(() => parseNote(given)).to.throw(SyntaxError));
  }

  it('may have a hundred signatures, and a text with empty lines', () => {
    expect(parseNote(`a\n\nb\n\n${line.repeat(100)}`)).to.have.property('text', 'a\n\nb\n');
  });

  it('is not made of a text that cannot be one, nor by a witness', async () => {
    for (const text of ['', 'no newline', 'a\tb\n', '\ud800\n']) {
      expect(await rejection(signNote(text, [logSigner]))).to.be.instanceOf(RangeError);
    }
    expect(await rejection(signNote('text\n', [witnesses[0]!]))).to.be.instanceOf(RangeError);
  });
});

describe('a checkpoint', () => {
  const checkpoint = { origin: ORIGIN, size: 18, root: new Uint8Array(32).fill(5) };
  const text = formatCheckpoint(checkpoint);
  let note: string;
  before(async () => {
    note = await signCheckpoint(checkpoint, [logSigner]);
  });

  it('is three lines under which the log signs', async () => {
    expect(text).to.equal(`${ORIGIN}\n18\nBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU=\n`);
    const { checkpoint: opened, signedBy, cosignedBy } = await openCheckpoint(note, ORIGIN, [logSigner.key]);
    expect(opened).to.deep.equal(checkpoint);
    expect(signedBy).to.have.length(1);
    expect(cosignedBy).to.have.length(0);
  });

  it('may have lines after the third', () => {
    expect(parseCheckpoint(`${text}another line\n`)).to.deep.equal(checkpoint);
  });

  const malformed = [
    '',
    '\n',
    `${ORIGIN}\n18\n`,
    text.slice(0, -1),
    `\n${text}`,
    `${text}\n`,
    `${text}\nx\n`,
    text.replace('18', '018'),
    text.replace('18', '-1'),
    text.replace('18', '1e3'),
    text.replace('18', '+18'),
    text.replace('18', '9007199254740992'),
    text.replace('18', ''),
    text.replace('U=', '='),
    text.replace('U=\n', 'Q==\n'),
    text.replace('BQU=', 'BQUF'),
  ];
  for (const other of malformed) {
    it(`is not read from ${JSON.stringify(other)}`, () =>
      expect(() => parseCheckpoint(other)).to.throw(SyntaxError));
  }

  it('of another log is refused, also when its key signed a checkpoint of this one', async () => {
    const stranger = await testSigner('stranger.example/log', 9);
    expect(await rejection(openCheckpoint(note, 'stranger.example/log', [logSigner.key]))).to.be.instanceOf(
      Error,
    );
    const strange = await signCheckpoint(checkpoint, [stranger]);
    expect(await rejection(openCheckpoint(strange, ORIGIN, [logSigner.key, stranger.key]))).to.be.instanceOf(
      Error,
    );
    const renamed = await signCheckpoint({ ...checkpoint, origin: 'stranger.example/log' }, [logSigner]);
    expect(await rejection(openCheckpoint(renamed, ORIGIN, [logSigner.key]))).to.match(/stranger/);
  });

  it('is not proven by a witness alone', async () => {
    const [witness] = witnesses;
    const line = await cosign(note, witness!, 1);
    const alone = `${text}\n${line}`;
    expect(await rejection(openCheckpoint(alone, ORIGIN, [logSigner.key], [witness!.key]))).to.match(
      /no trusted key/,
    );
  });
});

describe('a cosignature', () => {
  const timestamp = 1_772_388_000;
  let note: string;
  before(async () => {
    note = await signCheckpoint({ origin: ORIGIN, size: 1, root: new Uint8Array(32) }, [logSigner]);
    for (const witness of witnesses)
      note += await cosign(note, witness, timestamp + witnesses.indexOf(witness));
  });

  it('says which witness knew the checkpoint, and when', async () => {
    const known = witnesses.map(({ key }) => key);
    const { cosignedBy } = await openCheckpoint(note, ORIGIN, [logSigner.key], known);
    expect(cosignedBy).to.deep.equal(known.map((key, i) => ({ key, timestamp: timestamp + i })));
    const { cosignedBy: fewer } = await openCheckpoint(note, ORIGIN, [logSigner.key], known.slice(2));
    expect(fewer.map(({ key }) => key)).to.deep.equal(known.slice(2));
  });

  it('cannot be given another time', async () => {
    const { signatures } = parseNote(note);
    const last = signatures.at(-1)!;
    const later = last.signature.slice();
    later[7]! += 1;
    const moved = note.slice(0, note.lastIndexOf('— ')) + signatureLine(last, later);
    const opened = openCheckpoint(
      moved,
      ORIGIN,
      [logSigner.key],
      witnesses.map(({ key }) => key),
    );
    expect(await rejection(opened)).to.match(/false/);
  });

  it('must have 72 bytes and a time before the year 10000', async () => {
    const { key } = witnesses[0]!;
    const start = note.slice(0, note.indexOf('— witness'));
    for (const bytes of [new Uint8Array(64), new Uint8Array(73), new Uint8Array(72).fill(0xff)]) {
      const opened = openCheckpoint(start + signatureLine(key, bytes), ORIGIN, [logSigner.key], [key]);
      expect(await rejection(opened)).to.be.instanceOf(SyntaxError);
    }
  });

  it('is made by a witness’s key only', async () => {
    expect(await rejection(cosign(note, logSigner, 1))).to.be.instanceOf(RangeError);
  });
});

describe('Ed25519', () => {
  it('says no to keys and signatures of impossible form', async () => {
    const { publicKey, sign } = await keyPair(new Uint8Array(32));
    const message = utf8('message');
    const signature = await sign(message);
    expect(await verify(publicKey, message, signature)).to.equal(true);
    expect(await verify(publicKey, message, signature.subarray(1))).to.equal(false);
    expect(await verify(publicKey, message, new Uint8Array(64).fill(255))).to.equal(false);
    expect(await verify(publicKey.subarray(1), message, signature)).to.equal(false);
    expect(await verify(new Uint8Array(32).fill(255), message, signature)).to.equal(false);
    expect(await rejection(keyPair(new Uint8Array(31)))).to.be.instanceOf(RangeError);
  });
});

describeVectors('Ed25519, signed notes, checkpoints and cosignatures', (vectors) => {
  it('have the keys and signatures of RFC 8032 section 7.1', async () => {
    for (const { seed, pub, msg, sig } of vectors.ed25519.vectors) {
      const { publicKey, sign } = await keyPair(fromHex(seed));
      expect(hex(publicKey)).to.equal(pub);
      expect(hex(await sign(fromHex(msg)))).to.equal(sig);
      expect(await verify(fromHex(pub), fromHex(msg), fromHex(sig))).to.equal(true);
    }
  });

  for (const vector of vectors.signed_notes.vectors) {
    it(`verify the note of ${vector.source}`, async () => {
      const key = parseVerifierKey(vector.vkey);
      expect(formatVerifierKey(key)).to.equal(vector.vkey);
      const { text, verified } = await openNote(vector.note, [key]);
      expect(verified).to.have.length(1);
      if (vector.sign_seed_hex === undefined) return;
      const { publicKey, sign } = await keyPair(fromHex(vector.sign_seed_hex));
      expect(hex(publicKey)).to.equal(hex(key.publicKey));
      expect(await signNote(text, [{ key, sign }])).to.equal(`${text}\n${vector.expected_signature_line}`);
    });
  }

  it('verify the checkpoints of the test log of Tessera', async () => {
    const { origin, vkey, checkpoints, roots_base64_by_size } = vectors.tiled_log;
    for (const [size, note] of Object.entries(checkpoints)) {
      const { checkpoint } = await openCheckpoint(note, origin, [parseVerifierKey(vkey)]);
      expect(checkpoint.size).to.equal(Number(size));
      expect(base64(checkpoint.root)).to.equal(roots_base64_by_size[Number(size)]);
    }
  });

  it('have the cosignature of version 1 that was computed elsewhere', async () => {
    const { name, timestamp, vkey, signed_message, line } = vectors.cosignature_v1;
    const note = vectors.tiled_log.checkpoints[15]!;
    const { publicKey, sign } = await keyPair(fromHex(vectors.ed25519.vectors[0]!.seed));
    const key = verifierKey(name, COSIGNATURE, publicKey);
    expect(formatVerifierKey(key)).to.equal(vkey);
    expect(cosignedMessage(parseNote(note).text, timestamp)).to.equal(signed_message);
    expect(await cosign(note, { key, sign }, timestamp)).to.equal(line);
    const log = parseVerifierKey(vectors.tiled_log.vkey);
    const { cosignedBy } = await openCheckpoint(note + line, vectors.tiled_log.origin, [log], [key]);
    expect(cosignedBy).to.deep.equal([{ key, timestamp }]);
  });
});
