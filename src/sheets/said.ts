import { type BetGame, dayOf } from '../rules/bet-text/day.ts';
import { marketIn } from '../rules/markets/index.ts';
import { keyOf, type Lexeme, lexiconIn, longestPhrase } from '../rules/markets/lexicon.ts';
import { firstInning, type MarketMeant } from '../rules/markets/meant.ts';
import type { Period } from '../rules/markets/periods.ts';
import { ownValue } from '../rules/own-value.ts';
import { plainLetters } from '../rules/plain-name.ts';
import { type Marks, withSign, writtenLine } from '../rules/written-numbers.ts';
import { structureOf } from './structure.ts';

/** The parts of a bet in a cell. Undefined parts are left to the other cells. */
export interface Said {
  written: string;
  /** The market of the whole game: a declared one, a known one, or a slug. */
  market?: string;
  subject?: MarketMeant['subject'];
  part?: Period;
  role?: 'home' | 'away';
  /** The side, unless it is only a team. */
  side?: string;
  line?: number;
  odds?: number;
  /** Whether a total is named without its market: `Foxes over 2.5`. */
  isBare?: boolean;
  /** Words without a meaning here. */
  words: string;
}

/** Outcomes in soccer, where the home team comes first, as bet slips write them. */
export const outcomes: Readonly<Record<string, Partial<Said>>> = {
  1: { role: 'home' },
  x: { side: 'draw' },
  d: { side: 'draw' },
  2: { role: 'away' },
  ...Object.fromEntries(
    Object.entries({ home_or_draw: '1x x1 1n', away_or_draw: 'x2 2x n2', home_or_away: '12' }).flatMap(
      ([side, words]) => words.split(' ').map((word) => [word, { side, market: 'double_chance' }]),
    ),
  ),
  ...Object.fromEntries(['goal', 'gol', 'gg'].map((word) => [word, { side: 'yes' }])),
  ...Object.fromEntries(['no goal', 'no gol', 'nogol', 'ng'].map((word) => [word, { side: 'no' }])),
};

