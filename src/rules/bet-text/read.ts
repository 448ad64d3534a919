import type { BetReading } from './bet.ts';
import { type BetGame, dayOf } from './day.ts';
import { gamesMeant, leftOver } from './games-meant.ts';
import { meanings } from './meanings.ts';
import { readNames, readSport } from './names.ts';
import { numberWays, readNumbers } from './numbers.ts';
import { joinSigns, readPhrases, readWords } from './phrases.ts';
import { betText } from './print.ts';
import { Said } from './said.ts';
import { readStakes } from './stakes.ts';
import { readStatistics, unknownPlayer } from './statistic-words.ts';
import { longestText, tokensOf } from './tokens.ts';
import { noWords } from './words.ts';

/** What a text says: one bet, one of several bets, or why it is none that can be read. Docs: docs/rules/bet-text.md */
export type BetText =
  | { kind: 'bet'; bet: BetReading; notes: string[] }
  | { kind: 'choices'; why: string; choices: BetReading[] }
  | { kind: 'refused'; reason: string };

/** The most bets between which somebody is asked. */
export const mostChoices = 12;

/**
 * Reads a bet as people write it, against the games that it can be about: docs/rules/bet-text.md. Nothing is guessed: a text that fits
 * several bets gives all of them, and one with a word that means nothing is refused.
 */
export function readBetText(text: string, games: readonly BetGame[]): BetText {
  const trimmed = text.trim();
  if (trimmed === '') return refused('There is no text.');
  if (trimmed.length > longestText) return refused(`The text is longer than ${longestText} characters.`);
  const tokens = tokensOf(trimmed);
  if (tokens === undefined) return refused('The text has too many parts to be one bet.');
  const without = noWords(trimmed);
  if (without !== undefined) return refused(without);
  const said = new Said(tokens, dayOf(games));
  const fault = readAll(said);
  return fault === undefined ? betsOf(said) : refused(fault);
}

function refused(reason: string): BetText {
  return { kind: 'refused', reason };
}

/** Reads all tokens. @returns why the text is no bet, if that is plain before its game is */
function readAll(said: Said): string | undefined {
  joinSigns(said);
  readPhrases(said);
  const fault = readStakes(said) ?? readSport(said);
  if (fault !== undefined) return fault;
  readNames(said, (words) => said.day.find(words).filter(({ sure }) => sure));
  readStatistics(said);
  readWords(said);
  readNames(said, (words) => said.day.find(words));
  return readNumbers(said);
}

/** The bets that a text can be, once all of it is read. */
function betsOf(said: Said): BetText {
  const subject = unknownPlayer(said);
  const left = leftOver(said, subject);
  if (left !== undefined) return refused(left);
  const ways = numberWays(said);
  if (ways.length === 0)
    return refused(
      `The text has numbers of which nothing says whether they are a line, a price, or a stake: ${said.open.map((at) => said.tokens[at]!.raw).join(', ')}.`,
    );
  const games = gamesMeant(said, subject !== undefined);
  if (typeof games === 'string') return refused(games);
  const found = new Map<string, { bet: BetReading; sure: boolean }>();
  let why = 'The text names no market: write ML, a spread, or over or under a line.';
  for (const game of games)
    for (const { line, odds } of ways)
      for (const { bet, fault, sure } of meanings(said, game, line, subject)) {
        if (bet === undefined) {
          why = fault ?? why;
          continue;
        }
        for (const oddsAmerican of odds.american) {
          const one: BetReading = {
            ...bet,
            oddsAmerican,
            stakeUnits: said.stake ?? null,
            book: said.book ?? null,
          };
          const key = JSON.stringify(one);
          const before = found.get(key);
          found.set(key, { bet: one, sure: sure || before?.sure === true });
        }
      }
  const all = [...found.values()];
  const [only] = all;
  if (only === undefined) return refused(why);
  if (all.length === 1 && only.sure) return { kind: 'bet', bet: only.bet, notes: said.notes };
  if (all.length > mostChoices) return refused(`The text fits ${all.length} bets: name the game.`);
  return {
    kind: 'choices',
    why:
      all.length === 1
        ? `Is this meant: ${betText(only.bet)}?`
        : `The text can be any of ${all.length} bets.`,
    choices: all.map(({ bet }) => bet),
  };
}
