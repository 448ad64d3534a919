import type { ClosingBody, PickBody, SettlementBody } from './bodies.ts';

/** A positive fraction of integers. The arithmetic is exact, because products stay below 2^53. */
type Ratio = readonly [numerator: number, denominator: number];

/** Converts American to decimal odds (docs/rules/odds.md): `1 + a/100` if positive, `1 + 100/|a|` if negative. */
function decimalOdds(american: number): Ratio {
  return american > 0 ? [100 + american, 100] : [100 - american, -american];
}

/** Returns `round(10000 * (posted / closing - 1))`, rounded half away from zero. */
function clvBps([p, q]: Ratio, [r, s]: Ratio): number {
  return rounded(10_000 * (p * s - r * q), q * r);
}

/** Returns `num / den`, rounded half away from zero. */
function rounded(num: number, den: number): number {
  const doubled = 2 * Math.abs(num) + den;
  return Math.sign(num) * ((doubled - (doubled % (2 * den))) / (2 * den));
}

/** American odds one step shorter and one step longer. -100 and 100 are the same price. */
const shorter = (american: number): number => (american === 100 ? -101 : american - 1);
const longer = (american: number): number => (american === -100 ? 101 : american + 1);

/**
 * Checks a closing's CLV against the posted and closing odds. If the pick names a book, both are that book's, and the CLV follows exactly.
 * Otherwise the closing odds are a median rounded to American odds. The CLV must then lie between the values for odds one step shorter and
 * longer.
 *
 * @returns the result, as a clause
 * @throws Error if the CLV does not follow
 */
export function checkClv(pick: PickBody, closing: ClosingBody): string {
  const posted = decimalOdds(pick.odds_american);
  const { odds_american: odds, clv_bps: claimed } = closing;
  if (closing.book !== pick.book)
    throw new Error(`the pick's book is ${pick.book}, but the closing's is ${closing.book}`);
  const exact = pick.book !== null;
  const low = clvBps(posted, decimalOdds(exact ? odds : longer(odds)));
  const high = clvBps(posted, decimalOdds(exact ? odds : shorter(odds)));
  if (claimed < low || claimed > high) {
    const expected = exact ? `${low}` : `from ${low} to ${high}`;
    throw new Error(
      `posted odds ${pick.odds_american} and closing odds ${odds} give a CLV of ${expected} bps, not ${claimed}`,
    );
  }
  return exact
    ? `a CLV of ${claimed} bps follows from the posted and closing odds`
    : `a CLV of ${claimed} bps agrees with the closing odds, which are a rounded median`;
}

/**
 * Checks a settlement's net units against stake, counted odds, and result. A win pays `stake * (decimal - 1)`, a loss costs the stake, and a push
 * or void is zero. With `half`, only half of the stake counts. Rounded to ten-thousandths, half away from zero.
 *
 * @returns the result, as a clause
 * @throws Error if they do not follow
 */
export function checkNetUnits(pick: PickBody, settlement: SettlementBody): string {
  const { result, half, net_units_e4: net, price_check } = settlement;
  const odds_american = price_check?.counted_american ?? pick.odds_american;
  const expected = netUnitsE4({ ...pick, odds_american }, result, half ? 2 : 1);
  const what = half ? `half a ${result}` : `a ${result}`;
  if (net !== expected)
    throw new Error(`${net / 10_000} units do not follow from ${what} at the pick's stake and counted odds`);
  return `${net / 10_000} units follow from ${what}`;
}

/** @param parts 1 if the whole stake counted, 2 if only half did */
function netUnitsE4(
  { odds_american, stake_e4 }: PickBody,
  result: SettlementBody['result'],
  parts: 1 | 2,
): number {
  const [numerator, denominator] = decimalOdds(odds_american);
  switch (result) {
    case 'win':
      return rounded(stake_e4 * (numerator - denominator), parts * denominator);
    case 'loss':
      return rounded(-stake_e4, parts);
    default:
      return 0;
  }
}

/**
 * Checks the verdict on a pick's odds, and the odds at which it counts, against the price that the settlement names. A receipt does not
 * prove that the book offered that price.
 *
 * @returns the result, as a clause; empty for a pick without a check
 * @throws Error if the verdict does not follow
 */
export function checkPriceVerdict(pick: PickBody, { price_check: check }: SettlementBody): string[] {
  if (check === null) return [];
  const { verdict, odds_american: odds, book, captured_at, counted_american: counted } = check;
  const mustCountAt = (expected: number | null) => {
    if (counted !== expected)
      throw new Error(`its price is ${verdict}, so it must count at ${expected}, not ${counted}`);
  };
  if (pick.provenance === 'imported') throw new Error(`the pick was imported, but its price is ${verdict}`);
  if (verdict === 'unseen' || verdict === 'unchecked') {
    if (odds !== null || book !== null || captured_at !== null)
      throw new Error(`its price is ${verdict}, but the settlement names a price to compare it with`);
    mustCountAt(verdict === 'unseen' ? null : pick.odds_american);
    return [`its price is ${verdict}`];
  }
  if (odds === null || book === null || captured_at === null)
    throw new Error(`its price is ${verdict}, but the settlement names no price to compare it with`);
  if (pick.starts_at !== null && Date.parse(captured_at) > Date.parse(pick.starts_at))
    throw new Error(
      `its price was compared with one of ${captured_at}, after the start at ${pick.starts_at}`,
    );
  const [[p, q], [r, s]] = [decimalOdds(pick.odds_american), decimalOdds(odds)];
  const follows = p * s <= r * q ? 'available' : 'above_market';
  const compared = `odds ${pick.odds_american} against ${odds} of ${captured_at}`;
  if (verdict !== follows) throw new Error(`${compared} make its price ${follows}, not ${verdict}`);
  mustCountAt(follows === 'available' ? pick.odds_american : odds);
  return [
    `${compared} make its price ${verdict}${counted === pick.odds_american ? '' : `, counted at ${counted}`}`,
  ];
}
