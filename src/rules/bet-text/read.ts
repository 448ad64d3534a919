import { marketIn } from '../markets/index.ts';
import { aboutOf } from '../markets/known.ts';
import { selectionFault } from '../selection.ts';
import type { BetReading } from './bet.ts';
import { type BetGame, dayOf } from './day.ts';
import { meanings } from './meanings.ts';
import { gamesMeant, leftoverFault, readNames, readSport } from './names.ts';
import { numberWays, readNumbers, readStakes } from './numbers.ts';
import { Parse } from './parse.ts';
import { numberedText, selectionWords } from './print.ts';
import { maxTextLength, tokensOf } from './tokens.ts';
import { readGameAndBook, readPhrases, readStatistics, unknownPlayer, unsupported } from './words.ts';

/** The result of reading a text: one bet, several possible bets, or the reason why there is none (docs/rules/bet-text.md). */
export type BetText =
  | { kind: 'bet'; bet: BetReading; notes: string[] }
  | { kind: 'choices'; why: string; choices: BetReading[] }
  | { kind: 'refused'; reason: string };

/** Maximum number of possible bets to choose from. */
export const maxChoices = 12;

/**
 * Reads a bet as people write it, against the games that it can be about (docs/rules/bet-text.md). It never guesses. A text that fits
 * several bets gives all of them; one with an unknown word, or a word that can change how the bet settles, is refused.
 */
export function readBetText(text: string, games: readonly BetGame[]): BetText {
  if (text.length > 10 * maxTextLength)
    return refused(`The text is longer than ${maxTextLength} characters.`);
  const trimmed = text.trim();
  if (trimmed === '') return refused('The text is empty.');
  if (trimmed.length > maxTextLength) return refused(`The text is longer than ${maxTextLength} characters.`);
  const tokens = tokensOf(trimmed);
  if (tokens === undefined) return refused('The text is too long to be one bet.');
  const without = unsupported(trimmed);
  if (without !== undefined) return refused(without);
  const base = new Parse(tokens, dayOf(games));
  const fault = readStakes(base) ?? readSport(base);
  if (fault !== undefined) return refused(fault);
  const sports = new Set(games.map(({ sport }) => sport));
  const named = sportsNamed(base);
  const read = [...sports]
    .filter((sport) => base.sports?.includes(sport) !== false && (named.size === 0 || named.has(sport)))
    .map((sport) => inSport(base.in(sport)));
  if (read.length === 0)
    return refused(games.length === 0 ? 'There are no games to bet on.' : 'No game matches.');
  return oneOf(read, games);
}

/** Returns the sports in which some words of the text are a name. Others are not read. */
function sportsNamed(parse: Parse): Set<string> {
  const found = new Set<string>();
  for (let at = 0; at < parse.tokens.length; at += 1)
    for (let to = at + 1; to <= Math.min(parse.tokens.length, at + parse.day.longest); to += 1)
      if (parse.tokens[at]!.kind === 'word')
        for (const { game } of parse.day.find(parse.raw(at, to))) {
          const { sport } = parse.day.games[game]!;
          if (parse.sports?.includes(sport) !== false) found.add(sport);
        }
  return found;
}

function refused(reason: string): BetText {
  return { kind: 'refused', reason };
}

/** The bets that a text means in one sport. */
interface Read {
  parse: Parse;
  bets: readonly { bet: BetReading; sure: boolean }[];
  /** Why there are none. */
  fault: string;
}

function oneOf(read: readonly Read[], games: readonly BetGame[]): BetText {
  const all = read.flatMap(({ bets }) => bets);
  const [only] = all;
  if (only === undefined) {
    // The sport whose names explain most of the text has the reason that its writer understands.
    const explained = ({ parse, fault }: Read) =>
      parse.spans.reduce((sum, { from, to }) => sum + 10 * (to - from), /Did you mean/.test(fault) ? 5 : 0);
    return refused(read.toSorted((one, other) => explained(other) - explained(one))[0]!.fault);
  }
  const { parse } = read.find(({ bets }) => bets.includes(only))!;
  const { notes } = parse;
  const suggested = numberedText(only.bet, games);
  const isSame = suggested.toLowerCase() === parse.raw(0, parse.tokens.length).toLowerCase();
  if (all.length === 1 && only.sure) return { kind: 'bet', bet: only.bet, notes };
  if (all.length > maxChoices) return refused(`The text fits ${all.length} bets. Name the game.`);
  return {
    kind: 'choices',
    why:
      all.length === 1
        ? isSame
          ? 'The text is read as this bet. Choose it to confirm it.'
          : `Did you mean ${suggested}?`
        : `The text fits ${all.length} bets.`,
    choices: all.map(({ bet }) => bet),
  };
}

