export type Scoring =
  /** Normally distributed points, with scores of the first half. */
  | { kind: 'points'; mean: number; marginSd: number; sumSd: number }
  /** Poisson-distributed goals or runs. `draws`: a level score stands. */
  | { kind: 'goals'; mean: number; draws: boolean }
  | { kind: 'sets' }
  | { kind: 'bout' };

export interface DemoProp {
  market: string;
  stat: string;
  line: number;
  /** Its name in a pick's text: `over 24.5 points`. */
  label: string;
}

export interface DemoSport {
  key: string;
  /** Duration of a game, in minutes. */
  minutes: number;
  scoring: Scoring;
  /** Teams or, in individual sports, athletes. */
  sides: readonly string[];
  /** Minutes between games: a multiple or half of {@link startsEvery}. */
  every: number;
  props: readonly DemoProp[];
  /** Statistics that show that a player with a prop took part. */
  appearance: Readonly<Record<string, number>>;
}

/** Minutes between the times at which games of any sport start, so that they share checkpoints. */
export const startsEvery = 720;

const towns = [
  'Alder Bay',
  'Brightwater',
  'Cinder Falls',
  'Dunmore',
  'Eastmarch',
  'Fairhollow',
  'Gull Harbor',
  'Highfield',
];
const teams = (...names: string[]) => names.map((name, index) => `${towns[index % towns.length]} ${name}`);

const prop = (market: string, stat: string, line: number, label: string): DemoProp => ({
  market,
  stat,
  line,
  label,
});

/** @param share of the points of a professional game */
const basketballProps = (share: number) => [
  prop('player_points', 'points', Math.round(24 * share), 'points'),
  prop('player_rebounds', 'rebounds', Math.round(8 * share), 'rebounds'),
  prop('player_assists', 'assists', Math.round(6 * share), 'assists'),
];
const footballProps = [
  prop('player_pass_yds', 'passingYards', 245, 'passing yards'),
  prop('player_rush_yds', 'rushingYards', 62, 'rushing yards'),
  prop('player_receptions', 'receptions', 5, 'receptions'),
];

export const demoSports: readonly DemoSport[] = [
  {
    key: 'nba',
    minutes: 150,
    scoring: { kind: 'points', mean: 112, marginSd: 12, sumSd: 17 },
    every: 360,
    sides: teams('Comets', 'Herons', 'Anvils', 'Lanterns', 'Badgers', 'Tides', 'Sparks', 'Owls'),
    props: basketballProps(1),
    appearance: { minutes: 34 },
  },
  {
    key: 'nfl',
    minutes: 195,
    scoring: { kind: 'points', mean: 23, marginSd: 13, sumSd: 13 },
    every: 1440,
    sides: teams('Gulls', 'Foxes', 'Rams of Iron', 'Harriers', 'Wardens', 'Storks', 'Lynxes', 'Quarrymen'),
    props: footballProps,
    appearance: {},
  },
  {
    key: 'mlb',
    minutes: 180,
    scoring: { kind: 'goals', mean: 4.5, draws: false },
    every: 360,
    sides: teams('Larks', 'Bats', 'Millers', 'Pilots', 'Kingfishers', 'Smiths', 'Otters', 'Rovers'),
    props: [prop('pitcher_strikeouts', 'strikeoutsThrown', 6, 'strikeouts')],
    appearance: { pitches: 92 },
  },
  {
    key: 'nhl',
    minutes: 155,
    scoring: { kind: 'goals', mean: 3.1, draws: false },
    every: 720,
    sides: teams('Wolves', 'Icebirds', 'Hammers', 'Northmen', 'Stags', 'Sabers', 'Bears', 'Skates'),
    props: [prop('player_shots_on_goal', 'shotsOnGoal', 3, 'shots on goal')],
    appearance: {},
  },
  {
    key: 'ncaaf',
    minutes: 210,
    scoring: { kind: 'points', mean: 28, marginSd: 16, sumSd: 15 },
    every: 1440,
    sides: teams('State', 'Tech', 'College', 'A&M', 'Institute', 'University', 'Poly', 'Seminary'),
    props: footballProps,
    appearance: {},
  },
  {
    key: 'ncaab',
    minutes: 135,
    scoring: { kind: 'points', mean: 72, marginSd: 11, sumSd: 14 },
    every: 720,
    sides: teams('Ravens', 'Rivermen', 'Scholars', 'Pines', 'Marlins', 'Falcons', 'Sages', 'Terns'),
    props: basketballProps(0.7),
    appearance: { minutes: 31 },
  },
  {
    key: 'wnba',
    minutes: 135,
    scoring: { kind: 'points', mean: 82, marginSd: 12, sumSd: 14 },
    every: 1440,
    sides: teams('Aurora', 'Vixens', 'Current', 'Meteors', 'Hawks', 'Blaze', 'Monarchs', 'Swifts'),
    props: basketballProps(0.8),
    appearance: { minutes: 32 },
  },
  {
    key: 'mma',
    minutes: 60,
    scoring: { kind: 'bout' },
    every: 1440,
    sides: [
      'R. Castellan',
      'J. Whitlock',
      'D. Amadi',
      'K. Sorensen',
      'T. Belmonte',
      'M. Arakaki',
      'L. Novak',
      'P. Dlamini',
    ],
    props: [],
    appearance: {},
  },
  {
    key: 'soccer',
    minutes: 120,
    scoring: { kind: 'goals', mean: 1.4, draws: true },
    every: 360,
    sides: teams('Athletic', 'Rovers', 'United', 'Town', 'Wanderers', 'Albion', 'Vale', 'County'),
    props: [],
    appearance: {},
  },
  {
    key: 'tennis',
    minutes: 150,
    scoring: { kind: 'sets' },
    every: 720,
    sides: [
      'A. Ferreira',
      'B. Lindqvist',
      'C. Okonjo',
      'E. Marchetti',
      'F. Novotna',
      'G. Tanaka',
      'H. Duval',
      'I. Petrov',
    ],
    props: [],
    appearance: {},
  },
];

const initials = 'ABCDEFGHJKLMNPRSTVW';
const surnames = [
  'Ashgrove',
  'Birchall',
  'Corrigan',
  'Dunleavy',
  'Ellsworth',
  'Farrow',
  'Grantham',
  'Hollis',
  'Ives',
  'Jessop',
  'Kirkbride',
  'Lorne',
  'Merrow',
  'Northcott',
  'Osgood',
  'Penhale',
];

export function playersOf(sport: DemoSport, team: string): [string, string] {
  const at = demoSports.indexOf(sport) * sport.sides.length + sport.sides.indexOf(team);
  const player = (index: number) =>
    `${initials[index % initials.length]}. ${surnames[(index * 5 + (index >> 4)) % surnames.length]}`;
  return [player(2 * at), player(2 * at + 1)];
}
