/** The score models of each sport, written out independently (docs/rules/edge.md#where-the-line-moved). */
const BELL: Record<string, { spread: number; total?: number }> = {
  nfl: { spread: 12, total: 13.5 },
  nba: { spread: 12, total: 17 },
  ncaaf: { spread: 15 },
  ncaab: { spread: 10.5 },
};
const COUNTS: Record<string, { scored: number; dispersion: number; level: 'stays' | 'is played on' }> = {
  mlb: { scored: 9, dispersion: 2.2, level: 'is played on' },
  nhl: { scored: 6.2, dispersion: 1, level: 'is played on' },
  soccer: { scored: 2.6, dispersion: 1, level: 'stays' },
};

interface Bet {
  sport: string;
  market: string;
  side: string;
  line: number;
}

/** Every outcome (a side's margin, or the total) with its probability. */
type Outcomes = [outcome: number, chance: number][];

/** Returns the area below the bell curve between two points, by Simpson's rule. */
function bellArea(from: number, to: number): number {
  const height = (x: number) => Math.exp(-(x * x) / 2) / Math.sqrt(2 * Math.PI);
  const steps = 8;
  const width = (to - from) / steps;
  let area = 0;
  for (let i = 0; i <= steps; i++)
    area += height(from + i * width) * (i === 0 || i === steps ? 1 : i % 2 === 1 ? 4 : 2);
  return (area * width) / 3;
}

function bell(mean: number, sd: number): Outcomes {
  const outcomes: Outcomes = [];
  for (let k = Math.floor(mean - 7.5 * sd); k <= mean + 7.5 * sd; k++)
    outcomes.push([k, bellArea((k - 0.5 - mean) / sd, (k + 0.5 - mean) / sd)]);
  return outcomes;
}

/** Returns the probability of each number of goals or runs: Poisson, or negative binomial if overdispersed. */
function counted(mean: number, dispersion: number): number[] {
  const chances: number[] = [];
  const size = mean / (dispersion - 1);
  let logChance = dispersion === 1 ? -mean : -size * Math.log(dispersion);
  for (let k = 0; k < mean || logChance > -28; k++) {
    chances.push(Math.exp(logChance));
    logChance += Math.log(
      dispersion === 1 ? mean / (k + 1) : ((size + k) * (dispersion - 1)) / ((k + 1) * dispersion),
    );
  }
  return chances;
}

/** Returns every final score of two teams, as the market's outcome. */
function scores(of: (typeof COUNTS)[string], market: string, mean: number): Outcomes {
  const expected =
    market === 'spread' ? [(of.scored + mean) / 2, (of.scored - mean) / 2] : [mean / 2, mean / 2];
  const [own, other] = expected.map((one) => counted(one, of.dispersion)) as [number[], number[]];
  const chances = new Map<number, number>();
  const add = (outcome: number, chance: number) => chances.set(outcome, (chances.get(outcome) ?? 0) + chance);
  for (const [scored, chance] of own.entries())
    for (const [conceded, against] of other.entries()) {
      const both = chance * against;
      if (scored !== conceded || of.level === 'stays')
        add(market === 'spread' ? scored - conceded : scored + conceded, both);
      else if (market === 'spread') {
        add(1, both / 2);
        add(-1, both / 2);
      } else add(scored + conceded + 1, both);
    }
  return [...chances];
}

function winning({ market, side, line }: Bet, outcomes: Outcomes): number {
  const margins: Outcomes = outcomes.map(([outcome, chance]) => {
    if (market === 'spread') return [outcome + line, chance];
    return [side === 'over' ? outcome - line : line - outcome, chance];
  });
  // A quarter line decides half of the stake within a quarter point, and all of it beyond.
  const sum = (kept: Outcomes) =>
    kept.reduce((total, [margin, chance]) => total + chance * (Math.abs(margin) === 0.25 ? 0.5 : 1), 0);
  const won = sum(margins.filter(([margin]) => margin > 0));
  return won / (won + sum(margins.filter(([margin]) => margin < 0)));
}

const carried = new Map<string, number | null>();

/**
 * Returns a decided bet's probability of winning, given that of the same bet at another line; null without a model. Memoized: the same
 * picks are looked up on many days.
 */
export function carriedChance(closing: Bet, chance: number, own: Bet): number | null {
  const asked = [closing, own].flatMap(({ sport, market, side, line }) => [sport, market, side, line]);
  const key = [...asked, chance].join();
  const known = carried.get(key);
  if (known !== undefined) return known;
  const computed = compute(closing, chance, own);
  carried.set(key, computed);
  return computed;
}

function compute(closing: Bet, chance: number, own: Bet): number | null {
  const { sport, market, line } = closing;
  const count = COUNTS[sport];
  const sd = BELL[sport]?.[market as 'spread' | 'total'];
  if ((market !== 'spread' && market !== 'total') || (!count && !sd)) return null;
  const outcomesAt = (mean: number) => (count ? scores(count, market, mean) : bell(mean, sd!));
  const middle = market === 'spread' ? -line : line;
  let [low, high] = count
    ? market === 'spread'
      ? [-0.98 * count.scored, 0.98 * count.scored]
      : [0.05 * count.scored, 4 * count.scored]
    : [middle - 6 * sd!, middle + 6 * sd!];
  // An under gets likelier with a lower total, everything else with a higher outcome.
  const rises = closing.side !== 'under';
  if (winning(closing, outcomesAt(low)) < chance !== rises) return null;
  if (winning(closing, outcomesAt(high)) > chance !== rises) return null;
  while (high - low > 1e-10) {
    const mean = (low + high) / 2;
    if (winning(closing, outcomesAt(mean)) < chance === rises) low = mean;
    else high = mean;
  }
  return winning(own, outcomesAt((low + high) / 2));
}
