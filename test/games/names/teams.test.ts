import { expect } from 'chai';
import { sportsWithTeams } from '../../../src/games/names/league-files.ts';
import { leagueOf } from '../../../src/games/names/leagues.ts';
import { gameTitle, noTeam, teamsOf, unknownTeam } from '../../../src/games/names/teams.ts';
import { nameKey, plainName } from '../../../src/rules/plain-name.ts';

describe('the names of teams', () => {
  it('are compared without case, accents, punctuation, and the abbreviations of football clubs', () => {
    expect(plainName('Atlético Madrid')).to.equal('atletico madrid');
    expect(plainName('FC Bayern München')).to.equal('bayern munchen');
    expect(plainName('Brighton & Hove Albion')).to.equal('brighton and hove albion');
    expect(plainName("Queen's Park-Rangers FC")).to.equal('queen s park rangers');
    expect(plainName('FC')).to.equal('fc');
    for (const [one, other] of [
      ['St. Louis', 'St.Louis'],
      ['L.A. Clippers', 'LA Clippers'],
      ['Texas A&M', 'Texas A & M'],
      ["Hawai'i", 'Hawaii'],
      ['Brøndby', 'Brondby'],
      ['Ottawa Sénateurs', 'OTTAWA SENATEURS'],
    ] as const)
      expect(nameKey(one)).to.equal(nameKey(other));
  });

  it("include the leagues' own short names, but not a city with two teams", () => {
    const nfl = teamsOf('nfl');
    for (const name of ['TB', 'Buccaneers', 'Tampa Bay', 'tampa bay buccaneers', 'Bucs', 'TB Buccaneers'])
      expect(nfl.fullName(name)).to.equal('Tampa Bay Buccaneers');
    expect(nfl.knows('New York')).to.equal(false);
    expect(nfl.fullName('New York Giants')).to.equal('New York Giants');
    expect(teamsOf('mlb').fullName('Giants')).to.equal('San Francisco Giants');
    expect(teamsOf('mlb').knows('Chicago')).to.equal(false);
  });

  it("include the operator's aliases, which may override the league's names and add teams", () => {
    const teams = teamsOf('nfl', [
      { alias: 'the bucs', team: 'buccaneers' },
      { alias: 'a', team: 'b' },
      { alias: 'b', team: 'a' },
      { alias: 'gulls', team: 'harbor gulls' },
    ]);
    expect(teams.fullName('The Bucs')).to.equal('Tampa Bay Buccaneers');
    expect(teams.keyOf('a')).to.be.oneOf(['a', 'b']);
    expect(teams.knows('Harbor Gulls')).to.equal(true);
    expect(teams.keyOf('Gulls')).to.equal(teams.keyOf('HARBOR GULLS'));
  });

  it('are written in full for a new game', () => {
    expect(gameTitle({ away: 'LA Clippers', home: 'NY' }, teamsOf('nba'))).to.equal(
      'Los Angeles Clippers @ New York Knicks',
    );
    expect(gameTitle({ away: 'Man Utd', home: 'Torquay United' }, teamsOf('soccer'))).to.equal(
      'Manchester United @ Torquay United',
    );
  });

  it('may be aliases in other scripts, and the message about an unknown one says how to add it', () => {
    expect(noTeam('Лейкерс', 'nba')).to.equal(
      "nba has no team Лейкерс; an operator adds it with: npm run cli -- aliases add nba 'Лейкерс' '<team>'",
    );
    expect(noTeam('Élans', 'nba')).to.not.contain('aliases add');
    const teams = teamsOf('nba', [{ alias: plainName('Лейкерс'), team: plainName('Los Angeles Lakers') }]);
    expect(teams.fullName('ЛЕЙКЕРС')).to.equal('Los Angeles Lakers');
  });

  it('are refused with similar ones if a closed league has no such team', () => {
    const nba = teamsOf('nba');
    expect(unknownTeam({ away: 'Bostn Celtcs', home: 'LAL' }, nba)).to.equal(
      'nba has no team Bostn Celtcs (similar: Boston Celtics)',
    );
    expect(unknownTeam({ away: 'Bostn Celtcs', home: 'Otters' }, nba)).to.match(/no team/);
    expect(unknownTeam({ away: 'Hawks', home: 'BOS' }, nba)).to.equal(undefined);
    // Fictional, or from another league: separate games.
    expect(unknownTeam({ away: 'Otters', home: 'Herons' }, nba)).to.equal(undefined);
    expect(unknownTeam({ away: 'Torquay', home: 'Arsenal' }, teamsOf('soccer'))).to.equal(undefined);
    expect(noTeam('Zzz', 'nba')).to.equal('nba has no team Zzz');
  });
});

