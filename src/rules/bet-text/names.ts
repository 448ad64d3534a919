import { clubWords } from '../plain-name.ts';
import { longestSportWord, sportMeant } from '../sport-words.ts';
import type { Named } from './day.ts';
import type { Parse } from './parse.ts';
import { isNeverName } from './words.ts';

/**
 * Reads the words for a sport.
 * @returns a fault, such as two sports
 */
export function readSport(parse: Parse): string | undefined {
  for (let at = 0; at < parse.tokens.length; at += 1)
    for (let count = Math.min(longestSportWord, parse.tokens.length - at); count >= 1; count -= 1) {
      if (parse.isUsed(at, at + count) || parse.tokens[at]!.kind !== 'word') continue;
      const meaning = sportMeant(parse.keys.slice(at, at + count).join(' '), parse.day.sports);
      if (meaning === undefined) continue;
      // A team's name may contain the word for a league. Names take precedence.
      if (parse.day.find(parse.raw(at, at + count)).some(({ sure }) => sure)) continue;
      if (meaning.sports.length === 0) return `${parse.raw(at, at + count)} is not a sport of this ledger.`;
      const both =
        parse.sports === undefined
          ? meaning.sports
          : parse.sports.filter((each) => meaning.sports.includes(each));
      if (both.length === 0) return 'The text names two sports.';
      parse.sports = both;
      parse.leagues.push({ from: at, to: at + count });
      parse.use(at, at + count);
      break;
    }
  return undefined;
}

export function readNames(parse: Parse, find: (words: string) => readonly Named[]): void {
  const count = parse.tokens.length;
  for (let at = 0; at < count; at += 1) {
    if (parse.tokens[at]!.kind === 'mark') continue;
    for (let to = Math.min(count, at + parse.day.longest + 2); to > at; to -= 1) {
      if (parse.isUsed(at, to) || !isOneName(parse, at, to)) continue;
      const words = parse.raw(at, to);
      const own = to - at === 1 ? parse.keys[at]! : '';
      // `TT u` is not the team TTU.
      if (parse.keys.slice(at, to).some(isNeverName) || isNotTeam(parse, at, own)) continue;
      // Only clubs drop `AFC` from their names. In the NFL it is a conference.
      if (
        parse.sport !== 'soccer' &&
        to > at + 1 &&
        parse.keys.slice(at, to).some((key) => clubWords.has(key))
      )
        continue;
      const named = allowed(parse, find(words));
      if (named.length === 0) continue;
      parse.spans.push({ from: at, to, named });
      parse.use(at, to);
      at = to - 1;
      break;
    }
  }
  parse.spans.sort((one, other) => one.from - other.from);
}

/** Reports whether a team's abbreviation means something else here: the answer to a question, or a statistic after its line. */
function isNotTeam(parse: Parse, at: number, key: string): boolean {
  const before = parse.keys[at - 1] ?? '';
  if (key === 'no')
    return parse.tokens[at]!.raw !== 'NO' || /^(?:score|btts|td|touchdown|scorer|double|goal)$/.test(before);
  const isBehindNumber = parse.tokens[at - 1]?.number !== undefined;
  return (
    key === 'tb' &&
    isBehindNumber &&
    parse.spans.some(({ named }) => named.some(({ role }) => role === 'player'))
  );
}

/** Drops names in games of other sports. */
export function allowed(parse: Parse, named: readonly Named[]): readonly Named[] {
  return named.filter(({ game }) => parse.day.games[game]!.sport === parse.sport);
}

/** Reports whether tokens can form one name: words and bare numbers, some in parentheses. */
function isOneName(parse: Parse, from: number, to: number): boolean {
  const part = parse.tokens.slice(from, to);
  if (part.at(-1)!.kind === 'mark' && part.at(-1)!.raw !== ')') return false;
  return part.every(({ kind, raw, number }) => {
    if (kind === 'mark') return /^[()&-]$/.test(raw);
    return (
      number === undefined ||
      (number.sign === '' &&
        number.unit === '' &&
        !number.hasPoint &&
        !number.isMoney &&
        number.under === undefined)
    );
  });
}
