import { expect } from 'chai';
import {
  brokenPromises,
  openAcknowledgement,
  type PostedPick,
  signAcknowledgement,
} from '../../src/proof/acknowledgement.ts';
import { openCheckpoint } from '../../src/proof/checkpoint.ts';
import { signNote } from '../../src/proof/signed-note.ts';
import { examplePick, logSigner, ORIGIN, testSigner } from './example-log.ts';
import { rejection } from './rejection.ts';

const { capper_seq: _seq, capper_prev: _prev, ...pick } = examplePick(1);
const at = '2026-03-01T12:34:56.790Z';
const keys = [logSigner.key];
const sign = (posted: object) =>
  signAcknowledgement({ origin: ORIGIN, at, pick: posted as PostedPick }, [logSigner]);

describe('an acknowledgement', () => {
  let note: string;
  before(async () => {
    note = await sign(pick);
  });

  it('contains the pick and the instant, signed by the log', async () => {
    expect(await openAcknowledgement(note, ORIGIN, keys)).to.deep.equal({ origin: ORIGIN, at, pick });
    expect(note.split('\n').slice(0, 3)).to.deep.equal([`${ORIGIN}/acknowledgement`, pick.uuid, at]);
  });

  it('is fulfilled when the pick is sealed as acknowledged, anywhere in the chain', async () => {
    const acknowledgement = await openAcknowledgement(note, ORIGIN, keys);
    const sealed = examplePick(1, { capper_seq: 9, capper_prev: 'a'.repeat(64) });
    expect(brokenPromises(acknowledgement, sealed)).to.deep.equal([]);
    const other = examplePick(1, { odds_american: -105, posted_at: '2026-03-01T12:34:56.788Z' });
    expect(brokenPromises(acknowledgement, other)).to.have.members(['odds_american', 'posted_at']);
  });

  it("covers the author's signature field by field", async () => {
    const signature = `${'A'.repeat(86)}==`;
    const author = { key: 'a'.repeat(64), nonce: 'a-nonce-of-ada-17', at, signature, subject: null };
    const acknowledgement = await openAcknowledgement(await sign({ ...pick, author }), ORIGIN, keys);
    expect(brokenPromises(acknowledgement, examplePick(1, { author: { ...author } }))).to.deep.equal([]);
    for (const other of [null, { ...author, nonce: 'a-nonce-of-ada-18' }])
      expect(brokenPromises(acknowledgement, examplePick(1, { author: other }))).to.deep.equal(['author']);
  });

  it('is rejected if it belongs to another log or pick, or was changed', async () => {
    const stranger = await testSigner('stranger.example/log', 9);
    const text = note.slice(0, note.indexOf('\n\n') + 1);
    const resigned = (changed: string) => signNote(changed, [logSigner]);
    const refused = [
      await signAcknowledgement({ origin: ORIGIN, at, pick }, [stranger]),
      await signAcknowledgement({ origin: 'stranger.example/log', at, pick }, [logSigner]),
      note.replace('-110', '-105'),
      await resigned(text.replace(pick.uuid, examplePick(2).uuid)),
      await resigned(text.replace('-110', '-10')),
      await resigned(text.replace('"id":1', '"id": 1')),
      await resigned(text.replace('"id":1', '"capper_seq":1,"id":1')),
      await resigned(text.replace(at, 'yesterday')),
      await resigned(`${text}more\n`),
      await resigned(`${ORIGIN}\n1\nBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU=\n`),
    ];
    for (const other of refused)
      expect(await rejection(openAcknowledgement(other, ORIGIN, keys))).to.be.instanceOf(Error);
  });

  it('is not accepted as a checkpoint', async () => {
    for (const origin of [ORIGIN, `${ORIGIN}/acknowledgement`]) {
      expect(await rejection(openCheckpoint(note, origin, keys))).to.be.instanceOf(Error);
    }
  });

  it('is not signed for a pick that cannot be sealed or already is', () => {
    for (const other of [
      { ...pick, odds_american: 5 },
      { ...pick, extra: 1 },
      examplePick(1),
      { ...pick, book: undefined },
    ]) {
      expect(() => sign(other)).to.throw(TypeError);
    }
  });
});
