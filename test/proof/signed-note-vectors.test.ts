import { expect } from 'chai';
import { cosign, openCheckpoint } from '../../src/proof/checkpoint.ts';
import { cosignedMessage } from '../../src/proof/cosignature.ts';
import { keyPair, verify } from '../../src/proof/ed25519.ts';
import { base64, fromHex, hex } from '../../src/proof/encoding.ts';
import { openNote, parseNote, signNote } from '../../src/proof/signed-note.ts';
import {
  COSIGNATURE,
  formatVerifierKey,
  parseVerifierKey,
  verifierKey,
} from '../../src/proof/verifier-key.ts';
import { describeVectors } from './vectors.ts';

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

  it("verify the checkpoints of Tessera's test log", async () => {
    const { origin, vkey, checkpoints, roots_base64_by_size } = vectors.tiled_log;
    for (const [size, note] of Object.entries(checkpoints)) {
      const { checkpoint } = await openCheckpoint(note, origin, [parseVerifierKey(vkey)]);
      expect(checkpoint.size).to.equal(Number(size));
      expect(base64(checkpoint.root)).to.equal(roots_base64_by_size[Number(size)]);
    }
  });

  it('have the version 1 cosignature that another program computed', async () => {
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
