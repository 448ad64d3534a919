/** Parameters of a sport for the generator of games. */
export interface DemoSport {
  key: string;
  /** Duration of a game. */
  minutes: number;
  /** Mean points of one side. */
  points: number;
  /** The usual line of a total, where it is not about the points of the score: a tennis match's games. */
  total?: number;
  /** Scale of random differences, in points. */
  scatter: number;
  hasSpread: boolean;
  draws: boolean;
  /** Names of teams or, in individual sports, of athletes. */
  sides: readonly string[];
  /** Minutes from one start to the next. */
  every: number;
}

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

/** All ten sports, with fictional teams and athletes. */
export const demoSports: readonly DemoSport[] = [
  {
    key: 'nba',
    minutes: 150,
    points: 112,
    scatter: 9,
    hasSpread: true,
    draws: false,
    every: 180,
    sides: teams('Comets', 'Herons', 'Anvils', 'Lanterns', 'Badgers', 'Tides', 'Sparks', 'Owls'),
  },
  {
    key: 'nfl',
    minutes: 195,
    points: 23,
    scatter: 7,
    hasSpread: true,
    draws: false,
    every: 300,
    sides: teams('Gulls', 'Foxes', 'Rams of Iron', 'Harriers', 'Wardens', 'Storks', 'Lynxes', 'Quarrymen'),
  },
  {
    key: 'mlb',
    minutes: 180,
    points: 4.5,
    scatter: 2.2,
    hasSpread: false,
    draws: false,
    every: 180,
    sides: teams('Larks', 'Bats', 'Millers', 'Pilots', 'Kingfishers', 'Smiths', 'Otters', 'Rovers'),
  },
  {
    key: 'nhl',
    minutes: 155,
    points: 3.1,
    scatter: 1.5,
    hasSpread: false,
    draws: false,
    every: 200,
    sides: teams('Wolves', 'Icebirds', 'Hammers', 'Northmen', 'Stags', 'Sabers', 'Bears', 'Skates'),
  },
  {
    key: 'ncaaf',
    minutes: 210,
    points: 28,
    scatter: 10,
    hasSpread: true,
    draws: false,
    every: 480,
    sides: teams('State', 'Tech', 'College', 'A&M', 'Institute', 'University', 'Poly', 'Seminary'),
  },
  {
    key: 'ncaab',
    minutes: 135,
    points: 72,
    scatter: 8,
    hasSpread: true,
    draws: false,
    every: 240,
    sides: teams('Ravens', 'Rivermen', 'Scholars', 'Pines', 'Marlins', 'Falcons', 'Sages', 'Terns'),
  },
  {
    key: 'wnba',
    minutes: 135,
    points: 82,
    scatter: 8,
    hasSpread: true,
    draws: false,
    every: 360,
    sides: teams('Aurora', 'Vixens', 'Current', 'Meteors', 'Hawks', 'Blaze', 'Monarchs', 'Swifts'),
  },
  {
    key: 'mma',
    minutes: 60,
    points: 1,
    scatter: 1,
    hasSpread: false,
    draws: false,
    every: 360,
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
  },
  {
    key: 'soccer',
    minutes: 120,
    points: 1.4,
    scatter: 1.1,
    hasSpread: false,
    draws: true,
    every: 120,
    sides: teams('Athletic', 'Rovers', 'United', 'Town', 'Wanderers', 'Albion', 'Vale', 'County'),
  },
  {
    key: 'tennis',
    minutes: 150,
    points: 2,
    total: 21.5,
    scatter: 1,
    hasSpread: false,
    draws: false,
    every: 240,
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
  },
];
