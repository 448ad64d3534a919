import type { ClosingBody, PickBody, SettlementBody } from './bodies.ts';

/** A positive fraction of integers. Everything here stays exact: the products are below 2^53. */
type Ratio = readonly [numerator: number, denominator: number];

/**
 * Decimal odds (decisions: Words and numbers): `1 + a/100` for positive American odds, `1 + 100/|a|` for
 * negative.
 */
function decimalOdds(american: number): Ratio {
  return american > 0 ? [100 + american, 100] : [100 - american, -american];
}

/** `round(10000 * (posted / closing - 1))`, halves away from zero. */
function clvBps([p, q]: Ratio, [r, s]: Ratio): number {
  const above = 10_000 * (p * s - r * q);
  const below = q * r;
  const doubled = 2 * Math.abs(above) + below;
  return Math.sign(above) * ((doubled - (doubled % (2 * below))) / (2 * below));
}

/** The American odds one step shorter and one step longer; -100 and 100 are the same price. */
const shorter = (american: number): number => (american === 100 ? -101 : american - 1);
const longer = (american: number): number => (american === -100 ? 101 : american + 1);

/**
 * Checks a closing's CLV against the two prices. For a pick that names a book they are that book's, and CLV
 * follows from them exactly. For one that names none, the closing price is a median whose nearest American
 * odds are shown: CLV must then lie where the prices one step to either side would put it.
 *
 * @returns what was checked, in a sentence
 * @throws Error when it does not follow
 */
export function checkClv(pick: PickBody, closing: ClosingBody): string {
  const posted = decimalOdds(pick.odds_american);
  const { odds_american: odds, clv_bps: claimed } = closing;
  if (closing.book !== pick.book)
    throw new Error(`the pick's book is ${pick.book}, but the closing's ${closing.book}`);
  const exact = pick.book !== null;
  const low = clvBps(posted, decimalOdds(exact ? odds : longer(odds)));
  const high = clvBps(posted, decimalOdds(exact ? odds : shorter(odds)));
  if (claimed < low || claimed > high) {
    const expected = exact ? `${low}` : `from ${low} to ${high}`;
    throw new Error(
      `${pick.odds_american} against a closing ${odds} is a CLV of ${expected} bps, not ${claimed}`,
    );
  }
  return exact
    ? `a CLV of ${claimed} bps follows from the two prices`
    : `a CLV of ${claimed} bps agrees with the closing price, which is a rounded median`;
}

/**
 * Checks a settlement's net units against stake, price and result: a win pays `stake * (decimal - 1)` rounded
 * to ten-thousandths, a loss costs the stake, the rest nothing.
 *
 * @returns what was checked, in a sentence
 * @throws Error when it does not follow
 */
export function checkNetUnits(pick: PickBody, { result, net_units_e4: net }: SettlementBody): string {
  const [numerator, denominator] = decimalOdds(pick.odds_american);
  const won = pick.stake_e4 * (numerator - denominator);
  const follows = {
    win: Math.abs(2 * (net * denominator - won)) <= denominator,
    loss: net === -pick.stake_e4,
    push: net === 0,
    void: net === 0,
  }[result];
  if (!follows)
    throw new Error(`${net / 10_000} units do not follow from a ${result} at stake and price of the pick`);
  return `${net / 10_000} units follow from a ${result}`;
}
