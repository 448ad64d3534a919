import { sidesGradedBy } from '../rules/markets/index.ts';

/**
 * SQL: whether the scores of game `g` grade pending pick `p`, under the parameters {@link scoredSides}. True of final games alone; a
 * market of the first half needs that half's score.
 */
export const gradedByScore = `(g.status = 'final' and (
  p.market || '/' || p.side = any(:finalSides)
  or (g.home_half_score is not null and p.market || '/' || p.side = any(:halfSides))))`;

/** `market/side` of what the final score grades, and of what the first half's score grades. */
export const scoredSides = { finalSides: sidesGradedBy('final'), halfSides: sidesGradedBy('firstHalf') };
