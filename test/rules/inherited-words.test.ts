import { expect } from 'chai';
import { readBetText } from '../../src/rules/bet-text/read.ts';
import { gradingScoreName } from '../../src/rules/units.ts';
import { betGames } from '../support/bet-day.ts';

describe('a word that every JavaScript object inherits', () => {
  for (const word of ['Constructor', 'toString', '__proto__']) {
    it(`${word}, can be the name of a team`, () => {
      const game = betGames.get('lal-gsw')!;
      const name = `${word} Foxes`;
      const other = { ...game, game: `${name} @ Gulls`, away: { ...game.away, name, names: [name, word] } };
      const day = [other, betGames.get('nyk-bos')!];
      expect(readBetText(`${word} ML -110`, day)).to.have.nested.property('bet.side', 'away');
      expect(readBetText('Celtics -6.5 -110', day)).to.have.nested.property('bet.market', 'spread');
    });
  }

  it('can be a sport or a market, which no score grades', () => {
    expect(gradingScoreName('constructor', 'tennis')).to.equal(null);
    expect(gradingScoreName('constructor', 'constructor')).to.equal(null);
    expect(gradingScoreName('moneyline', 'constructor')).to.equal(gradingScoreName('moneyline', 'nba'));
  });
});