/** Reads a cell that names a side, a team, or both, with a line: `Over 2.5`, `Foxes -3.5 (-110)`, `X`, `1X`. */
export function saidIn(written: string, game: BetGame, marks: Marks, isBesideMarket = false): Said {
  let text = plainLetters(written.replace(/[\u2212\u2013]/g, '-'))
    .replace(/\s+/g, ' ')
    // A quarter line as its two neighbors: `0.0, -0.5`.
    .replace(/(?<![\d.,])[+-]?\d+(?:\.\d)?, ?[+-]?\d+(?:\.\d)?(?![\d.,])/, (both) => {
      const line = writtenLine(both, marks);
      if (line === undefined || Math.abs(line % 0.5) !== 0.25) return both;
      return /[+-]/.test(both) ? withSign(line) : String(line);
    })
    .trim();
  const found: Said = { written, words: '' };
  if (text === '' || (structureOf(written) === 'single' && !/^(?:1|no|for|pour|punta)$/.test(text)))
    return found;
  const inning = firstInning(text);
  const [, ofInning] = / (over|under) /.exec(inning ?? '') ?? [];
  if (ofInning !== undefined) return { ...found, side: ofInning, line: 0.5 };
  const titled = /^(.+?)\s+(?:@|vs?\.?|at|-)\s+(.+?)\s*(?::|,|\s-)\s*(.+)$/.exec(text);
  if (titled?.slice(1, 3).every((name) => roleIn(name, game))) text = titled[3]!;
  const odds = /(?:^|\s)(?:@\s*)?[(]?([+-]\d{3,5})[)]?$/.exec(text);
  if (odds !== null) {
    found.odds = Number(odds[1]);
    text = text.slice(0, odds.index).trim();
  }
  // Beside a market, a number is a side in every sport.
  const outcomeOf = (word: string) =>
    game.moneylineWays === 3 || isBesideMarket ? ownValue(outcomes, word) : undefined;
  const only = outcomeOf(text);
  if (only !== undefined) return { ...found, ...only };
  const score = /^(\d{1,3})\s*[-:]\s*(\d{1,3})$/.exec(text);
  if (score !== null) return { ...found, words: `${score[1]}-${score[2]}` };
  const orDraw = /^(.*?)\s*(?:or|\/)\s*(?:the )?(?:draw|tie|x)$|^(?:draw|tie|x)\s*(?:or|\/)\s*(.*)$/.exec(
    text,
  );
  const or = orDraw === null ? undefined : saidIn(orDraw[1] ?? orDraw[2] ?? '', game, marks).role;
  const both = /^(.+?)\s*(?:\bor\b|\/)\s*(.+)$/
    .exec(text)
    ?.slice(1)
    .map((name) => roleIn(name, game));
  const isEither = both?.includes('home') && both.includes('away');
  if (or !== undefined || isEither)
    return { ...found, side: isEither ? 'home_or_away' : `${or}_or_draw`, market: 'double_chance' };
  text = withoutTotal(text, game.sport, found);
  // `25+` is over 24.5.
  const least = /(?:^|\s)(\d{1,3})\+(?=$|\s)/.exec(text);
  if (least !== null && found.side === undefined) {
    Object.assign(found, { side: 'over', line: Number(least[1]) - 0.5 });
    text = `${text.slice(0, least.index)} ${text.slice(least.index + least[0].length)}`.trim();
  }
  const signed =
    /(?:^|\s|\()([+-]\s?\d+(?:[.,]\d+)?(?:\s?[,/]\s?[+-]?\d+(?:[.,]\d+)?)?|pk|pick ?'?em)\)?(?=$|\s)/.exec(
      text,
    );
  const value =
    signed === null || found.line !== undefined
      ? undefined
      : writtenLine(signed[1]!.replace(/([+-])\s/, '$1'), marks);
  if (value !== undefined) {
    found.line = value;
    text = `${text.slice(0, signed!.index)} ${text.slice(signed!.index + signed![0].length)}`.trim();
  }
  // `1 (-1.5)` is the home team.
  const { side, ...rest } = (value === undefined ? undefined : outcomeOf(text)) ?? restOf(text, game);
  Object.assign(found, rest, side === undefined || found.side !== undefined ? {} : { side });
  if (found.side === undefined || found.market !== undefined) delete found.isBare;
  // The case of a player's name is the cell's.
  const at = plainLetters(written).indexOf(found.words);
  if (at !== -1) found.words = written.slice(at, at + found.words.length).trim();
  return found;
}

/** Takes over or under out of a text, with the line behind it. @returns the rest */
function withoutTotal(text: string, sport: string, found: Said): string {
  const words = text.replace(/(?<=^|[\s(])(over|under|o|u)(?=\(?[\d.])/g, '$1 ').split(' ');
  for (let at = 0; at < words.length; at += 1)
    for (let to = Math.min(words.length, at + 3); to > at; to -= 1) {
      const phrase = words.slice(at, to).join(' ');
      const [side] = lexemesOf(sport, phrase, 'side');
      if (side !== 'over' && side !== 'under') continue;
      const line = lineIn((words[to] ?? '').replace(/[()]/g, ''), { decimalComma: true });
      if (line === undefined && phrase.length < 3 && words.length > 1) continue;
      found.side = side;
      if (line !== undefined) found.line = line;
      found.isBare = true;
      return [...words.slice(0, at), ...words.slice(line === undefined ? to : to + 1)].join(' ');
    }
  return text;
}

/** Returns what a phrase means in a sport, of some kinds. */
export function lexemesOf(sport: string, phrase: string, ...kinds: Lexeme['kind'][]): string[] {
  return (lexiconIn(sport).get(keyOf(phrase)) ?? []).flatMap(({ kind, value, short }) =>
    kinds.includes(kind) && !short ? [value] : [],
  );
}

/** Reads words without numbers: a team or a side, with the market or the part of the game before or behind it. */
function restOf(given: string, game: BetGame): Pick<Said, 'role' | 'side' | 'market' | 'part' | 'words'> {
  const { sport } = game;
  const text = given.replace(/^[\s:,()-]+|[\s:,()-]+$/g, '');
  if (text === '') return { words: '' };
  const role = roleIn(text, game);
  if (role !== undefined) return { role, words: '' };
  const [team] = lexemesOf(sport, text, 'team');
  const letter = /^h$/.test(text) ? 'home' : /^a$/.test(text) ? 'away' : team;
  if (letter !== undefined) return { role: letter as 'home', words: '' };
  const [side] = lexemesOf(sport, text, 'side');
  if (side !== undefined) return { side, words: '' };
  const both = /^(.+?)\s+(?:@|vs?\.?|at|-)\s+(.+)$/.exec(text);
  if (both?.slice(1).every((name) => roleIn(name, game))) return { words: '' };
  const words = text.split(/ +/);
  for (let count = Math.min(words.length, longestPhrase); count > 0; count -= 1)
    for (const [phrase, rest] of [
      [words.slice(-count), words.slice(0, -count)],
      [words.slice(0, count), words.slice(count)],
    ] as const) {
      const own = phrase.join(' ');
      const markets = lexemesOf(sport, own, 'market');
      const [part] = lexemesOf(sport, own, 'period') as Period[];
      // Except in tennis, games are those of a series.
      const isEmpty =
        lexemesOf(sport, own, 'unit', 'filler').length > 0 && (own !== 'games' || sport === 'tennis');
      if (markets.length === 0 && part === undefined && !isEmpty) continue;
      const inner = restOf(rest.join(' '), game);
      if (inner.words !== '') continue;
      const market = markets.find((name) => marketIn(sport, name) !== undefined) ?? markets[0];
      if (market !== undefined) return { ...inner, market: inner.market ?? market };
      return part === undefined || isEmpty ? inner : { ...inner, part };
    }
  return { words: text };
}

export function lineIn(cell: string, marks: Marks): number | undefined {
  if (cell === '') return undefined;
  return writtenLine(
    cell.replace(/^(?:over|under|o|u)\s*/i, '').replace(/\s*(?:goals?|points?|pts|runs?)$/i, ''),
    marks,
  );
}

const lists = new WeakMap<BetGame, readonly BetGame[]>();

/** Returns the opponent that a text names. In tennis it can stand in a column for players. */
export function roleIn(name: string, game: BetGame): 'home' | 'away' | undefined {
  if (name === '') return undefined;
  // `dayOf` remembers its games by their list.
  const only = lists.get(game) ?? [game];
  lists.set(game, only);
  const roles = new Set(
    dayOf(only)
      .find(name)
      .map(({ role }) => role),
  );
  roles.delete('player');
  return roles.size === 1 ? ([...roles][0] as 'home' | 'away') : undefined;
}

export function slugOf(text: string): string {
  return plainLetters(text)
    .replace(/&|\+/g, ' and ')
    .replace(/\s-\s|[^a-z0-9-]+/g, '_')
    .replace(/^[_-]+|[_-]+$/g, '')
    .slice(0, 40)
    .replace(/_+$/, '');
}
