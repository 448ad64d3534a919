import { chancePct, type PricedGroup } from './chance.ts';
import { counts, type PriceVerdict } from './price-check.ts';
import { shownFloat } from './rounding.ts';
import { tallyOf } from './tally.ts';
import type { Result } from './vocabulary.ts';
import { yieldOf } from './yield.ts';

export const verdictWords = ['proven', 'promising', 'losing', 'unproven'] as const;
export type VerdictWord = (typeof verdictWords)[number];

/** Whether a capper has skill, in one word and one sentence (docs/rules/verdicts.md). */
export interface Verdict {
  word: VerdictWord;
  sentence: string;
  /** Needed for a better word; null for `proven` and `losing`. */
  missing: string | null;
}

/** A settled live pick. Instants in epoch milliseconds. */
export interface JudgedPick {
  gameId: number;
  sport: string;
  market: string;
  pickUuid: string;
  postedAt: number;
  startsAt: number | null;
  settledAt: number;
  result: Result;
  half: boolean;
  /** The counted odds. */
  oddsAmerican: number;
  stakeE4: number;
  netUnitsE4: number;
  priceVerdict: PriceVerdict | null;
  /** Null unless a provider's prices and the power method gave it. */
  edgeBps: number | null;
}

/** The inputs of a verdict, over all live picks at prices that were on offer. */
export type VerdictFigures = ReturnType<typeof verdictFigures>;

/** Samples that a verdict needs, and the greatest share of picks voided before the start. */
const needs = { results: 50, games: 50, proofGames: 200, chanceGames: 500, voidedShare: 0.05 } as const;

/** Picks voided before their start below which they bar nobody from ranks. */
export const fewVoided = 20;

/**
 * Reports whether so many of a capper's live picks were voided before their start that the others say little about the capper:
 * somebody who can have bets called off keeps those whose price rose (docs/rules/rankings.md#called-off-picks).
 */
export function isCalledOffOften({ live, voided }: Pick<VerdictFigures, 'live' | 'voided'>): boolean {
  return voided >= fewVoided && voided > needs.voidedShare * live;
}

const noFigures = verdictFigures([]);

/**
 * Computes what the verdict on some of a capper's settled live picks depends on.
 * @param isPart as in {@link verdictOf}
 */
export function verdictFigures(picks: readonly JudgedPick[], isPart = false) {
  const judged = picks
    .filter(({ priceVerdict }) => isOnOffer(priceVerdict))
    .sort((a, b) => a.postedAt - b.postedAt || (a.pickUuid < b.pickUuid ? -1 : 1));
  const tally = tallyOf(
    judged.map((pick) => ({ ...pick, clvBps: null, sameLine: null, sealedInTime: null, provenance: 'live' })),
  );
  const byGame = [...Map.groupBy(judged, ({ gameId }) => gameId).values()];
  const earliest = byGame.flatMap(([first]) => (first !== undefined && isDecided(first) ? [first] : []));
  const edges = byGame.flatMap((of) => {
    const known = of.flatMap(({ edgeBps }) => (edgeBps === null ? [] : [edgeBps]));
    return known.length === 0 ? [] : [known.reduce((sum, bps) => sum + bps, 0) / known.length];
  });
  const mean = edges.length === 0 ? 0 : edges.reduce((sum, bps) => sum + bps, 0) / edges.length;
  const squares = edges.reduce((sum, bps) => sum + (bps - mean) ** 2, 0);
  const { wins, losses, halves, flatE6, flatVarianceE6, netE4 } = tally;
  return {
    live: picks.length,
    /** Those void before their start. */
    voided: picks.filter(
      ({ result, settledAt, startsAt }) => result === 'void' && startsAt !== null && settledAt < startsAt,
    ).length,
    wins,
    losses,
    halves,
    flatE6,
    flatVarianceE6,
    netE4,
    /** Games whose earliest pick won or lost. */
    games: earliest.length,
    /** The chance of those picks. It is costly, so it is null below the games that it needs, and for a part. */
    chancePct: isPart || earliest.length < needs.chanceGames ? null : chancePct(groupsOf(earliest)),
    /** Games with an edge, those with a positive one, and mean and standard deviation over games, in percent. */
    edgeGames: edges.length,
    edgesAbove: edges.filter((bps) => bps > 0).length,
    edgeMean: shownFloat(mean / 100, 6),
    edgeDeviation: edges.length < 2 ? 0 : shownFloat(Math.sqrt(squares / (edges.length - 1)) / 100, 6),
  };
}

/** Reports whether the price of a live pick is known to have been on offer, or counts at one that was. */
function isOnOffer(verdict: PriceVerdict | null): boolean {
  return (verdict === 'available' || verdict === 'above_market') && counts(verdict);
}

const isDecided = ({ result }: JudgedPick) => result === 'win' || result === 'loss';

