import { teamsOf } from '../../src/games/names/teams.ts';
import type { BetGame } from '../../src/rules/bet-text/day.ts';

/** An invented day with games of every sport, by a short name: real teams, invented people, meetings, and times. */
const meetings: Readonly<
  Record<string, readonly [sport: string, away: string, home: string, players?: string]>
> = {
  'lal-gsw': ['nba', 'LAL', 'GSW', 'Jonas Tatum, Marcus Dell, Ty Okafor-Lane'],
  'nyk-bos': ['nba', 'NYK', 'BOS', 'Deandre Brown, Luka Petrov'],
  'sac-por': ['nba', 'SAC', 'POR', 'Kofi Mensah, A.J. Starr'],
  'mia-mil': ['nba', 'MIA', 'MIL', 'Rex Alder Jr.'],
  'uta-sas': ['nba', 'UTA', 'SAS', 'Sol Marsh, Victor Banya'],
  'phx-den': ['nba', 'PHX', 'DEN', 'Nikola Tesh'],
  'phi-orl': ['nba', 'PHI', 'ORL'],
  'lva-nyl': ['wnba', 'Las Vegas Aces', 'New York Liberty', 'Asha Wills'],
  'buf-kc': ['nfl', 'BUF', 'KC', 'Josh Allard, Travis Kellen'],
  'nyj-mia': ['nfl', 'NYJ', 'MIA', 'Tyree Hull'],
  'bal-pit': ['nfl', 'BAL', 'PIT', 'Lamar Jaxon'],
  'sf-sea': ['nfl', 'SF', 'SEA', 'Deion Samuels, Brock Harlan'],
  'no-tb': ['nfl', 'NO', 'TB', 'Chris Oleander'],
  'nyg-phi': ['nfl', 'NYG', 'PHI', 'Amon St. Claire'],
  'bos-nyy': ['mlb', 'BOS', 'NYY', 'Rory Wheeler, Aaron Judd'],
  'chc-stl': ['mlb', 'CHC', 'STL', 'Sam Doe'],
  'nym-mil': ['mlb', 'NYM', 'MIL', 'Pete Lonzo'],
  'atl-phi-1': ['mlb', 'ATL', 'PHI'],
  'atl-phi-2': ['mlb', 'ATL', 'PHI'],
  'sf-lad': ['mlb', 'SF', 'LAD', 'Shota Ohara'],
  'ari-sd': ['mlb', 'ARI', 'SD'],
  'cle-det': ['mlb', 'CLE', 'DET', 'Tariq Skubo'],
  'cgy-edm': ['nhl', 'CGY', 'EDM', 'Connor McDade'],
  'sea-dal': ['nhl', 'SEA', 'DAL'],
  'lak-vgk': ['nhl', 'LAK', 'VGK', 'Jack Eichler'],
  'nyr-njd': ['nhl', 'NYR', 'NJD', 'Igor Shesta'],
  'wpg-buf': ['nhl', 'WPG', 'BUF'],
  'fla-car': ['nhl', 'FLA', 'CAR', 'Sergei Bobrov'],
  'tor-tbl': ['nhl', 'TOR', 'TBL'],
  'tenn-clem': ['ncaaf', 'Tennessee', 'Clemson'],
  'tex-tam': ['ncaaf', 'Texas', 'Texas A&M'],
  'moh-ohio': ['ncaaf', 'Miami (OH)', 'Ohio'],
  'msu-ore': ['ncaaf', 'Michigan State', 'Oregon'],
  'gon-smc': ['ncaab', 'Gonzaga', "Saint Mary's"],
  'ku-ttu': ['ncaab', 'Kansas', 'Texas Tech'],
  'duke-unc': ['ncaab', 'Duke', 'North Carolina'],
  'smu-mem': ['ncaab', 'SMU', 'Memphis'],
  'prov-gtwn': ['ncaab', 'Providence', 'Georgetown'],
  'tot-ars': ['soccer', 'Tottenham', 'Arsenal', 'Bukayo Sanda'],
  'lee-wol': ['soccer', 'Leeds', 'Wolves'],
  'psg-lyo': ['soccer', 'PSG', 'Lyon'],
  'int-mil': ['soccer', 'Inter', 'AC Milan'],
  'atm-rma': ['soccer', 'Atletico', 'Real Madrid'],
  'fin-kor': ['tennis', 'Ada Finch', 'Mila Korda'],
  'alv-dem': ['tennis', 'Carlo Alvarez', 'Alex de Moor'],
  'van-bra': ['mma', 'Rory Vance', 'Tomas Brandt'],
};

export const betGames: ReadonlyMap<string, BetGame> = new Map(
  Object.entries(meetings).map(([id, [sport, awayName, homeName, players]]) => {
    const teams = teamsOf(sport);
    const [away, home] = [awayName, homeName].map((name) => ({
      name: teams.fullName(name),
      names: teams.namesOf(name),
    }));
    return [
      id,
      {
        sport,
        game: `${away!.name} @ ${home!.name}`,
        startsAt: Date.parse(id.endsWith('-1') ? '2026-10-24T17:05:00Z' : '2026-10-24T23:05:00Z'),
        away: away!,
        home: home!,
        players: (players?.split(', ') ?? []).map((name) => ({ name })),
        moneylineWays: sport === 'soccer' ? 3 : 2,
      },
    ];
  }),
);

export const betDay: readonly BetGame[] = [...betGames.values()];
