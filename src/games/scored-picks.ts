import { sidesGradedBy } from '../rules/markets/index.ts';

/**
 * SQL: whether the scores of game `g` grade pick `k`, under the parameters {@link scoredSides}. True of final games alone; a
 * market of the first half needs that half's score.
 */
export const gradedByScore = `(g.status = 'final' and (
  k.market || '/' || k.side = any(:finalSides)
  or (g.home_half_score is not null and k.market || '/' || k.side = any(:halfSides))))`;

/** `market/side` of what the final score grades, and of what the first half's score grades. */
export const scoredSides = { finalSides: sidesGradedBy('final'), halfSides: sidesGradedBy('firstHalf') };
