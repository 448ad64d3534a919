import { expect } from 'chai';
import fc from 'fast-check';
import { formatAddCheckpoint, parseAddCheckpoint } from '../../src/proof/witness.ts';

const checkpoint =
  'picks.example/ledger\n9\nBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU=\n\n— picks.example/ledger AAAAAAAA\n';

describe('a request to a witness', () => {
  it('consists of the old size, the proof, an empty line, and the checkpoint', () => {
    const body = formatAddCheckpoint({ oldSize: 8, consistency: [new Uint8Array(32).fill(5)], checkpoint });
    expect(body).to.equal(`old 8\nBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU=\n\n${checkpoint}`);
    expect(formatAddCheckpoint({ oldSize: 0, consistency: [], checkpoint })).to.equal(
      `old 0\n\n${checkpoint}`,
    );
  });

  it('round-trips', () => {
    const hash = fc.uint8Array({ minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.array(hash, { maxLength: 63 }), (oldSize, consistency) => {
        const request = { oldSize, consistency, checkpoint };
        const { consistency: read, ...rest } = parseAddCheckpoint(formatAddCheckpoint(request));
        expect(rest).to.deep.equal({ oldSize, checkpoint });
        expect(read.map(String)).to.deep.equal(consistency.map(String));
      }),
    );
  });

  const line = 'BQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU=\n';
  for (const body of [
    '',
    'old 1',
    'old 01\n\n',
    'old -1\n\n',
    'old\n\n',
    'old 9007199254740992\n\n',
    `new 1\n\n`,
    'old 1\nBQU=\n\n',
    `old 1\n${line.repeat(64)}\n`,
    '\n\n',
  ]) {
    it(`is not parsed from ${JSON.stringify(body.slice(0, 40))}`, () => {
      expect(() => parseAddCheckpoint(body + (body.endsWith('\n\n') ? checkpoint : ''))).to.throw(
        SyntaxError,
      );
    });
  }
});
