import type { Contest, Truth } from './outcome.ts';
import { normal, type Random } from './random.ts';

const minute = 60_000;

/** The price of one side at one moment, which a pick can be posted at. */
export interface Offer {
  /** Epoch milliseconds. */
  at: number;
  market: string;
  subject: string | null;
  side: string;
  line: number | null;
  oddsAmerican: number;
  book: string;
  /** What a bet at this price is worth by the chances of the close: 0.02 for 2% of the stake. */
  edge: number;
}

/** Made-up books, and the sum of the chances by their prices. */
const books = [
  { book: 'demo-north', overround: 1.031 },
  { book: 'demo-south', overround: 1.04 },
];

/**
 * When prices are captured, in minutes before the start, and the share of the way that they still have to go. Some come 20 minutes after
 * another one: what was posted right after the first of these could be followed at the second.
 */
const captures = [
  { before: 1410, open: 1 },
  { before: 720, open: 0.85 },
  { before: 360, open: 0.7 },
  { before: 340, open: 0.67 },
  { before: 180, open: 0.45 },
  { before: 160, open: 0.42 },
  { before: 105, open: 0.3 },
  { before: 60, open: 0.18 },
  { before: 40, open: 0.12 },
  { before: 5, open: 0 },
];
/** The captures that another one follows 20 minutes later, in minutes before the start. */
export const followedCaptures = [360, 180, 60];
/** Other markets than the main ones are priced in the last hours only. */
const othersFrom = 360;
const mainMarkets = new Set(['moneyline', 'spread', 'total']);
/** The spread of the distances from the first prices to the close, in log odds of one side. */
const driftSd = 0.15;
/** How far apart two books, or two captures, are. */
const noiseSd = 0.012;

/**
 * All prices of a game, in order: they begin off the chances of the close and approach them.
 */
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
          ({ chance, ...offer }): Offer => {
            const oddsAmerican = americanOf(Math.min(0.97, chance * overround));
            const { fair, ...selection } = offer;
            return {
              ...selection,
              at: startsAt - before * minute,
              book,
              oddsAmerican,
              edge: decimalOf(oddsAmerican) * fair - 1,
            };
          },
        );
      }),
    ),
  );
}

/** The sides of a contest, with the chance that the market gives each and the one of the close. */
function offersOf({ market, subject, sides }: Contest, leaning: number) {
  const weights = sides.map((side) => side.chance * Math.exp(side.leaning * leaning));
  const sum = weights.reduce((total, weight) => total + weight);
  return sides.map(({ side, line, chance }, index) => ({
    ...{ market, subject, side, line, fair: chance },
    chance: Math.max(0.03, weights[index]! / sum),
  }));
}

/** Whether prices of a capture are those of the close. */
export function isClosing(at: number, startsAt: number): boolean {
  return startsAt - at < 10 * minute;
}

export function decimalOf(american: number): number {
  return american > 0 ? 1 + american / 100 : 1 - 100 / american;
}

/** American odds of a chance, in steps of 5 as books quote them. Even money is quoted as +100. */
export function americanOf(chance: number): number {
  const odds = chance >= 0.5 ? (-100 * chance) / (1 - chance) : (100 * (1 - chance)) / chance;
  const stepped = Math.round(odds / 5) * 5;
  return Math.abs(stepped) <= 100 ? 100 : stepped;
}
