import { type Market, outcomeOf } from './market.ts';

/** A bet on the winner. A level score is a push in a two-way market; in a three-way market the draw wins and both teams lose. */
export const moneyline: Market = {
  name: 'moneyline',
  label: 'moneyline',
  gradedBy: 'final',
  line: null,
  contests: (ways) => [ways === 3 ? ['home', 'away', 'draw'] : ['home', 'away']],
  grade(side, lineE3, { home, away }, ways) {
    if (lineE3 !== null) return null;
    const level = home === away;
    switch (side) {
      case 'home':
      case 'away':
        return outcomeOf(level && ways === 3 ? -1 : (side === 'home' ? home - away : away - home) * 1000);
      case 'draw':
        return ways === 3 ? outcomeOf(level ? 1 : -1) : null;
      default:
        return null;
    }
  },
  oddsApi: {
    key: 'h2h',
    featured: true,
    alternates: null,
    side({ name }, { home, away }) {
      if (name === home) return 'home';
      if (name === away) return 'away';
      return name === 'Draw' ? 'draw' : null;
    },
  },
};
