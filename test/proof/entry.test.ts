import { expect } from 'chai';
import { type Entry, entryText, parseEntry } from '../../src/proof/entry.ts';

const posted: Entry = {
  v: 1,
  seq: 17,
  kind: 'posted',
  uuid: '3f2504e0-4f89-41d3-9a0c-000000000001',
  capper: 'capper-1',
  capper_seq: 4,
  hash: 'a'.repeat(64),
  prev: null,
};

describe('an entry of the log', () => {
  it('is the canonical text of its eight fields', () => {
    expect(entryText(posted)).to.equal(
      `{"capper":"capper-1","capper_seq":4,"hash":"${'a'.repeat(64)}","kind":"posted","prev":null,"seq":17,` +
        '"uuid":"3f2504e0-4f89-41d3-9a0c-000000000001","v":1}',
    );
    expect(parseEntry(entryText(posted))).to.deep.equal(posted);
  });

  it('names no pick if it is about the log itself', () => {
    const notice: Entry = { ...posted, kind: 'notice', uuid: null, capper: null, capper_seq: null };
    expect(parseEntry(entryText(notice))).to.deep.equal(notice);
  });

  const refused: [string, object][] = [
    ['a predecessor for a posted pick', { ...posted, prev: 'b'.repeat(64) }],
    ['no predecessor for a closing', { ...posted, kind: 'closed' }],
    ['a settlement without its capper', { ...posted, kind: 'settled', prev: 'b'.repeat(64), capper: null }],
    ['a pick without its number', { ...posted, capper_seq: null }],
    ['a pick without its UUID', { ...posted, uuid: null }],
    ['a negative position', { ...posted, seq: -1 }],
    ['an unknown kind', { ...posted, kind: 'edited' }],
    ['another field', { ...posted, note: '' }],
    ['another version', { ...posted, v: 2 }],
  ];
  for (const [what, entry] of refused) {
    it(`is refused with ${what}`, () => {
      expect(() => entryText(entry as Entry)).to.throw(TypeError);
      expect(() => parseEntry(JSON.stringify(entry))).to.throw();
    });
  }

  it('is not parsed from text that is not canonical', () => {
    const text = entryText(posted);
    expect(() => parseEntry(text.replace('"seq":17', '"seq": 17'))).to.throw(SyntaxError);
    expect(() => parseEntry(text.replace('"seq":17', '"seq":17,"seq":17'))).to.throw(SyntaxError);
    expect(() => parseEntry('')).to.throw(SyntaxError);
    expect(() => parseEntry('null')).to.throw(TypeError);
  });
});
