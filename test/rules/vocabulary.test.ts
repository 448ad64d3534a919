import { expect } from 'chai';
import { isSharp, patterns, tierRank, tiers, windowDays, windows } from '../../src/rules/vocabulary.ts';

function matching(pattern: string, texts: string[]): string[] {
  const expression = new RegExp(pattern, 'u');
  return texts.filter((text) => expression.test(text));
}

describe('the vocabulary', () => {
  it('orders the tiers from the best, of which the first two are sharp', () => {
    expect(tiers.map(tierRank)).to.deep.equal([0, 1, 2]);
    expect(tiers.filter(isSharp)).to.deep.equal(['elite', 'verified_sharp']);
  });

  it('says how many days each window contains', () => {
    expect(windows.map((window) => windowDays[window])).to.deep.equal([7, 30, 90, null]);
  });

  it('allows handles of 2 to 32 lowercase characters', () => {
    const good = ['ab', '538-spi_goals', `a${'b'.repeat(31)}`];
    const bad = ['a', '-ab', '_ab', 'Ab', 'a b', `a${'b'.repeat(32)}`, 'ab\n', 'ä1', ''];
    expect(matching(patterns.handle, [...good, ...bad])).to.deep.equal(good);
  });
});
