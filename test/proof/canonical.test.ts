import { expect } from 'chai';
import fc from 'fast-check';
import { canonical, parseCanonical } from '../../src/proof/canonical.ts';
import { fromHex, fromUtf8, hex, utf8 } from '../../src/proof/encoding.ts';
import { sha256 } from '../../src/proof/sha256.ts';
import { describeVectors } from './vectors.ts';

const scalar = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.maxSafeInteger().map((n) => n + 0),
  fc.boolean(),
  fc.constant(null),
);
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.array(tie('value')),
    fc.dictionary(fc.string({ unit: 'grapheme' }), tie('value')),
  ),
})).value;

describe('canonical JSON', () => {
  it('round-trips', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(parseCanonical(canonical(value))).to.deep.equal(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('does not depend on the order in which keys were set', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'grapheme' }), scalar),
        fc.infiniteStream(fc.nat()),
        (object, dice) => {
          const shuffled = Object.entries(object)
            .map((entry) => ({ entry, at: dice.next().value as number }))
            .sort((a, b) => a.at - b.at)
            .map(({ entry }) => entry);
          expect(canonical(Object.fromEntries(shuffled))).to.equal(canonical(object));
        },
      ),
    );
  });

  it('sorts keys by UTF-16 code units, as in the example of RFC 8785 section 3.2.3', () => {
    const keys = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6'];
    expect(canonical(Object.fromEntries(keys.map((key) => [key, 0])))).to.equal(
      '{"\\r":0,"1":0,"\u0080":0,"\u00f6":0,"\u20ac":0,"\ud83d\ude00":0,"\ufb33":0}',
    );
  });

  it('keeps a key named __proto__', () => {
    const text = '{"__proto__":{"a":1}}';
    expect(canonical(JSON.parse(text))).to.equal(text);
  });

  const hole = [1, 2, 3];
  delete hole[1];
  const cycle: Record<string, unknown> = {};
  cycle.again = cycle;
  const refused: [string, unknown, string][] = [
    ['a fraction', { a: [1.5] }, '$.a[0]'],
    ['an unsafe integer', { a: 2 ** 53 }, '$.a'],
    ['NaN', [Number.NaN], '$[0]'],
    ['infinity', Number.POSITIVE_INFINITY, '$'],
    ['undefined', { a: { b: undefined } }, '$.a.b'],
    ['a hole in an array', { list: hole }, '$.list[1]'],
    ['a function', { f: () => 1 }, '$.f'],
    ['a symbol', [Symbol('s')], '$[0]'],
    ['a bigint', { n: 1n }, '$.n'],
    ['a key that is a symbol', { a: { [Symbol('s')]: 1 } }, '$.a'],
    ['a date', { at: new Date(0) }, '$.at'],
    ['a map', { m: new Map() }, '$.m'],
    ['an instance of a class', { x: new (class Point {})() }, '$.x'],
    ['a lone surrogate in a value', { s: 'a\ud800' }, '$.s'],
    ['a lone surrogate in a key', { o: { '\udc00': 1 } }, '$.o'],
    ['a value that contains itself', cycle, '$.again.again'],
  ];
  for (const [what, value, path] of refused) {
    it(`refuses ${what}, naming ${path}`, () => {
      expect(() => canonical(value))
        .to.throw(TypeError)
        .with.property('message')
        .that.includes(path);
    });
  }

  const other = [
    '{"b":1,"a":2}',
    '{"a":1,"a":1}',
    '{ "a":1}',
    '[1,2] ',
    '1e2',
    '1.0',
    '-0',
    '"\\u0061"',
    '"\\/"',
    '{"a":1.5}',
    '9007199254740993',
    '"\\ud800"',
  ];
  for (const text of other) {
    it(`does not parse ${text}, which is JSON but not canonical`, () => {
      expect(() => parseCanonical(text)).to.throw(SyntaxError);
    });
  }
});

describeVectors('canonical JSON of RFC 8785', ({ jcs }) => {
  for (const [name, file] of Object.entries(jcs.files)) {
    const value: unknown = JSON.parse(file.input_json_text);
    if (name === 'values') {
      it('refuses the file with fractions, which the ledger does not use', () => {
        expect(() => canonical(value)).to.throw(TypeError);
      });
      continue;
    }
    it(`writes the file ${name} byte for byte`, () => {
      const bytes = utf8(canonical(value));
      expect(hex(bytes)).to.equal(file.canonical_utf8_hex);
      expect(hex(sha256(bytes))).to.equal(file.sha256);
    });
  }

  const double = (ieee: string): number => new DataView(fromHex(ieee).slice().buffer).getFloat64(0);
  for (const { ieee, json } of jcs.numbers_ieee754_hex) {
    const number = double(ieee);
    if (Number.isSafeInteger(number)) {
      it(`writes the number ${json}`, () => expect(canonical(number)).to.equal(json));
    } else {
      it(`refuses the number ${json}`, () => expect(() => canonical(number)).to.throw(TypeError));
    }
  }
  for (const ieee of jcs.reject_numbers_ieee754_hex) {
    it(`refuses the number ${ieee}`, () => expect(() => canonical(double(ieee))).to.throw(TypeError));
  }

  const utf16 = (units: string): string =>
    String.fromCharCode(...(units.match(/.{4}/g) ?? []).map((unit) => Number.parseInt(unit, 16)));
  for (const { utf16_hex, canonical_utf8_hex } of jcs.strings) {
    it(`writes the string ${utf16_hex}`, () => {
      expect(canonical(utf16(utf16_hex))).to.equal(fromUtf8(fromHex(canonical_utf8_hex)));
    });
  }
  for (const units of jcs.reject_strings_utf16_hex) {
    it(`refuses the string ${units}`, () => expect(() => canonical(utf16(units))).to.throw(TypeError));
  }
});
