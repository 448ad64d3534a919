import { sidesGradedBy } from '../rules/markets/index.ts';
import { setMarkets, unscoredMarkets } from '../rules/units.ts';

/**
 * SQL: whether the scores of game `g` grade pending pick `p`, under the parameters {@link scoredSides}. True of final games alone; a
 * market of the first half needs that half's score, and one that is in games needs the sets. A shortened game is left out: whether its
 * score decides anything depends on how much was played.
 */
export const gradedByScore = `(g.status = 'final' and g.played is distinct from 'shortened' and case
  when g.sport || '/' || p.market = any(:setMarkets) then g.sets is not null
  when g.sport || '/' || p.market = any(:unscoredMarkets) then false
  else p.market || '/' || p.side = any(:finalSides)
    or (g.home_half_score is not null and p.market || '/' || p.side = any(:halfSides)) end)`;

/** `market/side` of what the final score grades and of what the first half's score grades, and `sport/market` of exceptions. */
export const scoredSides = {
  finalSides: sidesGradedBy('final'),
  halfSides: sidesGradedBy('firstHalf'),
  setMarkets,
  unscoredMarkets,
};
