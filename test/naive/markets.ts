/** The markets, written out once more: every question about one is answered here in the plainest way. */

export const FINAL_SCORE = ['moneyline', 'spread', 'total', 'team_total'];
export const HALF_SCORE = ['first_half_moneyline', 'first_half_spread', 'first_half_total'];

/** The market of the whole game that a market of the first half is like. */
export const wholeGame = (market: string): string => market.replace(/^first_half_/, '');

/**
 * The sides among which a bet is decided, its own included, in order of their names; null where that is not known. Both
 * teams' totals are bets of their own.
 */
export function rivals(sport: string, market: string, side: string): string[] | null {
  if (![...FINAL_SCORE, ...HALF_SCORE].includes(market)) return null;
  const sets: string[][] = {
    moneyline: [sport === 'soccer' ? ['away', 'draw', 'home'] : ['away', 'home']],
    spread: [['away', 'home']],
    total: [['over', 'under']],
    team_total: [
      ['away_over', 'away_under'],
      ['home_over', 'home_under'],
    ],
  }[wholeGame(market)]!;
  return sets.find((set) => set.includes(side)) ?? null;
}

/** Whether picks on two sides of one market are about the same: of a team total only where they are on one team. */
export const sameContest = (market: string, one: string, other: string): boolean =>
  market !== 'team_total' || one.split('_')[0] === other.split('_')[0];
