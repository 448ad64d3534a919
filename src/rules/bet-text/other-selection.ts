import { marketIn } from '../markets/index.ts';
import { aboutOf } from '../markets/known.ts';
import type { BetReading } from './bet.ts';
import type { BetGame } from './day.ts';
import { selectionWords } from './print.ts';
import { readBetText } from './read.ts';

type Selected = Pick<BetReading, 'market' | 'subject' | 'side' | 'line'>;

/**
 * Reads a pick's text as a bet on its game. Returns both selections in words if the text means another side, line, market, or part of the game
 * than the pick; undefined if it means the same, or cannot be read.
 */
export function otherSelection(
  text: string,
  given: Selected,
  games: readonly [BetGame],
): { given: string; read: string } | undefined {
  // Only its bettors know the words of a market without a known name.
  const [game] = games;
  if (marketIn(game.sport, given.market) === undefined && aboutOf(given.market) === undefined)
    return undefined;
  const { subject } = given;
  const isPlayer = subject !== null && subject !== game.game;
  const found = readBetText(
    text,
    isPlayer ? [{ ...game, players: [...game.players, { name: subject }] }] : games,
  );
  if (found.kind === 'refused') return undefined;
  const readings = found.kind === 'bet' ? [found.bet] : found.choices;
  const fields = ['market', 'subject', 'side', 'line'] as const;
  if (readings.some((bet) => fields.every((field) => bet[field] === given[field]))) return undefined;
  // `Over 4.5` says nothing about who or what is counted.
  const isSame = ({ side, line }: BetReading) => line === given.line && given.side.endsWith(side);
  if (/^\W{0,9}(?:over|under|[ou])\s?\d[\d.,\u00bd]{0,9}\W{0,9}$/i.test(text) && readings.some(isSame))
    return undefined;
  const words = readings.map(selectionWords);
  return { given: selectionWords({ ...readings[0]!, ...given }), read: words.join(' or ') };
}
