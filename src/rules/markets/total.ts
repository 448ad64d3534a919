import { type Market, type Outcome, outcomeOf } from './market.ts';

/** A bet on the points of both teams against the line. */
export const total: Market = {
  name: 'total',
  label: 'total',
  words: {
    '': 'game total|asian total|total de {unit}|nombre de {unit}|numero de {unit}',
    soccer: 'goal line|asian goal line',
  },
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

/** The sides of totals by The Odds API's names. */
export const overUnderNames: ReadonlyMap<string, string> = new Map([
  ['Over', 'over'],
  ['Under', 'under'],
]);

/** Grades `over` or `under` a line; null for another side or without a line. */
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

/** Reports whether the outcome is already final. Points never decrease, so a passed line decides both over and under. */
export function overIsReached(side: string, { result }: Outcome): boolean {
  return result === (side.endsWith('over') ? 'win' : 'loss');
}
