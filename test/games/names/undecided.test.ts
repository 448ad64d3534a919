import { expect } from 'chai';
import { sportsWithTeams } from '../../../src/games/names/league-files.ts';
import { leagueOf } from '../../../src/games/names/leagues.ts';
import { isUndecided, namesUndecided } from '../../../src/games/names/undecided.ts';

const places = `
TBD|TBA|TBC|TBD 1|Team TBD|To be determined|Opponent to be announced|Unknown|Opponent|?|? ?|N.N.|Bye
Winner of Game 3|Winner SF1|Winner QF 1|Winner Match 73|W49|W SF1|L61|Loser of SF1|Losers Match 61|Winners of Gulls-Foxes|Gulls/Foxes winner
Runner-up|Runner-up Group B|Group A 2nd Place|Group A Winner|1st Group A|2nd Group B|Group A|Pool B 2|Third Place Group A/B/C/D|Best 3rd place
1E|2B|A1|1A/2B|3A/B/C/D|3ABCD|Third A/B/C|QF1|SF2|SF 1|M73|RU101|Match|Match 41|Final|Quarter-final 1|Quarterfinal 2 Winner|Round of 16 4 Winner
Semi-finalist 1|Semi-finalist|Finalist 2|Play-off Winner Path C|Play-In Winner|UEFA Path B Winner|Intercontinental playoff 1
Qualifier|Qualifier 3|Lucky Loser|Seed 1|16 seed|Highest Remaining Seed|NFC Champion|AL Wild Card
Sieger HF 1|Sieger Viertelfinale 2|Sieger aus Spiel 7|Verlierer HF 2|Gruppensieger A|Zweiter Gruppe B|1. Gruppe A|Noch offen
Vainqueur QF2|Vainqueur du match 3|Premier Groupe A|2e Groupe B|À déterminer|2nd place of A|winner_73|Ganador Grupo A|Ganador del partido 4|Perdedor Semifinal 2|Por definir
1º Grupo A|1º A|Segundo Grupo B|Vencedor do Jogo 1|A definir|Vincente|Vincente Gara 1|Winnaar halve finale 1|Halvfinale 1 vinder|Победитель пары 1|待定
TEX/NCST|Spain/Italy|Arsenal or Chelsea|Gulls/TBD|Winner Gulls/Foxes
`
  .trim()
  .split(/[|\n]/);

describe('the names of undecided opponents', () => {
  for (const name of places)
    it(`include a place in a draw: ${name}`, () => {
      expect(isUndecided(name, 'soccer')).to.equal(true);
      expect(isUndecided(name)).to.equal(!['Spain/Italy', 'Arsenal or Chelsea'].includes(name));
    });

  for (const name of [
    'Wolverhampton',
    'Winners FC',
    '1. FC Köln',
    'Schalke 04',
    'Group Therapy',
    'Bodø/Glimt',
    'Gulls 01/04',
    'A Team',
    'Third Lanark',
    'First Vienna',
    'East Fife',
    'B 93',
    'Paris 13',
    'The Strongest',
    'Unión',
    'A.B.C.',
    'Semifinal Gulls',
    'Match Town',
  ])
    it(`exclude clubs: ${name}`, () => expect(isUndecided(name, 'soccer')).to.equal(false));

  for (const name of [
    'Vincente Gull',
    'Ada Champion',
    'Ganador Fox',
    'A. Gull / B. Fox',
    'Gull/Fox',
    'Best',
    'Botic van de Fox',
  ])
    it(`exclude people: ${name}`, () => {
      for (const sport of ['mma', 'tennis']) expect(isUndecided(name, sport)).to.equal(false);
    });

  it('exclude the teams of every league, even without a lookup', () => {
    const names = sportsWithTeams().flatMap((sport) =>
      leagueOf(sport)!.teams.flatMap((team) => team.names.map((name) => [sport, name] as const)),
    );
    expect(names.length).to.be.greaterThan(1_000);
    expect(names.filter(([sport, name]) => isUndecided(name, sport, () => false))).to.deep.equal([]);
    expect(names.filter(([, name]) => isUndecided(name))).to.deep.equal([]);
  });

  it('exclude names that the operator has given to a team', () => {
    expect(isUndecided('Group A', 'soccer', (name) => name === 'Group A')).to.equal(false);
  });

  it('include both names of a team listed against itself, under any of its names', () => {
    expect(namesUndecided({ away: 'Gulls', home: 'GULLS FC' }, 'soccer')).to.equal(true);
    const keyOf = () => 'one team';
    expect(namesUndecided({ away: 'Gulls', home: 'Harbor' }, 'soccer', keyOf)).to.equal(true);
    expect(namesUndecided({ away: 'Gulls', home: 'Foxes' }, 'soccer')).to.equal(false);
  });
});
