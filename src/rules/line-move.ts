import { lineFromE3 } from './fixed-point.ts';
import { marketNamed, marketSides } from './markets/index.ts';

/**
 * Returns how far the line moved from posting to closing, in points, positive for the bettor: +3.5 posted against +2.5 closing is 1, and
 * over 8.5 against 9 is 0.5.
 *
 * `null` without both lines, and if the better direction is unknown. In an undeclared market only `over` and `under` have one.
 *
 * @param postedE3 the side's line at posting, in thousandths
 * @param closingE3 the same side's closing line, in thousandths
 */
export function lineMove(
  market: string,
  side: string,
  postedE3: number | null,
  closingE3: number | null,
): number | null {
  if (postedE3 === null || closingE3 === null) return null;
  switch (betterLine(market, side)) {
    case 1:
      return lineFromE3(postedE3 - closingE3);
    case -1:
      return lineFromE3(closingE3 - postedE3);
    default:
      return null;
  }
}

function betterLine(market: string, side: string): 1 | -1 | null {
  if (marketSides(market, 3)?.includes(side) === true) return marketNamed(market)?.line?.better(side) ?? null;
  if (side === 'over') return -1;
  return side === 'under' ? 1 : null;
}