function inSport(parse: Parse): Read {
  const fault = readAll(parse);
  if (fault !== undefined) return { parse, bets: [], fault };
  const subject = unknownPlayer(parse);
  const left = leftoverFault(parse, subject);
  if (left !== undefined) return { parse, bets: [], fault: left };
  const ways = numberWays(parse);
  if (ways.length === 0) {
    const numbers = parse.open.map((at) => parse.tokens[at]!.raw).join(', ');
    return { parse, bets: [], fault: `These numbers could each be a line, a price, or a stake: ${numbers}.` };
  }
  const games = gamesMeant(parse, subject !== undefined);
  if (typeof games === 'string') return { parse, bets: [], fault: games };
  const found = new Map<string, { bet: BetReading; sure: boolean }>();
  let why = 'The text names no market. Write ML, a spread, or over or under with a line.';
  for (const game of games)
    for (const { line, odds } of ways)
      for (const meaning of meanings(parse, game, line, subject)) {
        if (typeof meaning === 'string') {
          why = meaning;
          continue;
        }
        const { sport, game: title, startsAt, away, home, moneylineWays } = parse.day.games[game]!;
        const { market, subject: about, side, line: points } = meaning;
        const lineE3 = points === null ? null : points * 1000;
        const refusal = selectionFault(
          { market, subject: about, side, lineE3 },
          { sport, game: title },
          moneylineWays,
        );
        if (refusal !== undefined) {
          why = `${refusal.charAt(0).toUpperCase()}${refusal.slice(1)}.`;
          continue;
        }
        const sure = parse.spans.every(({ named }) => named.some((each) => each.game === game && each.sure));
        for (const oddsAmerican of odds) {
          const stake = stakeOf(parse, oddsAmerican);
          if (typeof stake === 'string') return { parse, bets: [], fault: stake };
          const bet: BetReading = {
            sport,
            game: title,
            startsAt,
            away: away.name,
            home: home.name,
            ...meaning,
            oddsAmerican,
            stakeUnits: stake,
            book: parse.book ?? null,
          };
          const key = JSON.stringify(bet);
          found.set(key, { bet, sure: sure || found.get(key)?.sure === true });
        }
      }
  return { parse, bets: [...found.values()], fault: why };
}

function readAll(parse: Parse): string | undefined {
  const early = readPhrases(parse, { isEarly: true });
  if (early !== undefined) return early;
  readNames(parse, (words) => parse.day.find(words).filter(({ sure }) => sure));
  readStatistics(parse);
  readGameAndBook(parse);
  // A name that is sure in some sport is never a part of another team's name.
  readNames(parse, (words) => {
    const all = parse.day.find(words);
    const isSure = all.some(
      ({ sure, game }) => sure && parse.sports?.includes(parse.day.games[game]!.sport) !== false,
    );
    return isSure ? [] : all;
  });
  return readPhrases(parse, { isEarly: false }) ?? readNumbers(parse);
}

/** Returns the stake: as written, or the risk that wins the written amount at the odds. */
function stakeOf(parse: Parse, oddsAmerican: number | null): number | null | string {
  const { stake } = parse;
  if (stake === undefined) return null;
  if (!stake.isWin) return stake.units;
  const note = (text: string) => {
    if (!parse.notes.includes(text)) parse.notes.push(text);
  };
  if (oddsAmerican === null) {
    note('The text gives the amount to win, but no price, so no stake was read.');
    return null;
  }
  const units =
    Math.round(stake.units * (oddsAmerican > 0 ? 100 / oddsAmerican : -oddsAmerican / 100) * 100) / 100;
  if (units < 0.01 || units > 100)
    return `Stakes are 0.01 to 100 units; to win ${stake.units}u, the bet risks ${units}u.`;
  note(`The stake is ${units}u, to win ${stake.units}u.`);
  return units;
}

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
