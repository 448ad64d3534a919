// `node test/fit/verdicts.ts`: how often cappers with and without skill are ever called proven, if a reader looks at their verdict every day.

import { type VerdictFigures, verdictOf } from '../../src/rules/verdict.ts';

const days = 3 * 365;
const picksADay = 3;
/** The deviation of one pick's edge, in percent: closing moves of 53,000 moneylines. */
const spread = 3.3;
/** Most bettors without skill pay the bookmaker's margin; those who pay none are the hardest to tell from good ones. */
const edges = [
  [0, 10_000],
  [1, 100],
  [2, 100],
  [3, 100],
  [4, 100],
] as const;

/** SplitMix32, so that the figures can be reproduced. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let bits = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
    return (((bits ^ (bits >>> 15)) >>> 0) + 0.5) / 2 ** 32;
  };
}

/** Follows one capper, whose picks on one game a piece are at even money plus the edge. @returns the days until each word was first shown */
function firstShown(edge: number, random: () => number): Map<string, number> {
  const found = new Map<string, number>();
  let [n, wins, sum, squares, above] = [0, 0, 0, 0, 0];
  for (let day = 1; day <= days; day += 1) {
    for (let pick = 0; pick < picksADay; pick += 1) {
      const noise = spread * Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
      const value = edge + noise;
      n += 1;
      sum += value;
      squares += value * value;
      above += value > 0 ? 1 : 0;
      wins += random() < 0.5 * (1 + value / 100) ? 1 : 0;
    }
    const mean = sum / n;
    const deviation = n < 2 ? 0 : Math.sqrt(Math.max(0, (squares - n * mean * mean) / (n - 1)));
    // Most days need no exact verdict: nothing is far from 0.
    const isFar = Math.abs(mean) * Math.sqrt(n) > 1.6 * deviation;
    const won = (2 * wins - n) / Math.sqrt(n);
    if (!isFar && Math.abs(won) < 1.9) continue;
    const figures: VerdictFigures = {
      live: n,
      voided: 0,
      wins,
      losses: n - wins,
      halves: 0,
      flatE6: (2 * wins - n) * 1e6,
      flatVarianceE6: n * 1e6,
      netE4: (2 * wins - n) * 1e4,
      games: n,
      // At even money the chance is below 1 in 10,000 from 3.719 deviations on.
      chancePct: won > 3.719 ? 0 : 50,
      edgeGames: n,
      edgesAbove: above,
      edgeMean: mean,
      edgeDeviation: deviation,
    };
    const { word } = verdictOf(figures);
    if (!found.has(word)) found.set(word, n);
  }
  return found;
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1];
process.stdout.write(
  '| mean edge | cappers | ever proven | median picks until proven | ever promising | ever losing |\n|---|---|---|---|---|---|\n',
);
for (const [edge, cappers] of edges) {
  const all = Array.from({ length: cappers }, (_, index) =>
    firstShown(edge, randomOf(index * 7919 + edge * 104_729)),
  );
  const ever = (word: string) => all.flatMap((found) => found.get(word) ?? []);
  const proven = ever('proven');
  process.stdout.write(
    `| ${edge}% | ${cappers.toLocaleString('en-US')} | ${proven.length} | ${median(proven) ?? '–'} | ${ever('promising').length} | ${ever('losing').length} |\n`,
  );
}
