/** A league on ESPN's scoreboard. */
export interface League {
  /** Its name in `ESPN_LEAGUES` and in its feeds. */
  key: string;
  sport: string;
  /** Its path under `/apis/site/v2/sports/`. */
  path: string;
  /** Query parameters without which answers are incomplete. */
  query?: Readonly<Record<string, string>>;
  /** Number of days ahead to request its schedule for. */
  aheadDays: number;
  /** Periods of regulation and of the first half; absent if it has none. */
  periods?: { all: number; firstHalf: number };
}

const quarters = { all: 4, firstHalf: 2 };
const halves = { all: 2, firstHalf: 1 };

const leagues: readonly League[] = [
  { key: 'nba', sport: 'nba', path: 'basketball/nba', aheadDays: 2, periods: quarters },
  { key: 'wnba', sport: 'wnba', path: 'basketball/wnba', aheadDays: 3, periods: quarters },
  {
    key: 'ncaab',
    sport: 'ncaab',
    path: 'basketball/mens-college-basketball',
    // Without a group, only ranked teams are listed.
    query: { groups: '50' },
    aheadDays: 1,
    periods: halves,
  },
  { key: 'nfl', sport: 'nfl', path: 'football/nfl', aheadDays: 7, periods: quarters },
  {
    key: 'ncaaf',
    sport: 'ncaaf',
    path: 'football/college-football',
    query: { groups: '80' },
    aheadDays: 7,
    periods: quarters,
  },
  { key: 'mlb', sport: 'mlb', path: 'baseball/mlb', aheadDays: 2 },
  { key: 'nhl', sport: 'nhl', path: 'hockey/nhl', aheadDays: 2 },
  { key: 'ufc', sport: 'mma', path: 'mma/ufc', aheadDays: 14 },
];

/** Soccer competitions included in `all`: large leagues and cups. */
const competitions = [
  'eng.1',
  'esp.1',
  'ger.1',
  'ita.1',
  'fra.1',
  'usa.1',
  'mex.1',
  'uefa.champions',
  'uefa.europa',
  'fifa.world',
];

/**
 * Returns the leagues that a setting names: by key, `soccer/<competition>` in ESPN's spelling, or `all`. Tennis is excluded: ESPN's starts
 * of matches are not the real ones, and a retirement looks like a result.
 */
export function leaguesOf(names: readonly string[]): League[] {
  const all = [...leagues, ...competitions.map(soccer)];
  const wanted = names.flatMap((name) =>
    name === 'all'
      ? all
      : name.startsWith('soccer/')
        ? soccer(name.slice('soccer/'.length))
        : leagues.filter(({ key }) => key === name),
  );
  return [...new Map(wanted.map((league) => [league.key, league])).values()];
}

function soccer(competition: string): League {
  const key = `soccer.${competition}`;
  return { key, sport: 'soccer', path: `soccer/${competition}`, aheadDays: 7, periods: halves };
}
