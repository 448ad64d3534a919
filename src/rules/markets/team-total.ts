import type { Market } from './market.ts';
import { overIsReached, overOrUnder, overUnderNames } from './total.ts';

/** A bet on the points of one team against the line. */
export const teamTotal: Market = {
  name: 'team_total',
  label: 'team total',
  words: 'tt|team over under|team ou|team {unit}|team total {unit}|total team {unit}',
  gradedBy: 'final',
  line: {
    shared: (_side, lineE3) => lineE3,
    better: (side) => (side.endsWith('_over') ? -1 : 1),
    text: String,
  },
  contests: () => [
    ['home_over', 'home_under'],
    ['away_over', 'away_under'],
  ],
  grade(side, lineE3, { home, away }) {
    switch (side) {
      case 'home_over':
      case 'home_under':
        return overOrUnder(side.slice('home_'.length), lineE3, home);
      case 'away_over':
      case 'away_under':
        return overOrUnder(side.slice('away_'.length), lineE3, away);
      default:
        return null;
    }
  },
  decidedBefore: overIsReached,
  oddsApi: {
    key: 'team_totals',
    featured: false,
    alternates: 'alternate_team_totals',
    side({ name, description }, { home, away }) {
      const team = description === home ? 'home' : description === away ? 'away' : null;
      const side = overUnderNames.get(name);
      return team === null || side === undefined ? null : `${team}_${side}`;
    },
  },
};
