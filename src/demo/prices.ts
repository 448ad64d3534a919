import type { Contest, Truth } from './outcome.ts';
import { normal, type Random } from './random.ts';

const minute = 60_000;

/** The price of one side at one instant, at which a pick can be posted. */
export interface Offer {
  at: EpochMs;
  market: string;
  subject: string | null;
  side: string;
  line: number | null;
  oddsAmerican: number;
  book: string;
  /** Expected value of a bet at this price by the closing probabilities: 0.02 for 2% of the stake. */
  edge: number;
}

/** Fictional books, and the sums of the implied probabilities of their prices. */
const books = [
  { book: 'demo-north', overround: 1.031 },
  { book: 'demo-south', overround: 1.04 },
];

/**
 * Captures of prices, in minutes before the start, and the remaining share of the move to the close. Three captures follow another one by
 * 20 minutes, so that a follower can take a pick's price there.
 */
const captures = [
  { before: 700, open: 0.75 },
  { before: 680, open: 0.73 },
  { before: 300, open: 0.5 },
  { before: 280, open: 0.47 },
  { before: 60, open: 0.18 },
  { before: 40, open: 0.12 },
  { before: 5, open: 0 },
];
/**
 * The captures with another one 20 minutes later, in minutes before the start. Cappers post picks on the next games right after the last
 * ones have started, so a reader always finds pending picks.
 */
export const followedCaptures = [700, 300, 60];
/** Other markets than the main ones are priced only in the last hours. */
const othersFrom = 360;
const mainMarkets = new Set(['moneyline', 'spread', 'total']);
/** Standard deviation of the move from opening to closing prices, in log odds of one side. */
const driftSd = 0.15;
/** Standard deviation between books and between captures, in log odds. */
const noiseSd = 0.012;

/** Generates all prices of a game, in order. They start off the closing probabilities and approach them. */
export function pricesOf(
  { contests, moved }: Pick<Truth, 'contests' | 'moved'>,
  startsAt: number,
  random: Random,
): Offer[] {
  const drifts = contests.map(() => normal(random) * driftSd);
  const movesAt = 1 + Math.floor(random() * (captures.length - 1));
  return captures.flatMap(({ before, open }, index) =>
    books.flatMap(({ book, overround }) =>
      contests.flatMap((contest, nth) => {
        if (!mainMarkets.has(contest.market) && before > othersFrom) return [];
        const noise = open === 0 ? 0 : normal(random) * noiseSd;
        const hasMoved = contest.market === moved?.market && index >= movesAt;
        return offersOf(hasMoved ? moved : contest, drifts[nth]! * open + noise).map(
          ({ chance, fair, ...selection }): Offer => {
            const oddsAmerican = americanOf(Math.min(0.97, chance * overround));
            const edge = decimalOf(oddsAmerican) * fair - 1;
            return { ...selection, at: startsAt - before * minute, book, oddsAmerican, edge };
          },
        );
      }),
    ),
  );
}

function offersOf({ market, subject, sides }: Contest, leaning: number) {
  const weights = sides.map((side) => side.chance * Math.exp(side.leaning * leaning));
  const sum = weights.reduce((total, weight) => total + weight);
  return sides.map(({ side, line, chance }, index) => ({
    market,
    subject,
    side,
    line,
    fair: chance,
    chance: Math.max(0.03, weights[index]! / sum),
  }));
}

export function isClosing(at: number, startsAt: number): boolean {
  return startsAt - at < 10 * minute;
}

export function decimalOf(american: number): number {
  return american > 0 ? 1 + american / 100 : 1 - 100 / american;
}

/** Converts a probability to American odds, in steps of 5 as books quote them. Even money is +100. */
export function americanOf(chance: number): number {
  const odds = chance >= 0.5 ? (-100 * chance) / (1 - chance) : (100 * (1 - chance)) / chance;
  const stepped = Math.round(odds / 5) * 5;
  return Math.abs(stepped) <= 100 ? 100 : stepped;
}
