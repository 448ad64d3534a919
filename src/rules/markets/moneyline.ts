import { type Market, outcomeOf } from './market.ts';

/** A bet on the winner. A level score is a push in a two-way market; in a three-way market the draw wins and both teams lose. */
export const moneyline: Market = {
  name: 'moneyline',
  label: 'moneyline',
  words: {
    '': 'ml|mline|money|head to head|h2h|straight up|su|match winner|2 way|2 way moneyline|match odds',
    'nba wnba ncaab nfl ncaaf mlb nhl mma soccer tennis':
      'winner|win|to win|to win match|ganador|sieger|vincente|sieg|wint|gewinnt|gana|vince|gagne|vence|vinner|vinder|wygra|victoire|victoire de|vitoria|vitoria do|vitoria da|victoria|victoria de|victoria del|vittoria',
    'nba wnba ncaab nfl ncaaf mlb nhl': 'game winner|to win game',
    mma: 'fight winner|bout winner|to win fight',
    soccer:
      '1x2|result|match result|win draw win|3 way|three way|h2h 3 way|3 way moneyline|three way moneyline|3 way result|full time result|ft result|resultado|resultado final|esito finale|endergebnis|ganador del partido|siegwette|1n2|1 n 2|resultat du match|resultat final|vainqueur du match|resultado do jogo|eindresultaat|wedstrijdresultaat|matchresultat|eindstand|sluttresultat|kampvinner|matchvinnare|wynik meczu|vencedor|dreiwegwette|dreiweg',
  },
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
