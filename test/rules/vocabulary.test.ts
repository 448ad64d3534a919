import { expect } from 'chai';
import { marketHasLine, marketSides } from '../../src/rules/markets.ts';
import {
  isSharp,
  patterns,
  sports,
  tierRank,
  tiers,
  windowDays,
  windows,
} from '../../src/rules/vocabulary.ts';

function matching(pattern: string, texts: string[]): string[] {
  const expression = new RegExp(pattern, 'u');
  return texts.filter((text) => expression.test(text));
}

describe('vocabulary', () => {
  it('orders the tiers from the best, of which the first two are sharp', () => {
    expect(tiers.map(tierRank)).to.deep.equal([0, 1, 2]);
    expect(tiers.filter(isSharp)).to.deep.equal(['elite', 'verified_sharp']);
  });

  it('says how many days each window holds', () => {
    expect(windows.map((window) => windowDays[window])).to.deep.equal([7, 30, 90, null]);
  });

  it('takes handles of 2 to 32 characters and slugs of 1 to 40, in lower case', () => {
    const good = ['ab', '538-spi_goals', `a${'b'.repeat(31)}`];
    const bad = ['a', '-ab', '_ab', 'Ab', 'a b', `a${'b'.repeat(32)}`, 'ab\n', 'ä1', ''];
    expect(matching(patterns.handle, [...good, ...bad])).to.deep.equal(good);
    expect(
      matching(patterns.slug, ['a', 'team_total', 'x'.repeat(40), 'x'.repeat(41), '', '-a', 'A']),
    ).to.deep.equal(['a', 'team_total', 'x'.repeat(40)]);
  });

  it('takes texts of any script, without control characters and broken surrogates', () => {
    const good = ['Chiefs -3.5', 'Zürich @ Łódź', '⚽️ Over', ''];
    expect(
      matching(patterns.text, [...good, 'a\u0000b', 'a\nb', 'a\u007f', 'a\u0085', '\ud800']),
    ).to.deep.equal(good);
  });

  it('knows the ten sports, of which soccer has three-way moneylines', () => {
    expect(sports.map(({ key }) => key).join(' ')).to.equal(
      'nba nfl mlb nhl ncaaf ncaab wnba mma soccer tennis',
    );
    expect(sports.filter(({ moneylineWays }) => moneylineWays === 3).map(({ key }) => key)).to.deep.equal([
      'soccer',
    ]);
  });
});

describe('markets', () => {
  it('have the sides that a score can grade', () => {
    expect(marketSides('moneyline', 2)).to.deep.equal(['home', 'away']);
    expect(marketSides('moneyline', 3)).to.deep.equal(['home', 'away', 'draw']);
    expect(marketSides('spread', 3)).to.deep.equal(['home', 'away']);
    expect(marketSides('total', 2)).to.deep.equal(['over', 'under']);
    expect(marketSides('prop', 2)).to.equal(null);
  });

  it('say whether a pick has a line', () => {
    expect(['moneyline', 'spread', 'total', 'prop'].map(marketHasLine)).to.deep.equal([
      false,
      true,
      true,
      null,
    ]);
  });
});
