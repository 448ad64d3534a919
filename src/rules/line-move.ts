import { lineFromE3 } from './fixed-point.ts';
import { marketNamed, marketSides } from './markets/index.ts';

/**
 * How far the line moved between posting and closing, in points; positive is in the bettor's favour, so +3.5 posted
 * against +2.5 at the close is 1, and over 8.5 against 9 is 0.5.
 *
 * `null` without two lines, and where it is not known which way is better: in a market that is not declared, sides are
 * `over`, `under` or say nothing about it.
 *
 * @param postedE3 the pick's line in thousandths, as its own side has it
 * @param closingE3 the closing line in thousandths, as the same side has it
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
