import { sidesGradedBy } from '../rules/markets/index.ts';
import { setMarkets, unscoredMarkets } from '../rules/units.ts';

/**
 * SQL condition: the scores of game `g` grade pending pick `p`. Binds {@link scoredSides}. Only final games qualify. A first-half market
 * needs that half's score, and a market in games needs the sets. Shortened games do not qualify, because their length decides whether the
 * score counts.
 */
export const gradedByScore = `(g.status = 'final' and g.played is distinct from 'shortened' and case
  when g.sport || '/' || p.market = any(:setMarkets) then g.sets is not null
  when g.sport || '/' || p.market = any(:unscoredMarkets) then false
  else p.market || '/' || p.side = any(:finalSides)
    or (g.home_half_score is not null and p.market || '/' || p.side = any(:halfSides)) end)`;

/** `market/side` graded by final and by first-half scores, and the exceptions as `sport/market`. */
export const scoredSides = {
  finalSides: sidesGradedBy('final'),
  halfSides: sidesGradedBy('firstHalf'),
  setMarkets,
  unscoredMarkets,
};
