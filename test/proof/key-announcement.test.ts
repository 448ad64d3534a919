import { expect } from 'chai';
import { bodyHash } from '../../src/proof/bodies.ts';
import { announceKey, followKeys, openKeyAnnouncement } from '../../src/proof/key-announcement.ts';
import { type Signer, signNote } from '../../src/proof/signed-note.ts';
import { formatVerifierKey } from '../../src/proof/verifier-key.ts';
import { ORIGIN, testSigner, witnesses } from './example-log.ts';
import { rejection } from './rejection.ts';

const at = '2026-05-01T00:00:00.000Z';

describe('a key announcement', () => {
  let keys: Signer[];
  let notes: string[];
  before(async () => {
    keys = await Promise.all([11, 12, 13].map((byte) => testSigner(ORIGIN, byte)));
    notes = await Promise.all(keys.map((key, i) => announceKey(ORIGIN, at, key, keys[i - 1] ?? null)));
  });

  it('is signed by the previous key and the new one, and is a valid body', async () => {
    const [first, second] = keys;
    expect(await openKeyAnnouncement(notes[0]!, ORIGIN, null)).to.deep.equal({
      origin: ORIGIN,
      key: first!.key,
      at,
    });
    expect(await openKeyAnnouncement(notes[1]!, ORIGIN, first!.key)).to.deep.equal({
      origin: ORIGIN,
      key: second!.key,
      at,
    });
    expect(notes[1]).to.match(new RegExp(`^${ORIGIN}/key\n`));
    expect(bodyHash('key', { v: 1, note: notes[1]! })).to.match(/^[0-9a-f]{64}$/);
  });

  it('leads from any trusted key to the current one', async () => {
    const all = keys.map(({ key }) => key);
    expect(await followKeys(all[0]!, notes)).to.deep.equal(all);
    expect(await followKeys(all[1]!, notes)).to.deep.equal(all.slice(1));
    expect(await followKeys(all[2]!, notes)).to.deep.equal(all.slice(2));
    expect(await followKeys(all[0]!, notes.slice(1))).to.deep.equal(all);
    expect(await followKeys(all[0]!, [])).to.deep.equal(all.slice(0, 1));
  });

  it('is rejected unless the previous key signed it', async () => {
    const stranger = await testSigner(ORIGIN, 66);
    const forged = await announceKey(ORIGIN, at, stranger, null);
    const takenOver = await announceKey(ORIGIN, at, stranger, keys[0]!);
    expect(await rejection(followKeys(keys[0]!.key, [...notes, forged]))).to.be.instanceOf(Error);
    expect(await rejection(followKeys(keys[0]!.key, [...notes, takenOver]))).to.be.instanceOf(Error);
    expect(await rejection(followKeys(stranger.key, notes))).to.be.instanceOf(Error);
    expect(await rejection(followKeys(keys[0]!.key, [notes[0]!, notes[2]!]))).to.be.instanceOf(Error);
  });

  it('is rejected without the new key’s signature', async () => {
    const [first, second] = keys;
    const text = `${ORIGIN}/key\n${formatVerifierKey(second!.key)}\n${at}\n`;
    const alone = await signNote(text, [first!]);
    expect(await rejection(openKeyAnnouncement(alone, ORIGIN, first!.key))).to.match(/has not signed/);
  });

  it('must name this log, a key for plain signatures, and an instant', async () => {
    const [first] = keys;
    const announced = async (text: string) =>
      openKeyAnnouncement(await signNote(text, [first!]), ORIGIN, null);
    const own = formatVerifierKey(first!.key);
    const foreign = formatVerifierKey((await testSigner('stranger.example/log', 1)).key);
    const refused = [
      `stranger.example/log/key\n${own}\n${at}\n`,
      `${ORIGIN}/key\n${foreign}\n${at}\n`,
      `${ORIGIN}/key\n${own}\nsoon\n`,
      `${ORIGIN}/key\n${own}\n`,
      `${ORIGIN}/key\n${own}\n${at}\nmore\n`,
      `${ORIGIN}\n1\n${own}\n`,
    ];
    for (const text of refused)
      expect(await rejection(announced(text)), text).to.match(/^(?:Syntax|Type)Error/);
    expect(() => announceKey(ORIGIN, at, witnesses[0]!, null)).to.throw(RangeError);
  });
});