function groupsOf(picks: readonly JudgedPick[]): PricedGroup[] {
  const groups = new Map<string, PricedGroup>();
  for (const { oddsAmerican, half, result } of picks) {
    const key = `${oddsAmerican} ${half}`;
    const group = groups.get(key) ?? { oddsAmerican, half, decided: 0, wins: 0 };
    group.decided += 1;
    group.wins += result === 'win' ? 1 : 0;
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Probabilities of a mean edge by luck, one-sided. */
const luck = { proven: 0.0001, promising: 0.05, losing: 0.025 } as const;

/**
 * Returns the verdict: the first that applies.
 * @param figures undefined without settled live picks, or for a part of a record that is too small for any verdict
 * @param isPart whether the figures cover a sport or market only, which is never proven
 */
export function verdictOf(figures: VerdictFigures = noFigures, isPart = false): Verdict {
  const { wins, losses, live, voided, games, chancePct, edgeGames, edgeMean } = figures;
  const decided = wins + losses;
  const flat = yieldOf(figures);
  const byLuck = luckOfEdge(figures);
  const isBarred = voided > needs.voidedShare * live;
  const mayWin = !isBarred && (flat === null || flat.high >= 0);
  if (!isPart && mayWin && edgeGames >= needs.proofGames && byLuck < luck.proven)
    return {
      word: 'proven',
      sentence: `${pricesText(figures)}: luck does that less than once in 10,000.${lossText(figures)}`,
      missing: null,
    };
  if (!isPart && !isBarred && games >= needs.chanceGames && chancePct === 0)
    return {
      word: 'proven',
      sentence: `Fewer than 1 in 10,000 bettors without skill win as much with the same bets on ${counted(games, 'game')}.${lossText(figures)}`,
      missing: null,
    };
  if (mayWin && edgeGames >= needs.games && byLuck < luck.promising)
    return {
      word: 'promising',
      sentence: `${pricesText(figures)}: luck does that less than once in 20.${lossText(figures)}`,
      missing: isPart
        ? 'Only a whole record is ever called proven.'
        : edgeGames < needs.proofGames
          ? `${counted(needs.proofGames - edgeGames, 'more game', 'more games')} with prices to compare.`
          : 'Prices so much better that luck does it less than once in 10,000.',
    };
  if (decided >= needs.results && flat !== null && flat.high < 0)
    return {
      word: 'losing',
      sentence: `Loses ${percent(-100 * flat.mean)} of equal stakes over ${counted(decided, 'result')}: more than bad luck explains.${gainText(figures)}`,
      missing: null,
    };
  if (edgeGames >= needs.games && 1 - byLuck < luck.losing && (flat === null || flat.mean <= 0))
    return {
      word: 'losing',
      sentence: `Takes prices that are ${percent(-edgeMean)} worse than the market’s last ones on average, over ${counted(edgeGames, 'game')}, and does not win at equal stakes.${gainText(figures)}`,
      missing: null,
    };
  if (isBarred)
    return {
      word: 'unproven',
      sentence: `${voided.toLocaleString('en-US')} of ${counted(live, 'pick')} were called off before the start: too many to judge the rest by.`,
      missing: 'Less than 5% of picks called off before the start.',
    };
  if (decided < needs.results && edgeGames < needs.games)
    return {
      word: 'unproven',
      sentence:
        isPart || decided === 0
          ? `Too few results at prices known to be on offer to tell skill from luck.`
          : `${counted(decided, 'result')} at prices known to be on offer: too few to tell skill from luck.`,
      missing: isPart
        ? `${needs.games} games with prices to compare.`
        : `${counted(needs.games - edgeGames, 'more game', 'more games')} with prices to compare.`,
    };
  return {
    word: 'unproven',
    sentence: `After ${counted(decided, 'result')}, luck could explain this record.`,
    missing:
      edgeGames < needs.games
        ? `${counted(needs.games - edgeGames, 'more game', 'more games')} with prices to compare.`
        : 'Better prices than the market’s last ones, more often or by more.',
  };
}

function pricesText({ edgesAbove, edgeGames, edgeMean }: VerdictFigures): string {
  return `Took a better price than the market’s last one in ${edgesAbove.toLocaleString('en-US')} of ${counted(edgeGames, 'game')}, ${percent(edgeMean)} better on average`;
}

/** Says how skill and a loss go together. */
function lossText({ netE4, flatE6 }: VerdictFigures): string {
  if (netE4 >= 0) return '';
  const lost = `${(-netE4 / 10_000).toFixed(1)} units`;
  return flatE6 > 0
    ? ` Equal stakes would have won: the loss of ${lost} comes from their sizes.`
    : ` Bad luck explains the loss of ${lost}.`;
}

/** Says how a loss at equal stakes and a gain go together. */
function gainText({ netE4 }: VerdictFigures): string {
  return netE4 > 0 ? ` The gain of ${(netE4 / 10_000).toFixed(1)} units comes from stake sizes.` : '';
}

function counted(count: number, one: string, more = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : more}`;
}

const percent = (value: number) => `${value.toFixed(1)}%`;

/** Returns the probability that luck gives a mean edge this high, by a one-sided t-test over games; 0.5 without a spread. */
function luckOfEdge({ edgeGames, edgeMean, edgeDeviation }: VerdictFigures): number {
  if (edgeGames < 2) return 0.5;
  if (edgeDeviation === 0) return edgeMean > 0 ? 0 : edgeMean < 0 ? 1 : 0.5;
  return studentAbove(edgeMean / (edgeDeviation / Math.sqrt(edgeGames)), edgeGames - 1);
}

/**
 * Returns the probability that Student's t is above a value, by its finite series (Abramowitz and Stegun, Handbook of Mathematical
 * Functions, 26.7.3 and 26.7.4).
 */
export function studentAbove(t: number, degrees: number): number {
  const angle = Math.atan(t / Math.sqrt(degrees));
  const [sine, squared] = [Math.sin(angle), Math.cos(angle) ** 2];
  const isOdd = degrees % 2 === 1;
  let term = isOdd ? Math.cos(angle) : 1;
  let sum = degrees === 1 ? 0 : term;
  for (let k = isOdd ? 3 : 2; k <= degrees - 2; k += 2) {
    term *= (squared * (k - 1)) / k;
    sum += term;
  }
  const within = isOdd ? (2 / Math.PI) * (angle + sine * sum) : sine * sum;
  return (1 - within) / 2;
}
