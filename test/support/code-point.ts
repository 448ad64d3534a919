import fc from 'fast-check';

const surrogates = { from: 0xd800, count: 0x800 };

/**
 * Any code point except surrogates, as the unit of a text: `fc.string({ unit: codePoint })`. fast-check's `unit: 'binary'` draws from the
 * same set, but builds a table of it first: over a second and 125 MB in every process.
 */
export const codePoint: fc.Arbitrary<string> = fc.nat(0x10ffff - surrogates.count).map(
  (number) => String.fromCodePoint(number < surrogates.from ? number : number + surrogates.count),
  (text) => {
    const point = typeof text === 'string' ? (text.codePointAt(0) ?? -1) : -1;
    const isOne = point >= 0 && text === String.fromCodePoint(point);
    if (!isOne || (point >= surrogates.from && point < surrogates.from + surrogates.count))
      throw new Error('not a single code point');
    return point < surrogates.from ? point : point - surrogates.count;
  },
);
