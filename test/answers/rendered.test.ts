import { expect } from 'chai';
import fc from 'fast-check';
import { compressible } from '../../src/answers/coded.ts';
import { decode, encode, isInTime, type Rendered } from '../../src/answers/rendered.ts';

const bytes = () => fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));
const arbitrary: fc.Arbitrary<Rendered> = fc.record({
  key: fc.string(),
  contentType: fc.string(),
  lifetime: fc.nat(),
  generatedAt: fc.nat(),
  goodUntil: fc.nat(),
  etag: fc.string(),
  tags: fc.array(fc.string()),
  versions: fc.array(fc.option(fc.string())),
  epoch: fc.string(),
  body: bytes().map((text) => compressible(text)),
});

describe('a rendered answer', () => {
  it('survives a round trip through storage', () => {
    fc.assert(
      fc.property(arbitrary, (rendered) => {
        const { body, ...fields } = decode(encode(rendered)) as Rendered;
        const { body: before, ...fieldsBefore } = rendered;
        expect(fields).to.deep.equal(fieldsBefore);
        expect(body.made('identity')).to.deep.equal(before.made('identity'));
      }),
    );
  });

  it('is absent when the stored bytes are something else', () => {
    fc.assert(
      fc.property(bytes(), (garbage) => {
        expect(decode(garbage)).to.equal(undefined);
      }),
    );
  });

  it('is absent when the stored bytes are truncated', () => {
    const anyCut = fc.tuple(arbitrary, fc.nat());
    fc.assert(
      fc.property(anyCut, ([rendered, cut]) => {
        const block = encode(rendered);
        expect(decode(block.subarray(0, cut % block.length))).to.equal(undefined);
      }),
    );
  });

  it('is valid from its rendering until the end of its lifetime', () => {
    const rendered = { generatedAt: 100_000, goodUntil: 160_000 } as Rendered;
    expect(isInTime(rendered, 100_000)).to.equal(true);
    expect(isInTime(rendered, 159_999)).to.equal(true);
    expect(isInTime(rendered, 160_000)).to.equal(false);
    expect(isInTime(rendered, 96_000), 'a clock that is a little behind').to.equal(true);
    expect(isInTime(rendered, 90_000), 'a clock of another day').to.equal(false);
  });
});
