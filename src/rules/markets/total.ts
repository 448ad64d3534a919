import type { Result } from '../vocabulary.ts';
import { type Market, resultOf } from './market.ts';

/** The points of both teams together against the line. */
export const total: Market = {
  name: 'total',
  label: 'total',
  gradedBy: 'final',
  line: {
    shared: (_side, lineE3) => lineE3,
    better: (side) => (side === 'over' ? -1 : 1),
    text: String,
  },
  contests: () => [['over', 'under']],
  grade: (side, lineE3, { home, away }) => overOrUnder(side, lineE3, home + away),
  oddsApi: {
    key: 'totals',
    featured: true,
    alternates: 'alternate_totals',
    side: ({ name }) => overUnderNames.get(name) ?? null,
  },
};

/** How The Odds API names the sides of totals. */
export const overUnderNames: ReadonlyMap<string, string> = new Map([
  ['Over', 'over'],
  ['Under', 'under'],
]);

/** The result of `over` or `under` a line. */
export function overOrUnder(side: string, lineE3: number | null, points: number): Result | null {
  if (lineE3 === null) return null;
  switch (side) {
    case 'over':
      return resultOf(points * 1000 - lineE3);
    case 'under':
      return resultOf(lineE3 - points * 1000);
    default:
      return null;
  }
}
