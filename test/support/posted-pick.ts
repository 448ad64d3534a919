/** A game that has not started, as the operator posts it. */
export const game = { sport: 'nfl', game: 'Gulls @ Foxes', startsAt: '2025-06-01T18:00:00Z' };

/** A pick on {@link game} by the capper ada, who must exist. */
export const pick = {
  capperHandle: 'ada',
  ...game,
  market: 'moneyline',
  side: 'home',
  pick: 'Foxes',
  oddsAmerican: -110,
  stakeUnits: 1,
};
