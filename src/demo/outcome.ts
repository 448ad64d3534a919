import type { GameRow } from '../intake/game.ts';
import { normal, oneOf, type Random } from './random.ts';
import type { Scoring } from './sports.ts';

/** A market of a game at one line, with the probability of each side just before the start. */
export interface Contest {
  market: string;
  subject: string | null;
  sides: readonly ContestSide[];
}

export interface ContestSide {
  side: string;
  line: number | null;
  chance: number;
  /** The sign of the change in probability if the market leans to the first side: 1, -1, or 0 for a draw. */
  leaning: number;
}

type Score = Pick<GameRow, 'homeScore' | 'awayScore' | 'homeHalfScore' | 'awayHalfScore' | 'sets'>;

/** A game's true probabilities, which only the generator knows, and a score drawn from them. */
export interface Truth {
  contests: readonly Contest[];
  /** The spread at a second line, to which the books move; undefined if they do not move. */
  moved: Contest | undefined;
  score: Score;
}

const half = (line: number) => Math.round(line * 2) / 2 || 0;
const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

export function twoSided(
  market: string,
  [first, second]: readonly [string, string],
  chance: number,
  lines: readonly [number, number] | null = null,
  subject: string | null = null,
): Contest {
  return {
    market,
    subject,
    sides: [
      { side: first, line: lines?.[0] ?? null, chance, leaning: 1 },
      { side: second, line: lines?.[1] ?? null, chance: 1 - chance, leaning: -1 },
    ],
  };
}

const overUnder = (market: string, line: number, chance: number): Contest =>
  twoSided(market, ['over', 'under'], chance, [line, line]);
const spread = (market: string, line: number, chance: number): Contest =>
  twoSided(market, ['home', 'away'], chance, [line, 0 - line]);

export function truthOf(scoring: Scoring, random: Random): Truth {
  switch (scoring.kind) {
    case 'points':
      return points(scoring, random);
    case 'goals':
      return goals(scoring, random);
    case 'sets':
      return sets(random);
    case 'bout': {
      const chance = belowNormal(normal(random) * 0.5);
      const score = random() < chance ? { homeScore: 1, awayScore: 0 } : { homeScore: 0, awayScore: 1 };
      return { contests: [twoSided('moneyline', ['home', 'away'], chance)], moved: undefined, score };
    }
  }
}

function points({ mean, marginSd, sumSd }: Scoring & { kind: 'points' }, random: Random): Truth {
  const edge = normal(random) * marginSd * 0.45;
  const pace = 2 * mean + normal(random) * sumSd * 0.4;
  const covers = (line: number) => belowNormal((edge + line) / marginSd);
  const line = half(-edge + normal(random) * marginSd * 0.03);
  const movedBy = random() < 0.2 ? oneOf(random, [-0.5, 0.5]) : 0;
  const total = half(pace + normal(random) * sumSd * 0.03);
  const contests = [
    twoSided('moneyline', ['home', 'away'], covers(0)),
    spread('spread', line, covers(line)),
    overUnder('total', total, belowNormal((pace - total) / sumSd)),
  ];
  const kind = random();
  /** Standard deviation of a side's first half from half of its points. */
  const unevenness = mean * 0.07;
  if (kind < 0.15)
    for (const [team, sign] of [
      ['home', 1],
      ['away', -1],
    ] as const) {
      const expected = (pace + sign * edge) / 2;
      const own = half(expected);
      const over = belowNormal((expected - own) / (Math.hypot(marginSd, sumSd) / 2));
      contests.push(twoSided('team_total', [`${team}_over`, `${team}_under`], over, [own, own]));
    }
  else if (kind < 0.4) {
    const firstTotal = half(pace / 2);
    const firstSpread = half(-edge / 2);
    const sdOf = (sd: number) => Math.hypot(sd / 2, unevenness * Math.SQRT2);
    contests.push(
      overUnder('first_half_total', firstTotal, belowNormal((pace / 2 - firstTotal) / sdOf(sumSd))),
      spread('first_half_spread', firstSpread, belowNormal((edge / 2 + firstSpread) / sdOf(marginSd))),
    );
  }
  const margin = edge + normal(random) * marginSd;
  const sum = pace + normal(random) * sumSd;
  let homeScore = Math.max(0, Math.round((sum + margin) / 2));
  let awayScore = Math.max(0, Math.round((sum - margin) / 2));
  if (homeScore === awayScore)
    if (margin > 0) homeScore += 1;
    else awayScore += 1;
  const halfOf = (score: number) => Math.round(clamp(score / 2 + normal(random) * unevenness, 0, score));
  const score = {
    homeScore,
    awayScore,
    homeHalfScore: halfOf(homeScore),
    awayHalfScore: halfOf(awayScore),
  };
  const moved = movedBy === 0 ? undefined : spread('spread', line + movedBy || 0, covers(line + movedBy));
  return { contests, moved, score };
}

