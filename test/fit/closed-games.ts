import { type GameRow, type LineRow, readFolder } from '../naive/read.ts';

/** A spread or total with both closing prices, and its outcome. */
export interface ClosedGame {
  sport: string;
  startsAt: string;
  market: 'spread' | 'total';
  /** In points: of the home side for a spread. */
  line: number;
  /** The fair closing probability of home or over. */
  chance: number;
  /** The margin of the home side, or the sum of both scores. */
  outcome: number;
}

/** Returns the closing spreads and totals in a folder of data, one per game and market, the earliest game first. */
export function closedGames(folder: string): ClosedGame[] {
  const { games, lines } = readFolder(folder);
  const gameOf = new Map(games.map((game) => [keyOf(game), game]));
  const pairs = new Map<string, { line: LineRow; prices: Map<string, number> }>();
  for (const line of lines) {
    if (!line.closing || (line.market !== 'spread' && line.market !== 'total')) continue;
    const key = `${keyOf(line)}/${line.market}/${line.book}/${ownLine(line)}`;
    const pair = pairs.get(key) ?? { line, prices: new Map<string, number>() };
    pairs.set(key, pair);
    pair.prices.set(line.side, line.oddsAmerican);
  }
  const found = new Map<string, ClosedGame>();
  for (const { line, prices } of pairs.values()) {
    const game = gameOf.get(keyOf(line));
    const [first, second] = line.market === 'spread' ? ['home', 'away'] : ['over', 'under'];
    const [odds, against] = [prices.get(first!), prices.get(second!)];
    const key = `${keyOf(line)}/${line.market}`;
    if (game?.homeScore == null || game.awayScore == null || odds === undefined || against === undefined)
      continue;
    if (found.has(key)) continue;
    found.set(key, {
      sport: line.sport,
      startsAt: line.startsAt ?? '',
      market: line.market as ClosedGame['market'],
      line: ownLine(line),
      chance: implied(odds) / (implied(odds) + implied(against)),
      outcome: line.market === 'spread' ? game.homeScore - game.awayScore : game.homeScore + game.awayScore,
    });
  }
  return [...found.values()].sort((a, b) => (a.startsAt < b.startsAt ? -1 : 1));
}

const keyOf = ({ sport, game, startsAt }: GameRow | LineRow): string => `${sport}/${game}/${startsAt}`;
const ownLine = ({ side, line }: LineRow): number => (side === 'away' ? -line! : line!);
const implied = (american: number): number =>
  american > 0 ? 100 / (100 + american) : american / (american - 100);

/** Splits a sport's games into the earlier part, on which its model is fitted, and the rest, on which it is tested. */
export function split(games: readonly ClosedGame[]): { fitted: ClosedGame[]; heldOut: ClosedGame[] } {
  const starts = [...new Set(games.map(({ startsAt }) => startsAt))].sort();
  const middle = starts[starts.length >> 1]!;
  return {
    fitted: games.filter(({ startsAt }) => startsAt < middle),
    heldOut: games.filter(({ startsAt }) => startsAt >= middle),
  };
}

/** A bet at another line than the closing one: the model's probability for it, and whether it won. Excludes pushes. */
export interface MovedBet {
  chance: number;
  won: boolean;
  /** The share of the stake that won or lost: at a quarter line, half may push. */
  decided: number;
  game: ClosedGame;
}

/** Returns every game's bets at lines the given numbers of points away from the closing one. */
export function movedBets(
  games: readonly ClosedGame[],
  moves: readonly number[],
  chanceOf: (game: ClosedGame, line: number) => number | null,
): MovedBet[] {
  return games.flatMap((game) =>
    moves.flatMap((move) => {
      const line = game.line + move;
      const mark = game.market === 'spread' ? -line : line;
      const chance = chanceOf(game, line);
      if (chance === null || game.outcome === mark) return [];
      const decided = Math.abs(game.outcome - mark) === 0.25 ? 0.5 : 1;
      return [{ chance, won: game.outcome > mark, decided, game }];
    }),
  );
}
