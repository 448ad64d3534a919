import type { GameRow, LineRow, PickRow, ResultRow, Rows, StatRow } from '../naive/read.ts';

const hour = 3_600_000;
const day = 24 * hour;
const opening = Date.parse('2024-11-01T23:30:00Z');
const iso = (at: number) => new Date(at).toISOString();

const days = 14;
/** The number of days whose games have ended at {@link seasonNow}. */
const played = 12;

/** Two hours before the games of the thirteenth evening. */
export const seasonNow = opening + played * day - 2 * hour;

/** The players' spelling in picks and prices, and in box scores. */
const players = [
  ['Zoë Marín', 'ZOE MARIN'],
  ['Bo Quill Jr.', 'Bo Quill'],
  ['D’Ana Reyes', "D'Ana Reyes"],
  ['Ike Stone', 'ike stone'],
] as const;

type Box = Record<string, number>;
interface Sport {
  game: string;
  /** Returns figures that differ by player and evening. */
  box(seed: number): Box;
  /** The markets, each with the fields that it adds up; without fields, it asks whether something happened. */
  markets: readonly (readonly [market: string, fields: readonly string[]])[];
}

const sports: Record<string, Sport> = {
  nba: {
    game: 'Meadow Hawks @ River Otters',
    box: (n) => ({
      minutes: 20 + (n % 15),
      points: 6 + (n % 23),
      rebounds: 3 + (n % 9),
      assists: 2 + (n % 10),
      threes: n % 5,
      steals: n % 3,
      blocks: n % 4,
      turnovers: n % 6,
    }),
    markets: [
      ['player_points', ['points']],
      ['player_rebounds_assists', ['rebounds', 'assists']],
      ['player_points_rebounds_assists', ['points', 'rebounds', 'assists']],
      ['player_double_double', []],
    ],
  },
  nfl: {
    game: 'Hill Crows @ Lake Seals',
    box: (n) => ({
      rushingYards: (n * 7) % 90,
      rushingAttempts: n % 19,
      receptions: n % 8,
      receivingYards: (n * 5) % 70,
      touchdowns: n % 3,
    }),
    markets: [
      ['player_rush_yds', ['rushingYards']],
      ['player_receptions', ['receptions']],
      ['player_anytime_td', []],
    ],
  },
  mlb: {
    game: 'Stone Larks @ Bay Rams',
    box: (n) => ({ plateAppearances: 3 + (n % 3), hits: n % 4, totalBases: (n % 4) * 2, homeRuns: n % 2 }),
    markets: [
      ['batter_hits', ['hits']],
      ['batter_total_bases', ['totalBases']],
    ],
  },
  nhl: {
    game: 'Pine Lynx @ North Cods',
    box: (n) => ({ goals: n % 2, assists: n % 3, shotsOnGoal: n % 7, saves: 0 }),
    markets: [
      ['player_points', ['goals', 'assists']],
      ['player_shots_on_goal', ['shotsOnGoal']],
    ],
  },
};

/** The distance from the figure to the line: decided, half decided, or level. */
const toLine = [-0.5, 0.5, 0, 0.25, -0.25, 1];

/** Shortened games, by sport and evening. Some do not say how much was played. */
const shortened: Record<string, Partial<GameRow>> = {
  'nba 8': { played: 'shortened', periods: 3 },
  'nba 9': { played: 'shortened', periods: 3.75 },
  'nfl 6': { played: 'shortened', periods: 2 },
  'nfl 10': { played: 'shortened' },
  'mlb 3': { played: 'shortened', periods: 6 },
  'mlb 7': { periods: 7 },
  'nhl 2': { periods: 2 },
};

/**
 * Returns two weeks of games in four sports with bets on players. On some evenings one player of each game does not play; on others a
 * statistic is missing, which a result event sometimes replaces.
 */
