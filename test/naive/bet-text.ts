/** The fields of a game that the reader needs. */
interface NaiveGame {
  sport: string;
  game: string;
  away: { name: string; names: readonly string[] };
  home: { name: string; names: readonly string[] };
}

/** A bet in the order of the text, as a reader with a pencil would note it. */
export interface NaiveBet {
  game: string;
  market: string;
  side: string;
  line: number | null;
  oddsAmerican: number;
  stakeUnits: number;
}

/**
 * Returns every bet that a text can mean, by trying every name of every team in every game. The forms are `<team> <line> <odds> <stake>u`,
 * `<team> ML <odds> <stake>u`, `<team>/<team> over|under <line> <odds> <stake>u`, and `<team> team total over|under <line> <odds>
 * <stake>u`.
 */
export function naiveBets(text: string, games: readonly NaiveGame[]): NaiveBet[] {
  const found: NaiveBet[] = [];
  for (const { game, away, home } of games) {
    const bet = (market: string, side: string, line: string | null, odds: string, stake: string) =>
      found.push({
        game,
        market,
        side,
        line: line === null ? null : Number(line),
        oddsAmerican: Number(odds),
        stakeUnits: Number(stake),
      });
    const rest = (name: string) => (text.startsWith(`${name} `) ? text.slice(name.length + 1) : '');
    for (const [role, { names }] of [
      ['away', away],
      ['home', home],
    ] as const)
      for (const name of new Set(names)) {
        const words = rest(name).split(' ');
        const [one, two = '', three = '', four = '', five = '', six = ''] = words;
        const units = (stake: string) => stake.replace(/u$/, '');
        if (words.length === 3 && one === 'ML') bet('moneyline', role, null, two, units(three));
        else if (words.length === 3) bet('spread', role, one!, two, units(three));
        else if (words.length === 6 && one === 'team' && two === 'total')
          bet('team_total', `${role}_${three}`, four, five, units(six));
      }
    for (const first of new Set(away.names))
      for (const second of new Set(home.names)) {
        const words = rest(`${first}/${second}`).split(' ');
        if (words.length === 4) bet('total', words[0]!, words[1]!, words[2]!, words[3]!.replace(/u$/, ''));
      }
  }
  return found;
}
