import { type Market, resultOf } from './market.ts';

/** Who wins. A level score is a push where a draw is no side; where it is one, it wins and the teams lose. */
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
        return level && ways === 3 ? 'loss' : resultOf(side === 'home' ? home - away : away - home);
      case 'draw':
        return ways === 3 ? (level ? 'win' : 'loss') : null;
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
