import type { BetReading } from './bet.ts';
import { type BetGame, dayOf } from './day.ts';
import { gamesMeant, leftoverFault } from './games-meant.ts';
import { meanings } from './meanings.ts';
import { readNames, readSport } from './names.ts';
import { numberWays, readNumbers } from './numbers.ts';
import { Parse } from './parse.ts';
import { joinSigns, readPhrases, readWords } from './phrases.ts';
import { betText } from './print.ts';
import { readStakes } from './stakes.ts';
import { readStatistics, unknownPlayer } from './statistic-words.ts';
import { maxTextLength, tokensOf } from './tokens.ts';
import { unsupported } from './words.ts';

/** The result of reading a text: one bet, several possible bets, or the reason why there is none (docs/rules/bet-text.md). */
export type BetText =
  | { kind: 'bet'; bet: BetReading; notes: string[] }
  | { kind: 'choices'; why: string; choices: BetReading[] }
  | { kind: 'refused'; reason: string };

/** Maximum number of possible bets to choose from. */
export const maxChoices = 12;

/**
 * Reads a bet as people write it, against the games that it can be about (docs/rules/bet-text.md). It never guesses. A text that fits
 * several bets gives all of them; one with an unknown word is refused.
 */
export function readBetText(text: string, games: readonly BetGame[]): BetText {
  const trimmed = text.trim();
  if (trimmed === '') return refused('The text is empty.');
  if (trimmed.length > maxTextLength) return refused(`The text is longer than ${maxTextLength} characters.`);
  const tokens = tokensOf(trimmed);
  if (tokens === undefined) return refused('The text is too long to be one bet.');
  const without = unsupported(trimmed);
  if (without !== undefined) return refused(without);
  const parse = new Parse(tokens, dayOf(games));
  const fault = readAll(parse);
  return fault === undefined ? betsOf(parse) : refused(fault);
}

function refused(reason: string): BetText {
  return { kind: 'refused', reason };
}

/**
 * Reads all tokens.
 * @returns a fault, if the text cannot be a bet in any game
 */
function readAll(parse: Parse): string | undefined {
  joinSigns(parse);
  readPhrases(parse);
  const fault = readStakes(parse) ?? readSport(parse);
  if (fault !== undefined) return fault;
  readNames(parse, (words) => parse.day.find(words).filter(({ sure }) => sure));
  readStatistics(parse);
  readWords(parse);
  readNames(parse, (words) => parse.day.find(words));
  return readNumbers(parse);
}

/** Returns the possible bets of a text, once all tokens are read. */
function betsOf(parse: Parse): BetText {
  const subject = unknownPlayer(parse);
  const left = leftoverFault(parse, subject);
  if (left !== undefined) return refused(left);
  const ways = numberWays(parse);
  if (ways.length === 0)
    return refused(
      `These numbers could each be a line, a price, or a stake: ${parse.open.map((at) => parse.tokens[at]!.raw).join(', ')}.`,
    );
  const games = gamesMeant(parse, subject !== undefined);
  if (typeof games === 'string') return refused(games);
  const found = new Map<string, { bet: BetReading; sure: boolean }>();
  let why = 'The text names no market. Write ML, a spread, or over or under with a line.';
  for (const game of games)
    for (const { line, odds } of ways)
      for (const { bet, fault, sure } of meanings(parse, game, line, subject)) {
        if (bet === undefined) {
          why = fault ?? why;
          continue;
        }
        for (const oddsAmerican of odds.american) {
          const one: BetReading = {
            ...bet,
            oddsAmerican,
            stakeUnits: parse.stake ?? null,
            book: parse.book ?? null,
          };
          const key = JSON.stringify(one);
          const before = found.get(key);
          found.set(key, { bet: one, sure: sure || before?.sure === true });
        }
      }
  const all = [...found.values()];
  const [only] = all;
  if (only === undefined) return refused(why);
  if (all.length === 1 && only.sure) return { kind: 'bet', bet: only.bet, notes: parse.notes };
  if (all.length > maxChoices) return refused(`The text fits ${all.length} bets. Name the game.`);
  return {
    kind: 'choices',
    why: all.length === 1 ? `Did you mean ${betText(only.bet)}?` : `The text fits ${all.length} bets.`,
    choices: all.map(({ bet }) => bet),
  };
}
