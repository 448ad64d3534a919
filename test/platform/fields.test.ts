import { expect } from 'chai';
import fc from 'fast-check';
import { orNull, plainText } from '../../src/platform/fields.ts';
import { checker } from '../../src/platform/schema.ts';
import { Type } from '../../src/platform/type.ts';

describe('text for people', () => {
  const check = checker(Type.Object({ text: plainText(1, 5), other: orNull(plainText(1, 5)) }));
  const read = (text: unknown) => {
    const checked = check({ text });
    return checked.ok ? checked.value.text : checked.faults.map(({ message }) => message);
  };

  it('is normalized to NFC', () => {
    expect(read('e\u0301')).to.equal('é');
    expect(check({ text: 'a', other: 'n\u0303' })).to.deep.include({ value: { text: 'a', other: 'ñ' } });
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 2 }), (text) => {
        const [composed, decomposed] = [read(text.normalize('NFC')), read(text.normalize('NFD'))];
        expect(decomposed).to.deep.equal(composed);
      }),
    );
  });

  it('is measured in NFC', () => {
    expect(read('e\u0301'.repeat(5))).to.equal('é'.repeat(5));
  });

  it('leaves its input unchanged', () => {
    const given = { text: 'e\u0301' };
    check(given);
    expect(given.text).to.equal('e\u0301');
  });

  const refused = ['\u202A', '\u202B', '\u202C', '\u202D', '\u202E', '\u2066', '\u2067', '\u2068', '\u2069'];
  for (const character of [...refused, '\u0000', '\u001F', '\u007F', '\u009F', '\uD800', '\uDFFF'])
    it(`refuses U+${character.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`, () => {
      expect(read(`a${character}`)).to.deep.equal([
        'must be 1 to 5 characters, none of them a control character',
      ]);
    });

  it('may be in any script, with its combining marks', () => {
    for (const text of ['עברית', 'العرب', '中文', '👩‍👧', 'a\u200Fb', 'x\u2065'])
      expect(read(text), text).to.equal(text.normalize('NFC'));
  });
});
