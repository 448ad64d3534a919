import { marketIn, markets } from './markets/index.ts';
import type { ScoreName } from './markets/market.ts';
import { ownValue } from './own-value.ts';
import type { Played } from './played.ts';

/**
 * The score that grades each market, for sports whose score is not in the unit of every line (docs/rules/grading.md#units). Result events
 * grade the markets that are missing.
 */
const otherUnits: Readonly<Record<string, Readonly<Record<string, ScoreName>>>> = {
  // Scores count sets, but lines count games.
  tennis: { moneyline: 'final', spread: 'sets', total: 'sets', team_total: 'sets' },
  // The score only shows the winner, but lines count rounds.
  mma: { moneyline: 'final' },
};

export function gradingScoreName(market: string, sport: string): ScoreName | null {
  const own = ownValue(otherUnits, sport);
  if (own !== undefined) return ownValue(own, market) ?? null;
  const gradedBy = marketIn(sport, market)?.gradedBy ?? null;
  return gradedBy === 'stat' ? null : gradedBy;
}

/** Returns why a score cannot end a game of a sport, as a clause; undefined if it can. It is in another unit, or not the final one. */
export function finalScoreFault(
  sport: string,
  { homeScore, awayScore, played }: { homeScore: number; awayScore: number; played: Played | null },
): string | undefined {
  const sum = homeScore + awayScore;
  if (sport === 'mma' && sum > 1) return 'the score of a bout is 1-0 for its winner, or 0-0 without one';
  if (sport !== 'tennis') return undefined;
  if (Math.max(homeScore, awayScore) > 3)
    return 'the score of a tennis match is the sets that each player won, at most 3: give the games of each set in sets';
  return homeScore === awayScore && played !== 'shortened'
    ? 'a tennis match that was played out has a winner'
    : undefined;
}

const pairs = Object.keys(otherUnits).flatMap((sport) =>
  markets.map(({ name }) => ({ pair: `${sport}/${name}`, score: gradingScoreName(name, sport) })),
);

/** `sport/market` of markets graded by games won in sets, for SQL comparisons with picks. */
export const setMarkets = pairs.filter(({ score }) => score === 'sets').map(({ pair }) => pair);

/** `sport/market` of declared markets that no score grades in their sport. */
export const unscoredMarkets = pairs.filter(({ score }) => score === null).map(({ pair }) => pair);
