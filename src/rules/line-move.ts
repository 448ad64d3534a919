/**
 * How far the line moved between posting and closing, in points; positive is in the bettor's favour, so +3.5 posted
 * against +2.5 at the close is 1, and over 8.5 against 9 is 0.5 (decisions: CLV).
 *
 * `null` without two lines, and where a side's name does not tell which way is better.
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
  if (side === 'over') return (closingE3 - postedE3) / 1000;
  return side === 'under' || market === 'spread' ? (postedE3 - closingE3) / 1000 : null;
}
