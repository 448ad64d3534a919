import type { Score } from './markets/market.ts';

/** Games won by each side, per set. */
export type Sets = readonly (readonly [home: number, away: number])[];

/** Returns the games won in all sets, the basis of a tennis match's spread and total. A tie-break is one game. */
export function gamesOf(sets: Sets): Score {
  return {
    home: sets.reduce((sum, [home]) => sum + home, 0),
    away: sets.reduce((sum, [, away]) => sum + away, 0),
  };
}

/** Counts completed sets: won by six games with a lead of two, by a seventh game, or by a tie-break played as a set. */
export function completedSets(sets: Sets): number {
  return sets.filter(([home, away]) => {
    const [most, fewest] = home > away ? [home, away] : [away, home];
    const isTieBreak = most >= 10 || (most === 1 && fewest === 0);
    return isTieBreak || most === 7 || (most >= 6 && most - fewest >= 2);
  }).length;
}

/**
 * Reads written sets, home first: `6-4 3-6 7-6`, `6:4, 3:6, 7:6(4)`, `6-4; 6-7 (5-7); [10-8]`. Ignores the points of a tie-break that
 * counts as one game. Returns `undefined` for any other text.
 */
export function writtenSets(text: string): Sets | undefined {
  const words = text.replace(/\([^()]*\)/g, ' ').match(/[^\s,;/|[\]]+/g) ?? [];
  const sets = words.flatMap((word): [number, number][] => {
    const [, home, away] = /^(\d{1,2})[-:\u2010-\u2015](\d{1,2})$/.exec(word) ?? [];
    return home === undefined ? [] : [[Number(home), Number(away)]];
  });
  return sets.length > 0 && sets.length === words.length ? sets : undefined;
}
