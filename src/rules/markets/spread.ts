import { type Market, outcomeOf } from './market.ts';

/** A bet on the winner after the line is added to the side's own score. */
export const spread: Market = {
  name: 'spread',
  label: 'spread',
  gradedBy: 'final',
  line: {
    shared: (side, lineE3) => (side === 'away' ? 0 - lineE3 : lineE3),
    better: () => 1,
    text: (line) => (line > 0 ? `+${line}` : String(line)),
  },
  contests: () => [['home', 'away']],
  grade(side, lineE3, { home, away }) {
    if (lineE3 === null) return null;
    switch (side) {
      case 'home':
        return outcomeOf((home - away) * 1000 + lineE3);
      case 'away':
        return outcomeOf((away - home) * 1000 + lineE3);
      default:
        return null;
    }
  },
  oddsApi: {
    key: 'spreads',
    featured: true,
    alternates: 'alternate_spreads',
    side({ name }, { home, away }) {
      if (name === home) return 'home';
      return name === away ? 'away' : null;
    },
  },
};
