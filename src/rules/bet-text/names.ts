import { longestSportWord, sportMeant } from '../sport-words.ts';
import type { Named } from './day.ts';
import type { Said } from './said.ts';
import { filler, isNoName } from './words.ts';

/** Reads the words for a sport. @returns a fault, such as two sports */
export function readSport(said: Said): string | undefined {
  for (let at = 0; at < said.tokens.length; at += 1)
    for (let count = Math.min(longestSportWord, said.tokens.length - at); count >= 1; count -= 1) {
      if (said.isUsed(at, at + count) || said.tokens[at]!.kind !== 'word') continue;
      const words = said.keys.slice(at, at + count).join(' ');
      const meaning = count === 1 && filler.has(words) ? unitSport(words) : sportMeant(words);
      if (meaning === undefined) continue;
      // A team may be called like a league's place: names come first.
      if (said.day.find(said.raw(at, at + count)).some(({ sure }) => sure)) continue;
      if (meaning.sports.length === 0) return `${said.raw(at, at + count)} is not a sport of this ledger.`;
      const both =
        said.sports === undefined
          ? meaning.sports
          : said.sports.filter((each) => meaning.sports.includes(each));
      if (both.length === 0) return 'The text names two sports.';
      said.sports = both;
      said.use(at, at + count);
      break;
    }
  return undefined;
}

/** The sport of a word that else says nothing: only fights are counted in rounds. */
function unitSport(word: string): { sports: readonly string[] } | undefined {
  return /^(?:rounds|rds)$/.test(word) ? { sports: ['mma'] } : undefined;
}

/** Finds names, the longest first. */
export function readNames(said: Said, find: (words: string) => readonly Named[]): void {
  const count = said.tokens.length;
  for (let at = 0; at < count; at += 1) {
    if (said.tokens[at]!.kind === 'mark') continue;
    for (let to = Math.min(count, at + said.day.longest + 2); to > at; to -= 1) {
      if (said.isUsed(at, to) || !isOneName(said, at, to)) continue;
      const words = said.raw(at, to);
      const own = to - at === 1 ? said.keys[at]! : '';
      // `TT u` is no TTU.
      if (said.keys.slice(at, to).some(isNoName) || isNoTeam(said, at, own)) continue;
      const named = allowed(said, find(words));
      if (named.length === 0) continue;
      said.spans.push({ from: at, to, named });
      said.use(at, to);
      at = to - 1;
      break;
    }
  }
  said.spans.sort((one, other) => one.from - other.from);
}

/** Whether an abbreviation of a team is the answer to a question, or a statistic behind its line. */
function isNoTeam(said: Said, at: number, key: string): boolean {
  const before = said.keys[at - 1] ?? '';
  if (key === 'no')
    return said.tokens[at]!.raw !== 'NO' || /^(?:score|btts|td|touchdown|scorer|double|goal)$/.test(before);
  const isBehindNumber = said.tokens[at - 1]?.number !== undefined;
  return (
    key === 'tb' &&
    isBehindNumber &&
    said.spans.some(({ named }) => named.some(({ role }) => role === 'player'))
  );
}

/** Leaves out names in games of other sports than the text says. */
export function allowed(said: Said, named: readonly Named[]): readonly Named[] {
  const sports = said.sports;
  return sports === undefined
    ? named
    : named.filter(({ game }) => sports.includes(said.day.games[game]!.sport));
}

/** Whether tokens can be one name: words and bare numbers, with parentheses around some. */
function isOneName(said: Said, from: number, to: number): boolean {
  const part = said.tokens.slice(from, to);
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
