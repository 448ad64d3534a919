import { normalBelow } from './normal.ts';
import { type ScoreModel, scoreModels } from './score-models.ts';

/**
 * The chance that a side wins at its own line, given its chance at the closing line, by the sport's {@link ScoreModel}: the model's one
 * free figure (the expected margin or total) is set so that the closing chance comes out, then read at the other line. Both chances are
 * of the stake that is decided: a push on a whole line is taken out, as prices do, and so is the half of a quarter line that is returned.
 *
 * @param closing the line in thousandths, as the side has it, and the chance there, above 0 and below 1
 * @param lineE3 the side's own line in thousandths
 * @returns `null` in a sport or market without a model, and where the model cannot give the closing chance
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

/** A side of a market that has a model. */
interface Bet {
  market: 'spread' | 'total';
  side: string;
}

/** {@link chanceAtLine} by a model that is given. */
export function chanceByModel(
  model: ScoreModel,
  bet: Bet,
  closing: { lineE3: number; chance: number },
  lineE3: number,
): number | null {
  const family = familyOf(model, bet.market);
  if (family === null) return null;
  // What has to be passed: minus the line by a side's margin, the line by an over. An under wins where the over loses.
  const under = bet.market === 'total' && bet.side === 'under';
  const markOf = (line: number) => (bet.market === 'spread' ? -line : line) / 1000;
  const wanted = under ? 1 - closing.chance : closing.chance;
  const mark = markOf(closing.lineE3);
  let [low, high] = family.means(mark);
  if (!(passing(family.of(low), mark) < wanted && wanted < passing(family.of(high), mark))) return null;
  for (let step = 0; step < 50; step++) {
    const middle = (low + high) / 2;
    if (passing(family.of(middle), mark) < wanted) low = middle;
    else high = middle;
  }
  const chance = passing(family.of((low + high) / 2), markOf(lineE3));
  return under ? 1 - chance : chance;
}

/** The probability that a whole number is at most `k`. */
type Distribution = (k: number) => number;

/**
 * The chance of more than the mark, of the stake that is decided: none of it is exactly at the mark. At a quarter line, half the stake is
 * on each half line beside it.
 */
function passing(atMost: Distribution, mark: number): number {
  const isQuarter = !Number.isInteger(mark * 2);
  let above = 0;
  let below = 0;
  for (const half of isQuarter ? [mark - 0.25, mark + 0.25] : [mark]) {
    above += 1 - atMost(Math.floor(half));
    below += atMost(Math.ceil(half) - 1);
  }
  return above / (above + below);
}

/** The distributions of a margin or total by its expected value, and the range in which that is looked for. */
interface Family {
  of(mean: number): Distribution;
  means(mark: number): [low: number, high: number];
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
    means: (mark) => [mark - 6 * sd, mark + 6 * sd],
  };
}

type Counts = Extract<ScoreModel, { kind: 'counts' }>;

/** The margin of two independent counts. Where there are no draws, a level game is won by one, by either side as often. */
function countedMargin({ scored, dispersion, draws }: Counts, mean: number): Distribution {
  const own = counts((scored + mean) / 2, dispersion);
  const other = counts((scored - mean) / 2, dispersion);
  const ownAtMost = sums(own);
  const atMost = (k: number) =>
    other.reduce((sum, chance, conceded) => sum + chance * upTo(ownAtMost, conceded + k), 0);
  const decided = draws ? 0 : other.reduce((sum, chance, score) => sum + chance * (own[score] ?? 0), 0) / 2;
  return (k) => atMost(k) + (k === -1 ? decided : k === 0 ? -decided : 0);
}

/** The total of two independent counts of equal mean, itself a count. Where there are no draws, a level game has one more. */
function countedTotal({ dispersion, draws }: Counts, mean: number): Distribution {
  const atMost = sums(counts(mean, dispersion));
  const team = counts(mean / 2, dispersion);
  const level = (k: number) => (draws || k % 2 !== 0 ? 0 : (team[k / 2] ?? 0) ** 2);
  return (k) => upTo(atMost, k) - level(k);
}

/** The probabilities of 0, 1, 2 ... of a count, until what is left is negligible. */
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
