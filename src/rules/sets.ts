import type { Score } from './markets/market.ts';

/** The games that each side won, set by set. */
export type Sets = readonly (readonly [home: number, away: number])[];

/** The games of all sets together: what a tennis match's spread and total are about. A tie-break is one game. */
export function gamesOf(sets: Sets): Score {
  return {
    home: sets.reduce((sum, [home]) => sum + home, 0),
    away: sets.reduce((sum, [, away]) => sum + away, 0),
  };
}

/** How many sets were played to their end: by six games with two more, by a seventh, or by a tie-break played as a set. */
export function completedSets(sets: Sets): number {
  return sets.filter(([home, away]) => {
    const [most, fewest] = home > away ? [home, away] : [away, home];
    const isTieBreak = most >= 10 || (most === 1 && fewest === 0);
    return isTieBreak || most === 7 || (most >= 6 && most - fewest >= 2);
  }).length;
}

/**
 * Sets as people write them, home first: `6-4 3-6 7-6`, `6:4, 3:6, 7:6(4)`, `6-4; 6-7 (5-7); [10-8]`. The points of a tie-break that is
 * one game are not read. `undefined` if the text is anything else.
 */
export function writtenSets(text: string): Sets | undefined {
  const words = text.replace(/\([^()]*\)/g, ' ').match(/[^\s,;/|[\]]+/g) ?? [];
  const sets = words.flatMap((word): [number, number][] => {
    const [, home, away] = /^(\d{1,2})[-:\u2010-\u2015](\d{1,2})$/.exec(word) ?? [];
    return home === undefined ? [] : [[Number(home), Number(away)]];
  });
  return sets.length > 0 && sets.length === words.length ? sets : undefined;
}
