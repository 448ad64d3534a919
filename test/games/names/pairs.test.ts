import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { leagueOf, nameIn } from '../../../src/games/names/leagues.ts';
import { teamsOf, unknownCode } from '../../../src/games/names/teams.ts';

/** Reads the pairs of names under a heading of `pairs.txt`. */
function pairsUnder(heading: 'apart' | 'same'): [string, string, string][] {
  const text = readFileSync(new URL('pairs.txt', import.meta.url), 'utf8');
  const [, body = ''] = text.split(new RegExp(`^${heading}\n`, 'm'));
  const lines = body
    .split(/^(?:apart|same)$/m)[0]!
    .trim()
    .split('\n');
  return lines.map((line) => line.split('|') as [string, string, string]);
}

describe('two names', () => {
  it('stay two teams: other schools, cities, countries, women, youth, and reserves', () => {
    const pairs = pairsUnder('apart');
    expect(pairs).to.have.length.greaterThan(350);
    const joined = pairs.filter(([sport, one, other]) => {
      const teams = teamsOf(sport);
      return teams.keyOf(one) === teams.keyOf(other);
    });
    expect(joined).to.deep.equal([]);
  });

  it('are one team, as the providers write it', () => {
    const pairs = pairsUnder('same');
    expect(pairs).to.have.length.greaterThan(300);
    const apart = pairs.filter(([sport, one, other]) => {
      const teams = teamsOf(sport);
      return teams.keyOf(one) !== teams.keyOf(other);
    });
    expect(apart).to.deep.equal([]);
  });

  it('are one team in another case, without accents, and with St for State at every school', () => {
    const teams = teamsOf('ncaab');
    for (const { name } of leagueOf('ncaab')!.teams) {
      const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase();
      const short = name.replace(/ State\b/, ' St');
      for (const each of [plain, short, `${short}`.replace(' St ', ' St. ')])
        expect(teams.fullName(each), each).to.equal(name);
    }
  });

  it('are listed among the names that a line of text can use', () => {
    const namesOf = (name: string) => teamsOf('ncaab').namesOf(name);
    expect(namesOf('Michigan State')).to.include.members(['Michigan State', 'Michigan St']);
    expect(namesOf("Saint Mary's Gaels")).to.include.members(["Saint Mary's", "St. Mary's"]);
  });

  it('are decided by the competition where several clubs have the name', () => {
    const cases = [
      ['espn/soccer.mex.1', 'Santos', 'Santos Laguna'],
      ['odds_api/soccer_mexico_ligamx', 'Santos', 'Santos Laguna'],
      ['espn/soccer.bra.1', 'Santos', 'Santos'],
      ['espn/soccer.ecu.1', 'Barcelona', 'Barcelona de Guayaquil'],
      ['espn/soccer.esp.1', 'Barcelona', 'Barcelona'],
      ['espn/soccer.par.1', 'Guaraní', 'Guaraní Asunción'],
      ['espn/soccer.bra.2', 'Guarani', 'Guarani'],
      ['espn/soccer.eng.w.1', 'Chelsea', 'Chelsea Women'],
      ['espn/soccer.eng.1', 'Chelsea', 'Chelsea'],
    ] as const;
    for (const [feed, name, full] of cases) expect(nameIn('soccer', feed, name), feed).to.equal(full);
  });
});

describe('a code', () => {
  const soccer = teamsOf('soccer');

  it('names the only club that has it, or the one in the competitions of its opponent', () => {
    expect(soccer.fullName('FUL')).to.equal('Fulham');
    expect(soccer.knows('LEI')).to.equal(false);
    expect(soccer.decoded({ away: 'LEI', home: 'TOT' })).to.deep.equal({
      away: 'Leicester City',
      home: 'TOT',
    });
    expect(soccer.decoded({ away: 'HOF', home: 'LEI' })).to.deep.equal({ away: 'HOF', home: 'RB Leipzig' });
  });

  it('is refused as the name of an unknown team', () => {
    expect(unknownCode({ away: 'XYQ', home: 'TOT' }, soccer)).to.match(/^soccer has no team XYQ/);
    expect(unknownCode({ away: 'Gulls', home: 'TOT' }, soccer)).to.equal(undefined);
    expect(unknownCode({ away: 'XYQ', home: 'TOT' }, teamsOf('chess'))).to.equal(undefined);
  });
});
