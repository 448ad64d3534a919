import { allowed } from './names.ts';
import type { Said } from './said.ts';
import { filler, versus } from './words.ts';

/** Why a word or number of the text belongs nowhere. */
export function leftOver(said: Said, subject: { from: number; to: number } | undefined): string | undefined {
  for (let at = 0; at < said.tokens.length; at += 1) {
    const { kind, raw, number } = said.tokens[at]!;
    if (said.used[at] || (subject !== undefined && at >= subject.from && at < subject.to)) continue;
    if (kind === 'mark') {
      if (raw === '+' || raw === '&') return 'The text joins two bets: post each of them as a pick.';
      continue;
    }
    if (number !== undefined) {
      if (said.open.includes(at)) continue;
      return `${raw} is no line, price, or stake.`;
    }
    if (said.keys[at] === 'hit' && said.keys[at - 1] === 'to') continue;
    if (filler.has(said.keys[at]!) || versus.has(said.keys[at]!) || said.keys[at] === '') continue;
    const near = allowed(said, said.day.similar(raw));
    if (near.length > 0) {
      const names = [...new Set(near.map(({ name }) => name))].slice(0, 3);
      return `No team or player ${raw} plays in these games. Did you mean ${names.join(', or ')}?`;
    }
    return `No team or player ${raw} plays in these games, and the word says nothing about a bet.`;
  }
  return undefined;
}

/** The games that all names of the text have in common, or why there is none. */
export function gamesMeant(said: Said, isAboutPlayer: boolean): number[] | string {
  let games: number[] | undefined;
  for (const { named, from, to } of said.spans) {
    const own = new Set(named.map(({ game }) => game));
    const both = games === undefined ? [...own] : games.filter((game) => own.has(game));
    if (both.length === 0)
      return `${said.raw(said.spans[0]!.from, said.spans[0]!.to)} and ${said.raw(from, to)} are in no game together.`;
    games = both;
  }
  const sports = said.sports;
  if (games === undefined) {
    if (said.side === undefined || isAboutPlayer)
      return 'The text names no team or known player of these games.';
    games = said.day.games.flatMap(({ sport }, at) =>
      sports === undefined || sports.includes(sport) ? [at] : [],
    );
    if (games.length === 0) return 'There is no such game.';
  }
  return said.gameNumber === undefined ? games : ofDoubleheader(said, games, said.gameNumber);
}

/** Of games of the same opponents, the one of that number. */
function ofDoubleheader(said: Said, games: readonly number[], number: number): number[] | string {
  const pairs = Map.groupBy(games, (game) => `${said.day.games[game]!.sport}\n${said.day.games[game]!.game}`);
  const chosen = [...pairs.values()].flatMap((same) => {
    const inOrder = same.toSorted(
      (a, b) => (said.day.games[a]!.startsAt ?? 0) - (said.day.games[b]!.startsAt ?? 0),
    );
    return inOrder[number - 1] ?? [];
  });
  return chosen.length === 0 ? `These teams have no game ${number} here.` : chosen;
}
