import type { Said, Statistic } from './said.ts';
import { longestStatistic, playerMarketsMeant } from './statistics.ts';
import { filler, isOverOrUnder } from './words.ts';

/** Finds the longest words for a market about a player. */
export function readStatistics(said: Said): void {
  const sports = said.sports ?? [...new Set(said.day.games.map(({ sport }) => sport))];
  let best: Statistic | undefined;
  for (let at = 0; at < said.tokens.length; at += 1)
    for (let to = Math.min(said.tokens.length, at + longestStatistic + 2); to > at; to -= 1) {
      if (best !== undefined && to - at <= best.to - best.from) break;
      if (said.isUsed(at, to) || !isStatistic(said, at, to)) continue;
      const words = said.raw(at, to);
      if (isOverOrUnder(words.toLowerCase())) continue;
      const bySport = new Map(
        sports.flatMap((sport) => {
          const markets = playerMarketsMeant(sport, words);
          return markets.length === 0 ? [] : [[sport, markets] as const];
        }),
      );
      if (bySport.size > 0) best = { from: at, to, bySport };
    }
  if (best === undefined) return;
  said.statistic = best;
  // Units of a line, such as runs, leave the text when it is not about a player.
  said.use(best.from, best.to);
}

function isStatistic(said: Said, from: number, to: number): boolean {
  const part = said.tokens.slice(from, to);
  if (part[0]!.kind === 'mark' || part.at(-1)!.kind === 'mark') return false;
  if (part.every(({ kind }) => kind === 'number')) return false;
  return part.every(({ kind, raw, number }, at) => {
    if (kind === 'mark') return /^[+&/-]$/.test(raw);
    // `3 pointers`, but not `8.5 runs`.
    return (
      number === undefined || (at === 0 && number.value === 3 && number.sign === '' && number.unit === '')
    );
  });
}

/** The words that name a player whom the day does not know, next to a statistic. */
export function unknownPlayer(said: Said): { name: string; from: number; to: number } | undefined {
  if (
    said.statistic === undefined ||
    said.spans.some(({ named }) => named.some(({ role }) => role === 'player'))
  )
    return undefined;
  const isName = (at: number) =>
    said.tokens[at]?.kind === 'word' && !said.used[at] && !filler.has(said.keys[at]!);
  for (let first = 0; first < said.tokens.length; first += 1) {
    if (!isName(first)) continue;
    let to = first + 1;
    while (isName(to)) to += 1;
    // A first name may be a word that else says nothing: `Max Gull`.
    const before = said.tokens[first - 1];
    const hasMore = before?.kind === 'word' && !said.used[first - 1] && /^\p{Lu}/u.test(before.raw);
    const from = to - first === 1 && hasMore ? first - 1 : first;
    const name = said.raw(from, to);
    return to - from >= 2 && to - from <= 4 && name.length <= 80 && /^\p{L}[\p{L}.' -]+$/u.test(name)
      ? { name, from, to }
      : undefined;
  }
  return undefined;
}
