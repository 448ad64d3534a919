/** A model of how scores are distributed around the market's expectation. */
export type ScoreModel =
  /**
   * Margins and totals are normal, in whole points, with these standard deviations around the closing line's expectation; `null` for a
   * market without a model.
   */
  | { kind: 'normal'; marginSd: number; totalSd: number | null }
  /**
   * Each team's score is a count with a variance of `dispersion` times its mean: Poisson at 1, negative binomial above. Margins are
   * therefore Skellam or wider. `scored` is the mean of both scores together. Without draws, a level game continues until the next score.
   */
  | { kind: 'counts'; scored: number; dispersion: number; draws: boolean };

/**
 * Models by sport; other sports have none. `npm run fit` fits the parameters to real games, or they are published
 * (docs/rules/edge.md#where-the-line-moved). Edges are stored, so a change requires a rebuild of the boards.
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
