import { withSign } from '../written-numbers.ts';
import { type Market, outcomeOf } from './market.ts';

/** A bet on the winner after the line is added to the side's own score. */
export const spread: Market = {
  name: 'spread',
  label: 'spread',
  words: {
    '': 'ats|spread betting|point spread|against the spread|asian spread',
    'nba wnba ncaab nfl ncaaf': 'handicap|hcp|point handicap|point line',
    nhl: 'puck line|pl|handicap|hcp|goal spread|goal handicap',
    mlb: 'run line|rl|handicap|hcp|run spread|run handicap',
    soccer:
      'asian handicap|handicap asian|ah|goal spread|handicap asiatico|asiatisches handicap|handicap asiatique|aziatische handicap|asiatiskt handikapp|azjatycki handicap',
    tennis: 'games spread|games handicap|game handicap',
  },
  gradedBy: 'final',
  line: {
    shared: (side, lineE3) => (side === 'away' ? 0 - lineE3 : lineE3),
    better: () => 1,
    text: withSign,
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
