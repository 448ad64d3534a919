import { marketIn, marketNamed } from './markets/index.ts';
import { aboutOf } from './markets/known.ts';
import type { MoneylineWays } from './markets/market.ts';
import { nameKey } from './plain-name.ts';

/** The selection of a bet: a side of a market, about a subject, at a line. */
export interface Selection {
  market: string;
  /** The player, team, or question; null for markets about the game itself. */
  subject: string | null;
  side: string;
  lineE3: number | null;
}

export interface GameOfSelection {
  sport: string;
  /** Its title: `Gulls @ Foxes`. */
  game: string;
}

/** Returns why a market does not accept or lacks a subject, as a clause; undefined if it fits. */
export function subjectFault(
  { market, subject }: Pick<Selection, 'market' | 'subject'>,
  { sport, game }: GameOfSelection,
): string | undefined {
  const declared = marketIn(sport, market);
  if (declared !== undefined && declared.gradedBy !== 'stat')
    return subject === null ? undefined : `a ${market} has no subject`;
  if (subject === null) return `${market} needs a subject: ${neededSubject(market)}`;
  const isGame = [game, ...game.split(/ (?:@|at|vs?\.?) /)].some(
    (name) => nameKey(name) === nameKey(subject),
  );
  return declared !== undefined && isGame ? `${market} is about a player, and ${subject} is none` : undefined;
}

function neededSubject(market: string): string {
  if (marketNamed(market)?.gradedBy === 'stat') return 'the player that it is about';
  return aboutOf(market) === 'game'
    ? 'the title of its game, such as "Gulls @ Foxes"'
    : 'the player, team, or question that it is about';
}

/** Returns why a selection does not exist in a market, as a clause; undefined if it does. Undeclared markets accept any side. */
export function selectionFault(
  { market, subject, side, lineE3 }: Selection,
  game: GameOfSelection,
  moneylineWays: MoneylineWays,
): string | undefined {
  const fault = subjectFault({ market, subject }, game);
  const { sport } = game;
  const declared = marketIn(sport, market);
  if (fault !== undefined || declared === undefined) return fault;
  const sides = declared.contests(moneylineWays).flat();
  if (!sides.includes(side)) return `a ${market} in ${sport} has the sides ${sides.join(', ')}, not ${side}`;
  if (declared.line === null && lineE3 !== null) return `a ${market} has no line`;
  if (declared.line !== null && lineE3 === null) return `a ${market} needs a line`;
  return undefined;
}
