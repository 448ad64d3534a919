import { expect } from 'chai';
import {
  cosign,
  formatCheckpoint,
  openCheckpoint,
  parseCheckpoint,
  signCheckpoint,
} from '../../src/proof/checkpoint.ts';
import { parseNote, signatureLine } from '../../src/proof/signed-note.ts';
import { logSigner, ORIGIN, testSigner, witnesses } from './example-log.ts';
import { rejection } from './rejection.ts';

describe('a checkpoint', () => {
  const checkpoint = { origin: ORIGIN, size: 18, root: new Uint8Array(32).fill(5) };
  const text = formatCheckpoint(checkpoint);
  let note: string;
  before(async () => {
    note = await signCheckpoint(checkpoint, [logSigner]);
  });

  it('is three lines, signed by the log', async () => {
    expect(text).to.equal(`${ORIGIN}\n18\nBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU=\n`);
    const { checkpoint: opened, signedBy, cosignedBy } = await openCheckpoint(note, ORIGIN, [logSigner.key]);
    expect(opened).to.deep.equal(checkpoint);
    expect(signedBy).to.have.length(1);
    expect(cosignedBy).to.have.length(0);
  });

  it('may have lines after the third', () => {
    expect(parseCheckpoint(`${text}another line\n`)).to.deep.equal(checkpoint);
  });

  it('states both its time and its quorum in such lines, or neither', () => {
    const timed = { ...checkpoint, time: '2026-03-01T19:00:00.000Z', quorum: 2 };
    expect(formatCheckpoint(timed)).to.equal(`${text}time 2026-03-01T19:00:00.000Z\nquorum 2\n`);
    expect(parseCheckpoint(`${formatCheckpoint(timed)}another line\n`)).to.deep.equal(timed);
    for (const line of [
      'time 2026-03-01',
      'time 2026-02-31T25:00:00.000Z',
      'quorum 0',
      'quorum 1e3',
      'times 1',
    ])
      expect(parseCheckpoint(`${text}${line}\n`)).to.deep.equal(checkpoint);
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
    it(`is not parsed from ${JSON.stringify(other)}`, () =>
      expect(() => parseCheckpoint(other)).to.throw(SyntaxError));
  }

  it('is rejected if it belongs to another log, even with a signature by this log', async () => {
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

  it("is not proven by a witness without the log's own signature", async () => {
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

  it('states which witness saw the checkpoint, and when', async () => {
    const known = witnesses.map(({ key }) => key);
    const { cosignedBy } = await openCheckpoint(note, ORIGIN, [logSigner.key], known);
    expect(cosignedBy).to.deep.equal(known.map((key, i) => ({ key, timestamp: timestamp + i })));
    const { cosignedBy: fewer } = await openCheckpoint(note, ORIGIN, [logSigner.key], known.slice(2));
    expect(fewer.map(({ key }) => key)).to.deep.equal(known.slice(2));
  });

  it('is invalid with another time', async () => {
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
    expect(await rejection(opened)).to.match(/invalid/);
  });

  it('is 72 bytes long, with a time before the year 10000', async () => {
    const { key } = witnesses[0]!;
    const start = note.slice(0, note.indexOf('— witness'));
    for (const bytes of [new Uint8Array(64), new Uint8Array(73), new Uint8Array(72).fill(0xff)]) {
      const opened = openCheckpoint(start + signatureLine(key, bytes), ORIGIN, [logSigner.key], [key]);
      expect(await rejection(opened)).to.be.instanceOf(SyntaxError);
    }
  });

  it('needs a witness’s key', async () => {
    expect(await rejection(cosign(note, logSigner, 1))).to.be.instanceOf(RangeError);
  });
});