const mostGoals = 20;

function goals({ mean, draws }: Scoring & { kind: 'goals' }, random: Random): Truth {
  const edge = normal(random) * 0.16;
  const pace = mean * Math.exp(normal(random) * 0.08);
  const [home, away] = [poisson(pace * Math.exp(edge)), poisson(pace * Math.exp(-edge))];
  const chances = { home: 0, draw: 0, away: 0 };
  const sums: number[] = [];
  for (let h = 0; h < mostGoals; h += 1)
    for (let a = 0; a < mostGoals; a += 1) {
      const chance = home[h]! * away[a]!;
      chances[h > a ? 'home' : h < a ? 'away' : 'draw'] += chance;
      // If there are no draws, overtime adds one goal to a level score.
      const sum = h + a + (h === a && !draws ? 1 : 0);
      sums[sum] = (sums[sum] ?? 0) + chance;
    }
  const overOf = (line: number) => sums.reduce((over, chance, sum) => (sum > line ? over + chance : over), 0);
  const lines = [-1.5, -0.5, 0.5].map((by) => Math.round(2 * pace) + by);
  const total = lines.toSorted((a, b) => Math.abs(overOf(a) - 0.5) - Math.abs(overOf(b) - 0.5))[0]!;
  const moneyline = draws
    ? {
        market: 'moneyline',
        subject: null,
        sides: [
          { side: 'home', line: null, chance: chances.home, leaning: 1 },
          { side: 'away', line: null, chance: chances.away, leaning: -1 },
          { side: 'draw', line: null, chance: chances.draw, leaning: 0 },
        ],
      }
    : twoSided('moneyline', ['home', 'away'], chances.home + chances.draw / 2);
  let homeScore = drawn(home, random());
  let awayScore = drawn(away, random());
  if (homeScore === awayScore && !draws)
    if (random() < 0.5) homeScore += 1;
    else awayScore += 1;
  return {
    contests: [moneyline, overUnder('total', total, overOf(total))],
    moved: undefined,
    score: { homeScore, awayScore },
  };
}

/** Games won by the loser of a set, one of which is drawn. */
const lostGames = [1, 2, 3, 3, 4, 4, 4, 5, 6];
const gamesOf = (lost: number) => lost + (lost > 4 ? 7 : 6);
const gamesLine = 21.5;
/** Probability that two sets have more games than the line. Three sets always do. */
const overInTwo =
  lostGames.flatMap((one) => lostGames.filter((two) => gamesOf(one) + gamesOf(two) > gamesLine)).length /
  lostGames.length ** 2;

function sets(random: Random): Truth {
  const chance = belowNormal(normal(random) * 0.5);
  const over = clamp(0.5 + normal(random) * 0.06, overInTwo + 0.05, 0.7);
  const isLong = random() < (over - overInTwo) / (1 - overInTwo);
  const homeWins = random() < chance;
  const winners = isLong
    ? [
        ...oneOf(random, [
          [false, true],
          [true, false],
        ]),
        true,
      ]
    : [true, true];
  const score = winners.map((favored) => {
    const lost = oneOf(random, lostGames);
    const most = lost > 4 ? 7 : 6;
    return favored === homeWins ? [most, lost] : [lost, most];
  });
  const lostSets = isLong ? 1 : 0;
  return {
    contests: [twoSided('moneyline', ['home', 'away'], chance), overUnder('total', gamesLine, over)],
    moved: undefined,
    score: {
      ...(homeWins ? { homeScore: 2, awayScore: lostSets } : { homeScore: lostSets, awayScore: 2 }),
      sets: score as number[][],
    },
  };
}

function poisson(mean: number): number[] {
  const chances = [Math.exp(-mean)];
  for (let count = 1; count < mostGoals; count += 1) chances.push((chances[count - 1]! * mean) / count);
  return chances;
}

function drawn(chances: readonly number[], at: number): number {
  let left = at;
  for (const [count, chance] of chances.entries()) {
    left -= chance;
    if (left < 0) return count;
  }
  return chances.length - 1;
}

/** Approximates the standard normal distribution function to three digits. */
function belowNormal(x: number): number {
  return 1 / (1 + Math.exp(-1.5976 * x - 0.07056 * x ** 3));
}
