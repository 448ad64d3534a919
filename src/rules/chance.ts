import { decimalOf } from './odds.ts';
import { shownFloat } from './rounding.ts';

/** Wins and losses at the same counted odds, all of them halves or none. */
export interface PricedGroup {
  oddsAmerican: number;
  half: boolean;
  decided: number;
  wins: number;
}

/** A distribution keeps this many values. If there are more, those in the same of as many bins are merged at their mean. */
const maxValues = 4_096;

/** Of more groups than this, those whose profits differ by less than a tenth are merged, which keeps mean and variance. */
const maxGroups = 32;

const equalWithin = 1e-7;

/** Probabilities below this are dropped: they cannot move the last digit shown. */
const negligible = 1e-10;

/**
 * Returns the probability that a bettor without skill, who wins each pick with probability `1 / decimal`, has this yield or more at the same
 * odds (docs/rules/records.md#chance). The normal distribution would be wrong by a factor of five for long shots, whose wins are rare and
 * large. So this adds up the distribution of what the picks return, odds by odds. Returns only grow, so a sum that reaches the actual
 * return is final.
 */
export function chanceOf(groups: readonly PricedGroup[]): number {
  const returns = groups.map(({ oddsAmerican, half, decided, wins }) => {
    const { num, den } = decimalOf(oddsAmerican);
    return { decimal: num / den, weight: half ? 0.5 : 1, decided, wins };
  });
  const actual = returns.reduce((sum, { decimal, weight, wins }) => sum + weight * decimal * wins, 0);
  if (actual === 0) return 1;
  // The order of additions moves the last bits of equal sums.
  const target = actual * (1 - 1e-10);
  const classes = returns.length > maxGroups ? classesOf(returns) : returns;
  let reached = 0;
  let sums: Distribution = { values: Float64Array.of(0), chances: Float64Array.of(1) };
  let further = classes.reduce((sum, { decimal, weight, decided }) => sum + weight * decimal * decided, 0);
  for (const { decimal, weight, decided } of classes) {
    further -= weight * decimal * decided;
    const next = sumsBelow({
      sums,
      target,
      gain: weight * decimal,
      wins: winsOf(decided, 1 / decimal),
      further: further * (1 + 1e-9),
    });
    sums = next;
    reached += next.reached;
  }
  return Math.min(1, reached);
}

/** Returns {@link chanceOf} as shown; null without wins and losses. */
export function chancePct(groups: readonly PricedGroup[]): number | null {
  if (groups.every(({ decided }) => decided === 0)) return null;
  return shownChance(chanceOf(groups));
}

/** Returns a probability in percent with 2 decimals, and 0 below 0.01. */
export function shownChance(chance: number): number {
  return chance < 0.0001 ? 0 : shownFloat(100 * chance, 2);
}

/** Says how many bettors without skill do as well. @param percent how many of 100, as shown */
export function chanceText(percent: number): string {
  if (percent >= 50) return 'Most bettors without skill do as well';
  if (percent === 0) return 'Fewer than 1 in 10,000 bettors without skill do as well';
  return `1 in ${Math.round(100 / percent).toLocaleString('en-US')} bettors without skill does as well`;
}

interface Returns {
  decimal: number;
  weight: number;
  decided: number;
}

function classesOf(groups: readonly Returns[]): Returns[] {
  const classes: (Returns & { least: number })[] = [];
  for (const { decimal, weight, decided } of groups.toSorted(
    (a, b) => a.weight - b.weight || a.decimal - b.decimal,
  )) {
    const last = classes.at(-1);
    if (last === undefined || last.weight !== weight || decimal - 1 > 1.1 * (last.least - 1))
      classes.push({ decimal, weight, decided, least: decimal });
    else {
      last.decimal = (last.decimal * last.decided + decimal * decided) / (last.decided + decided);
      last.decided += decided;
    }
  }
  return classes;
}

/** Sums in ascending order, and their probabilities. */
interface Distribution {
  values: Float64Array;
  chances: Float64Array;
}

