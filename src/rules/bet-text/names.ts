import { clubWords, nameKey } from '../plain-name.ts';
import { longestSportWord, sportMeant } from '../sport-words.ts';
import type { Named } from './day.ts';
import type { Parse, Span } from './parse.ts';
import { filler, isNeverName, versus } from './words.ts';

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

/** Returns a sentence about the first word or number that has no meaning; undefined if there is none. */
export function leftoverFault(
  parse: Parse,
  subject: { from: number; to: number } | undefined,
): string | undefined {
  for (let at = 0; at < parse.tokens.length; at += 1) {
    const { kind, raw, number } = parse.tokens[at]!;
    if (parse.used[at] || (subject !== undefined && at >= subject.from && at < subject.to)) continue;
    if (kind === 'mark') {
      if (raw === '+' || raw === '&') return 'The text joins two bets. Post each as its own pick.';
      continue;
    }
    if (number !== undefined) {
      if (parse.open.includes(at)) continue;
      return `${raw} is not a line, price, or stake.`;
    }
    if (parse.keys[at] === 'hit' && parse.keys[at - 1] === 'to') continue;
    if (filler.has(parse.keys[at]!) || versus.has(parse.keys[at]!) || parse.keys[at] === '') continue;
    const near = allowed(parse, parse.day.similar(raw));
    const names = [...new Set(near.map(({ name }) => name))].filter((name) => nameKey(name) !== nameKey(raw));
    if (names.length > 0) {
      return `No team or player ${raw} plays in these games. Did you mean ${names.slice(0, 3).join(' or ')}?`;
    }
    return `No team or player ${raw} plays in these games, and it is not a betting term.`;
  }
  return undefined;
}

/** Returns the games that all names in the text have in common, or a sentence if there are none. */
export function gamesMeant(parse: Parse, isAboutPlayer: boolean): number[] | string {
  let games: number[] | undefined;
  for (const { named, from, to } of parse.spans) {
    const own = new Set(named.map(({ game }) => game));
    const both = games === undefined ? [...own] : games.filter((game) => own.has(game));
    if (both.length === 0)
      return `${parse.raw(parse.spans[0]!.from, parse.spans[0]!.to)} and ${parse.raw(from, to)} do not play each other.`;
    games = both;
  }
  if (games === undefined) {
    if (parse.side === undefined || parse.side === 'draw' || isAboutPlayer)
      return 'The text names no team or known player of these games.';
    games = parse.day.games.flatMap(({ sport }, at) => (sport === parse.sport ? [at] : []));
  }
  return parse.gameNumber === undefined ? games : ofDoubleheader(parse, games, parse.gameNumber);
}

/** Keeps one game of each pair of opponents: the one with that number in order of start. */
function ofDoubleheader(parse: Parse, games: readonly number[], number: number): number[] | string {
  const pairs = Map.groupBy(
    games,
    (game) => `${parse.day.games[game]!.sport}\n${parse.day.games[game]!.game}`,
  );
  const chosen = [...pairs.values()].flatMap((same) => {
    const inOrder = same.toSorted(
      (a, b) => (parse.day.games[a]!.startsAt ?? 0) - (parse.day.games[b]!.startsAt ?? 0),
    );
    return inOrder[number - 1] ?? [];
  });
  return chosen.length === 0 ? `These teams play fewer than ${number} games in this time.` : chosen;
}

/**
 * Returns the teams that the bet can be on. If the text names two, it may mark one as the opponent: `Gulls -3 vs Foxes`, `Gulls @ Foxes:
 * Gulls -3`.
 */
export function teamsMeant(parse: Parse, game: number, spans: readonly Span[]): ('away' | 'home')[] {
  if (spans.length === 0) return [];
  if (spans.length === 1) return rolesOf(game, spans[0]!);
  // Two adjacent teams name the game; a third name is the team of the bet.
  const alone: Span[] = [];
  for (let at = 0; at < spans.length; at += 1) {
    const [one, two] = [spans[at]!, spans[at + 1]];
    const isPair =
      two !== undefined && isSeparator(parse, one.to, two.from) && areBothNamed(game, [one, two]);
    if (isPair) at += 1;
    else alone.push(one);
  }
  const open = alone.length > 0 ? alone : spans;
  const leading = open.filter((span) => !isOpponent(parse, span));
  const chosen = alone.length === 0 ? open : leading.length > 0 ? leading : open;
  return [...new Set(chosen.flatMap((span) => rolesOf(game, span)))];
}

/** Reports whether only separators such as `vs` lie between two names. A colon ends the names of the game. */
function isSeparator(parse: Parse, from: number, to: number): boolean {
  const between = parse.tokens.slice(from, to);
  return between.every(
    ({ raw }, at) => versus.has(parse.keys[from + at]!) || /^(?:[@/,&]|at|-|and)$/i.test(raw),
  );
}

function isOpponent(parse: Parse, { from }: Span): boolean {
  const before = parse.tokens[from - 1];
  const isBracket = before?.raw === '(';
  const key = isBracket ? parse.keys[from - 2] : parse.keys[from - 1];
  const raw = isBracket ? parse.tokens[from - 2]?.raw : before?.raw;
  return versus.has(key ?? '') || /^(?:@|at)$/i.test(raw ?? '');
}

/** Reports whether a separator stands between two names of one team: `Foxes/Foxes`. */
export function namesTwice(parse: Parse, game: number, spans: readonly Span[]): boolean {
  return spans.some((span, at) => {
    const next = spans[at + 1];
    const isDivided = next?.from === span.to + 1 && /^[/-]$/.test(parse.tokens[span.to]!.raw);
    return isDivided && rolesOf(game, span).join() === rolesOf(game, next).join();
  });
}

/** Reports whether one name belongs to the away team and another to the home team. */
export function areBothNamed(game: number, spans: readonly Span[]): boolean {
  const roles = spans.map((span) => rolesOf(game, span));
  return (
    roles.length >= 2 && ['away', 'home'].every((role) => roles.some((each) => each.includes(role as 'away')))
  );
}

function rolesOf(game: number, { named }: Span): ('away' | 'home')[] {
  return [
    ...new Set(named.flatMap((each) => (each.game === game && each.role !== 'player' ? [each.role] : []))),
  ];
}
