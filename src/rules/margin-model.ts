/** A model of how scores are distributed around the market's expectation. */
export type ScoreModel =
  /**
   * Margins and totals are normal, in whole points, with these standard deviations around the closing line's expectation; `null` for a
   * market without a model.
   */
  | { kind: 'normal'; marginSd: number; totalSd: number | null }
  /**
   * Each team's score is a count with a variance of `dispersion` times its mean: Poisson at 1, negative binomial above. Margins are
   * therefore Skellam or wider. `scored` is the mean of both scores together. Without draws, a level game continues until the next score.
   */
  | { kind: 'counts'; scored: number; dispersion: number; draws: boolean };

/**
 * Models by sport; other sports have none. `npm run fit` fits the parameters to real games, or they are published
 * (docs/rules/edge.md#where-the-line-moved). Edges are stored, so a change requires a rebuild of the boards.
 */
const scoreModels: ReadonlyMap<string, ScoreModel> = new Map<string, ScoreModel>([
  ['nfl', { kind: 'normal', marginSd: 12, totalSd: 13.5 }],
  ['nba', { kind: 'normal', marginSd: 12, totalSd: 17 }],
  ['ncaaf', { kind: 'normal', marginSd: 15, totalSd: null }],
  ['ncaab', { kind: 'normal', marginSd: 10.5, totalSd: null }],
  ['mlb', { kind: 'counts', scored: 9, dispersion: 2.2, draws: false }],
  ['nhl', { kind: 'counts', scored: 6.2, dispersion: 1, draws: false }],
  ['soccer', { kind: 'counts', scored: 2.6, dispersion: 1, draws: true }],
]);

/**
 * Returns the probability that a side wins at its own line, given its probability at the closing line, by the sport's {@link ScoreModel}.
 * The model's one free parameter, the expected margin or total, is fitted to the closing probability. Both probabilities refer to the
 * decided part of the stake: they exclude pushes on whole lines, as prices do, and the returned half of a quarter line.
 *
 * @param closing the line in thousandths, as the side has it, and the probability there, between 0 and 1 exclusive
 * @param lineE3 the side's own line in thousandths
 * @returns `null` for a sport or market without a model, and if the model cannot reach the closing probability
 */
export function chanceAtLine(
  sport: string,
  { market, side }: { market: string; side: string },
  closing: { lineE3: number; chance: number },
  lineE3: number,
): number | null {
  const model = scoreModels.get(sport);
  if (model === undefined || (market !== 'spread' && market !== 'total')) return null;
  return chanceByModel(model, { market, side }, closing, lineE3);
}

interface Bet {
  market: 'spread' | 'total';
  side: string;
}

/** Like {@link chanceAtLine}, with a given model. */
export function chanceByModel(
  model: ScoreModel,
  bet: Bet,
  closing: { lineE3: number; chance: number },
  lineE3: number,
): number | null {
  const family = familyOf(model, bet.market);
  if (family === null) return null;
  // A spread's margin must exceed minus the line, a total must exceed the line. An under wins if the over loses.
  const under = bet.market === 'total' && bet.side === 'under';
  const thresholdOf = (line: number) => (bet.market === 'spread' ? -line : line) / 1000;
  const wanted = under ? 1 - closing.chance : closing.chance;
  const threshold = thresholdOf(closing.lineE3);
  let [low, high] = family.means(threshold);
  if (!(passing(family.of(low), threshold) < wanted && wanted < passing(family.of(high), threshold)))
    return null;
  for (let step = 0; step < 50; step++) {
    const middle = (low + high) / 2;
    if (passing(family.of(middle), threshold) < wanted) low = middle;
    else high = middle;
  }
  const chance = passing(family.of((low + high) / 2), thresholdOf(lineE3));
  return under ? 1 - chance : chance;
}

/** The probability that an integer is at most `k`. */
type Distribution = (k: number) => number;