interface Step {
  sums: Distribution;
  wins: { fewest: number; chances: readonly number[] };
  /** Returned by each win. */
  gain: number;
  target: number;
  /** The most that can still be added: sums that cannot reach the target are dropped, so that the bins get finer to the end. */
  further: number;
}

/** Adds a group. Returns the sums below the target, and the probability of `reached`, those that are not. */
function sumsBelow(step: Step): Distribution & { reached: number } {
  const { sums, wins } = step;
  return (
    (sums.values.length * wins.chances.length <= 2 * maxValues ? exactSums(step) : null) ?? binnedSums(step)
  );
}

/** Returns null if there are more sums than are kept. */
function exactSums({ sums, wins, gain, target, further }: Step): (Distribution & { reached: number }) | null {
  let values: number[] = [];
  let chances: number[] = [];
  let reached = 0;
  for (const [more, ofWins] of wins.chances.entries()) {
    const gained = gain * (wins.fewest + more);
    const [merged, together]: [number[], number[]] = [[], []];
    let other = 0;
    for (let at = 0; at <= sums.values.length; at += 1) {
      const value = at < sums.values.length ? sums.values[at]! + gained : Infinity;
      for (; other < values.length && values[other]! < value - equalWithin; other += 1) {
        merged.push(values[other]!);
        together.push(chances[other]!);
      }
      if (at === sums.values.length) break;
      const chance = sums.chances[at]! * ofWins;
      if (value >= target) reached += chance;
      else if (value >= target - further) {
        const isKnown = other < values.length && values[other]! <= value + equalWithin;
        merged.push(value);
        together.push(chance + (isKnown ? chances[other]! : 0));
        if (isKnown) other += 1;
      }
    }
    if (merged.length > maxValues) return null;
    [values, chances] = [merged, together];
  }
  return { values: Float64Array.from(values), chances: Float64Array.from(chances), reached };
}

function binnedSums({ sums, wins, gain, target, further }: Step): Distribution & { reached: number } {
  const { values, chances } = sums;
  const count = values.length;
  const low = Math.max((values[0] ?? 0) + gain * wins.fewest, target - further);
  const most = (values[count - 1] ?? 0) + gain * (wins.fewest + wins.chances.length);
  const scale = (maxValues - 1) / (Math.min(target, most) - low);
  const inBin = new Float64Array(maxValues);
  const moments = new Float64Array(maxValues);
  let reached = 0;
  for (const [more, ofWins] of wins.chances.entries()) {
    const gained = gain * (wins.fewest + more);
    for (let at = 0; at < count; at += 1) {
      const value = values[at]! + gained;
      const chance = chances[at]! * ofWins;
      if (value >= target) reached += chance;
      else if (chance > negligible && value >= low) {
        const bin = Math.floor((value - low) * scale);
        inBin[bin]! += chance;
        moments[bin]! += chance * value;
      }
    }
  }
  const used = [...inBin.keys()].filter((bin) => inBin[bin]! > 0);
  return {
    values: Float64Array.from(used, (bin) => moments[bin]! / inBin[bin]!),
    chances: Float64Array.from(used, (bin) => inBin[bin]!),
    reached,
  };
}

/** Returns the probabilities of `fewest`, `fewest + 1`, ... wins of `n` picks, without negligible ones. */
function winsOf(n: number, rate: number): { fewest: number; chances: number[] } {
  const mode = Math.min(n, Math.floor((n + 1) * rate));
  const odds = rate / (1 - rate);
  // Relative to the most likely number, because the probability of 0 wins underflows.
  const above: number[] = [];
  for (let wins = mode, chance = 1; wins <= n && chance > negligible; wins += 1) {
    above.push(chance);
    chance *= ((n - wins) / (wins + 1)) * odds;
  }
  const below: number[] = [];
  for (let wins = mode - 1, chance = 1; wins >= 0; wins -= 1) {
    chance *= (wins + 1) / ((n - wins) * odds);
    if (chance <= negligible) break;
    below.push(chance);
  }
  const chances = [...below.reverse(), ...above];
  const total = chances.reduce((sum, chance) => sum + chance, 0);
  return { fewest: mode - below.length, chances: chances.map((chance) => chance / total) };
}
