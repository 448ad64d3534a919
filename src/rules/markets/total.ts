import { type Market, type Outcome, outcomeOf } from './market.ts';

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
  decidedBefore: overIsReached,
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

/** The outcome of `over` or `under` a line. */
export function overOrUnder(side: string, lineE3: number | null, points: number): Outcome | null {
  if (lineE3 === null) return null;
  switch (side) {
    case 'over':
      return outcomeOf(points * 1000 - lineE3);
    case 'under':
      return outcomeOf(lineE3 - points * 1000);
    default:
      return null;
  }
}

/** Points only ever come in: an over that they have passed has won, and its under has lost. */
export function overIsReached(side: string, { result }: Outcome): boolean {
  return result === (side.endsWith('over') ? 'win' : 'loss');
}
