import type { Side } from './vocabulary.ts';

const twoTeams: readonly Side[] = ['home', 'away'];
const threeWays: readonly Side[] = ['home', 'away', 'draw'];
const totals: readonly Side[] = ['over', 'under'];

/**
 * The sides of a score-graded market (decisions: side); `null` for any other market, whose sides are slugs of its
 * selections.
 *
 * @param moneylineWays prices of the sport's moneyline: 3 where a draw is a side
 */
export function marketSides(market: string, moneylineWays: 2 | 3): readonly Side[] | null {
  if (market === 'moneyline') return moneylineWays === 3 ? threeWays : twoTeams;
  if (market === 'spread') return twoTeams;
  if (market === 'total') return totals;
  return null;
}

/** Must a pick of this market have a line (`true`), must it have none (`false`), or is either right (`null`)? */
export function marketHasLine(market: string): boolean | null {
  if (market === 'moneyline') return false;
  return market === 'spread' || market === 'total' ? true : null;
}