describe('the leagues', () => {
  for (const sport of sportsWithTeams())
    it(`have no name for two teams, and match every name to its team: ${sport}`, () => {
      const teams = teamsOf(sport);
      for (const { name, names } of leagueOf(sport)!.teams)
        for (const each of names) expect(teams.fullName(each), each).to.equal(name);
    });

  /** The number of teams in 2026. */
  const sizes = { nba: 30, nfl: 32, mlb: 30, nhl: 32, wnba: 15 };
  for (const [sport, size] of Object.entries(sizes))
    it(`are closed, with ${size} teams: ${sport}`, () => {
      const league = leagueOf(sport)!;
      expect(league.closed).to.equal(true);
      expect(league.teams.filter(({ former }) => !former)).to.have.length(size);
    });

  /** Names in which providers differ from each other and from the leagues, and abbreviations of ESPN and the leagues. */
  const aliases: Record<string, Record<string, string>> = {
    nba: {
      'LA Clippers': 'Los Angeles Clippers',
      'L.A. Lakers': 'Los Angeles Lakers',
      GS: 'Golden State Warriors',
      NO: 'New Orleans Pelicans',
      NY: 'New York Knicks',
      SA: 'San Antonio Spurs',
      UTAH: 'Utah Jazz',
      WSH: 'Washington Wizards',
      WAS: 'Washington Wizards',
      PHX: 'Phoenix Suns',
      BKN: 'Brooklyn Nets',
      CHA: 'Charlotte Hornets',
      Blazers: 'Portland Trail Blazers',
      Sixers: 'Philadelphia 76ers',
    },
    nfl: {
      WSH: 'Washington Commanders',
      WAS: 'Washington Commanders',
      'Washington Redskins': 'Washington Commanders',
      'Washington Football Team': 'Washington Commanders',
      'Oakland Raiders': 'Las Vegas Raiders',
      'San Diego Chargers': 'Los Angeles Chargers',
      'St. Louis Rams': 'Los Angeles Rams',
      JAC: 'Jacksonville Jaguars',
      LAR: 'Los Angeles Rams',
      'NY Giants': 'New York Giants',
      'PHI Eagles': 'Philadelphia Eagles',
    },
    mlb: {
      TB: 'Tampa Bay Rays',
      TBR: 'Tampa Bay Rays',
      WSH: 'Washington Nationals',
      CHW: 'Chicago White Sox',
      CWS: 'Chicago White Sox',
      "A's": 'Athletics',
      ATH: 'Athletics',
      'Athletics Athletics': 'Athletics',
      'Oakland Athletics': 'Athletics',
      'Cleveland Indians': 'Cleveland Guardians',
      'St Louis Cardinals': 'St. Louis Cardinals',
      'D-backs': 'Arizona Diamondbacks',
    },
    nhl: {
      'NY Rangers': 'New York Rangers',
      'N.Y. Islanders': 'New York Islanders',
      TB: 'Tampa Bay Lightning',
      TBL: 'Tampa Bay Lightning',
      'St Louis Blues': 'St. Louis Blues',
      'Saint Louis': 'St. Louis Blues',
      'Ottawa Sénateurs': 'Ottawa Senators',
      'Montréal Canadiens': 'Montreal Canadiens',
      WSH: 'Washington Capitals',
      'Utah Hockey Club': 'Utah Mammoth',
      UTAH: 'Utah Mammoth',
      'Arizona Coyotes': 'Arizona Coyotes',
      LA: 'Los Angeles Kings',
      VGK: 'Vegas Golden Knights',
      NJ: 'New Jersey Devils',
      SJ: 'San Jose Sharks',
      MON: 'Montreal Canadiens',
    },
    wnba: {
      GSV: 'Golden State Valkyries',
      GS: 'Golden State Valkyries',
      TOR: 'Toronto Tempo',
      POR: 'Portland Fire',
      'Toronto Tempo': 'Toronto Tempo',
      'Portland Fire': 'Portland Fire',
      CONN: 'Connecticut Sun',
      LV: 'Las Vegas Aces',
      LA: 'Los Angeles Sparks',
      WSH: 'Washington Mystics',
    },
    soccer: {
      'Hamburg SV': 'Hamburger SV',
      'Galatasaray A.Ş.': 'Galatasaray',
      'Fenerbahçe A.Ş.': 'Fenerbahçe',
      'F.C. København': 'Copenhagen',
      'FK Bodø/Glimt': 'Bodø Glimt',
      'FK Qarabag': 'Qarabağ',
      'Union St.-Gilloise': 'Union Saint-Gilloise',
      'PAE Olympiakos SFP': 'Olympiacos',
      'Man Utd': 'Manchester United',
      'Man United': 'Manchester United',
      Spurs: 'Tottenham Hotspur',
      Wolves: 'Wolverhampton Wanderers',
      'Brighton and Hove Albion': 'Brighton & Hove Albion',
      'Atlético de Madrid': 'Atlético Madrid',
      'FC Internazionale Milano': 'Inter Milan',
      'Bayern München': 'Bayern Munich',
      'Paris Saint Germain': 'Paris Saint-Germain',
      'St Pauli': 'St. Pauli',
      'CF Montreal': 'CF Montréal',
    },
    ncaaf: {
      'Miami (FL)': 'Miami Hurricanes',
      'Miami Ohio': 'Miami (OH) RedHawks',
      UNC: 'North Carolina Tar Heels',
      'Ole Miss': 'Ole Miss Rebels',
      'San Jose State Spartans': 'San José State Spartans',
      'Hawaii Rainbow Warriors': "Hawai'i Rainbow Warriors",
      'Appalachian State': 'Appalachian State Mountaineers',
      'Texas A&M': 'Texas A&M Aggies',
    },
    ncaab: {
      "Saint Mary's": "Saint Mary's Gaels",
      UConn: 'UConn Huskies',
      "St. John's": "St. John's Red Storm",
    },
  };
  for (const [sport, names] of Object.entries(aliases))
    it(`know the names that providers use: ${sport}`, () => {
      for (const [name, team] of Object.entries(names))
        expect(teamsOf(sport).fullName(name), name).to.equal(team);
    });
});
