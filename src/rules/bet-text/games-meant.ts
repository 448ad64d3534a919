import { nameKey } from '../plain-name.ts';
import { allowed } from './names.ts';
import type { Parse } from './parse.ts';
import { filler, versus } from './words.ts';

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
