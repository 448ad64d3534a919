import { expect } from 'chai';
import { leagueMeant } from '../../src/rules/sport-words.ts';

describe('a cell of a league', () => {
  const means = (sport: string, cells: string[]) => {
    for (const cell of cells)
      expect(leagueMeant(cell), cell).to.deep.include({ sports: [sport], exact: true });
  };

  it('may name a country, the sport, or a stage beside the league', () => {
    means('nfl', ['NFL Week 5', 'NFL - Week 5', 'USA: NFL']);
    means('nba', ['NBA Playoffs', 'Basketball - NBA']);
    means('mlb', ['MLB Regular Season', 'Baseball / MLB']);
    means('soccer', [
      'Serie A - Italy',
      'UEFA Champions League - Group Stage',
      'Football, England, Premier League',
      'Brazil. Serie A (Round 12)',
    ]);
  });

  it('may name a tour with its town, or an event with its number', () => {
    means('tennis', ['ATP Rome', 'ATP - Rome', 'WTA 1000 Madrid', 'Tennis - ATP Rome', 'Wimbledon']);
    means('mma', ['UFC 300', 'UFC Fight Night: Ode vs. Pell']);
  });

  it('is another league if a part has no meaning, and another sport if parts disagree', () => {
    for (const cell of [
      'Serie A - Women',
      'Italy - Serie A - Volleyball Women',
      'NFL Preseason',
      'ATP Rome Doubles',
    ])
      expect(leagueMeant(cell), cell).to.equal(undefined);
    for (const cell of ['Bundesliga - Handball', 'Basketball - Serie A', 'Hockey - KHL'])
      expect(leagueMeant(cell), cell).to.deep.include({ sports: [] });
    expect(leagueMeant('Japan - Baseball')).to.equal(undefined);
  });
});
