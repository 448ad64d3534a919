/** How scores fall around what the market expects. */
export type ScoreModel =
  /**
   * Margins and totals are normal, in whole points, with these standard deviations about what the closing line expects; `null` is a market
   * without a model.
   */
  | { kind: 'normal'; marginSd: number; totalSd: number | null }
  /**
   * Each team's score is a count whose variance is `dispersion` times its mean: Poisson at 1, negative binomial above, so that margins are
   * Skellam or wider. `scored` is the mean of both scores together. Without draws a level game goes on to the next score.
   */
  | { kind: 'counts'; scored: number; dispersion: number; draws: boolean };

/**
 * The models by sport; a sport that is missing has none. The parameters are fitted to real games or published
 * (docs/rules/edge.md#where-the-line-moved), by `npm run fit`. Edges are stored, so a change asks for the boards to be rebuilt.
 */
export const scoreModels: ReadonlyMap<string, ScoreModel> = new Map<string, ScoreModel>([
  ['nfl', { kind: 'normal', marginSd: 12, totalSd: 13.5 }],
  ['nba', { kind: 'normal', marginSd: 12, totalSd: 17 }],
  ['ncaaf', { kind: 'normal', marginSd: 15, totalSd: null }],
  ['ncaab', { kind: 'normal', marginSd: 10.5, totalSd: null }],
  ['mlb', { kind: 'counts', scored: 9, dispersion: 2.2, draws: false }],
  ['nhl', { kind: 'counts', scored: 6.2, dispersion: 1, draws: false }],
  ['soccer', { kind: 'counts', scored: 2.6, dispersion: 1, draws: true }],
]);