/**
 * Returns the probability of exceeding the threshold, relative to the decided part of the stake, which excludes a tie. At a quarter line
 * half of the stake is on each adjacent half line.
 */
function passing(atMost: Distribution, threshold: number): number {
  const isQuarter = !Number.isInteger(threshold * 2);
  let above = 0;
  let below = 0;
  for (const half of isQuarter ? [threshold - 0.25, threshold + 0.25] : [threshold]) {
    above += 1 - atMost(Math.floor(half));
    below += atMost(Math.ceil(half) - 1);
  }
  return above / (above + below);
}

/** Distributions of a margin or total by expected value, and the range in which to search for it. */
interface Family {
  of(mean: number): Distribution;
  means(threshold: number): [low: number, high: number];
}

function familyOf(model: ScoreModel, market: Bet['market']): Family | null {
  if (model.kind === 'counts') {
    const { scored } = model;
    return market === 'spread'
      ? { of: (mean) => countedMargin(model, mean), means: () => [-0.98 * scored, 0.98 * scored] }
      : { of: (mean) => countedTotal(model, mean), means: () => [0.05 * scored, 4 * scored] };
  }
  const sd = market === 'spread' ? model.marginSd : model.totalSd;
  if (sd === null) return null;
  return {
    of: (mean) => (k) => normalBelow((k + 0.5 - mean) / sd),
    means: (threshold) => [threshold - 6 * sd, threshold + 6 * sd],
  };
}

type Counts = Extract<ScoreModel, { kind: 'counts' }>;

/** The margin of two independent counts. Without draws, a level game is won by one, equally often by either side. */
function countedMargin({ scored, dispersion, draws }: Counts, mean: number): Distribution {
  const own = counts((scored + mean) / 2, dispersion);
  const other = counts((scored - mean) / 2, dispersion);
  const ownAtMost = sums(own);
  const atMost = (k: number) =>
    other.reduce((sum, chance, conceded) => sum + chance * upTo(ownAtMost, conceded + k), 0);
  const decided = draws ? 0 : other.reduce((sum, chance, score) => sum + chance * (own[score] ?? 0), 0) / 2;
  return (k) => atMost(k) + (k === -1 ? decided : k === 0 ? -decided : 0);
}

/** The total of two independent counts with equal means, itself a count. Without draws, a level game has one more. */
function countedTotal({ dispersion, draws }: Counts, mean: number): Distribution {
  const atMost = sums(counts(mean, dispersion));
  const team = counts(mean / 2, dispersion);
  const level = (k: number) => (draws || k % 2 !== 0 ? 0 : (team[k / 2] ?? 0) ** 2);
  return (k) => upTo(atMost, k) - level(k);
}

/** Returns the probabilities of 0, 1, 2, ... for a count, until the rest is negligible. */
function counts(mean: number, dispersion: number): number[] {
  const size = mean / (dispersion - 1);
  const chances = [];
  let chance = dispersion === 1 ? Math.exp(-mean) : dispersion ** -size;
  for (let k = 0; k < mean || chance > 1e-14; k++) {
    chances.push(chance);
    chance *= dispersion === 1 ? mean / (k + 1) : ((size + k) / (k + 1)) * (1 - 1 / dispersion);
  }
  return chances;
}

function sums(values: readonly number[]): number[] {
  let sum = 0;
  return values.map((value) => (sum += value));
}

function upTo(atMost: readonly number[], k: number): number {
  return k < 0 ? 0 : (atMost[k] ?? 1);
}

/** Returns the standard normal distribution function, by its Taylor series (Marsaglia, Evaluating the Normal Distribution, 2004). */
export function normalBelow(z: number): number {
  // The series is accurate to the last bits up to 8; the tails beyond are negligible.
  if (Math.abs(z) > 8) return z < 0 ? 0 : 1;
  let sum = z;
  let term = z;
  for (let i = 3; Math.abs(term) > 1e-17; i += 2) {
    term *= (z * z) / i;
    sum += term;
  }
  return 0.5 + (sum * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI);
}