export function playerSeason(): Rows {
  const games: GameRow[] = [];
  const lines: LineRow[] = [];
  const picks: PickRow[] = [];
  const results: ResultRow[] = [];
  const stats: StatRow[] = [];
  for (let evening = 0; evening < days; evening += 1)
    for (const [sport, { game, box, markets }] of Object.entries(sports)) {
      const start = opening + evening * day;
      const of = { sport, game, startsAt: iso(start) };
      const isOff = sport === 'nhl' && evening === 5;
      const isOver = evening < played;
      const cut = shortened[`${sport} ${evening}`];
      games.push(
        !isOver || isOff
          ? { ...of, status: isOff ? 'cancelled' : 'scheduled', ...(isOff ? { finalAt: iso(start) } : {}) }
          : {
              ...of,
              status: 'final',
              homeScore: 20 + evening,
              awayScore: 31 - evening,
              finalAt: iso(start + 3 * hour),
              ...cut,
            },
      );
      players.forEach(([subject, spelled], index) => {
        const seed = evening * 11 + index * 5 + sport.length;
        const own = box(seed);
        const isLast = index === players.length - 1;
        const isAbsent = isLast && evening % 2 === 1;
        const lacks = isLast && evening % 4 === 0;
        if (isOver && isAbsent) stats.push({ ...of, player: spelled, played: false });
        else if (isOver)
          stats.push({
            ...of,
            player: spelled,
            ...(lacks ? Object.fromEntries(Object.entries(own).slice(0, 1)) : own),
            ...(index === 1 ? { finalAt: iso(start + 5 * hour) } : {}),
          });
        markets.forEach(([market, fields], at) => {
          const isQuestion = fields.length === 0;
          const figure = fields.reduce((sum, field) => sum + own[field]!, 0);
          const line = isQuestion ? null : Math.max(0.5, figure + toLine[(seed + at) % toLine.length]!);
          const sides = isQuestion ? (['yes', 'no'] as const) : (['over', 'under'] as const);
          const about = { ...of, market, subject };
          const price = (book: string, side: string, oddsAmerican: number, minutes: number, offLine = 0) =>
            lines.push({
              ...about,
              side,
              line: line === null ? null : line + offLine,
              oddsAmerican,
              book,
              capturedAt: iso(start - minutes * 60_000),
            });
          if (index !== 2) {
            price('north', sides[0], -120 + (seed % 7), 60);
            price('north', sides[0], -115 + (seed % 9), 20);
            if (!isQuestion) price('north', sides[1], -105 - (seed % 8), 20);
            price('south', sides[0], 102 + (seed % 20), 45, isQuestion ? 0 : evening % 2);
          }
          const bet = (capperHandle: string, side: string, hours: number, more: Partial<PickRow> = {}) =>
            picks.push({
              capperHandle,
              ...about,
              side,
              line,
              pick: `${subject} ${side} ${line ?? ''} ${market}`,
              oddsAmerican: 100 + ((seed + at) % 40),
              stakeUnits: 1 + (seed % 3),
              postedAt: iso(start - hours * hour - at * 60_000 - index * 1000),
              ...more,
            });
          const ahead = evening > played ? 30 : 3;
          const side = sides[(seed + at) % 2]!;
          bet('ann', side, ahead, { book: 'north' });
          if ((seed + at) % 3 !== 0) bet('bob', side, ahead + 1, seed % 2 === 0 ? {} : { book: 'south' });
          bet('cy', sides[(seed + at + 1) % 2]!, ahead + 2);
          if (isOver && !isOff && lacks && at % 2 === 1)
            for (const each of sides)
              results.push({
                ...about,
                side: each,
                line,
                result: each === sides[0] ? 'win' : 'loss',
                finalAt: iso(start + 6 * hour),
              });
        });
      });
    }
  const tiers = { ann: 'elite', bob: 'verified_sharp', cy: 'listed' } as const;
  const cappers = Object.entries(tiers).map(([handle, tier]) => ({ handle, tier, verified: true }));
  return { cappers, games, lines, picks, results, stats };
}
