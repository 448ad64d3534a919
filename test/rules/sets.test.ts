import { expect } from 'chai';
import fc from 'fast-check';
import { writtenSets } from '../../src/rules/sets.ts';

describe('the sets of a match', () => {
  const games = fc.integer({ min: 0, max: 99 });
  const sets = fc.array(fc.tuple(games, games), { minLength: 1, maxLength: 7 });

  it('are parsed from every notation', () => {
    const between = fc.constantFrom('-', ':', '–', '‑');
    const after = fc.constantFrom(' ', ', ', ';', ' / ', ' | ');
    const points = fc.constantFrom('', '(4)', ' (7-4)');
    fc.assert(
      fc.property(sets, between, after, points, (given, dash, comma, tieBreak) => {
        const text = given.map(([home, away]) => `${home}${dash}${away}${tieBreak}`).join(comma);
        expect(writtenSets(text)).to.deep.equal(given);
      }),
    );
  });

  it('are not parsed from any other text', () => {
    const words = fc.constantFrom('ret.', 'w/o', '6', '6-', '6-4-2', 'x-4', '106-4');
    fc.assert(
      fc.property(sets, words, fc.nat(7), (given, word, at) => {
        const texts = given.map(([home, away]) => `${home}-${away}`);
        expect(writtenSets(texts.toSpliced(at, 0, word).join(' '))).to.equal(undefined);
      }),
    );
  });
});
