import { statisticsMeant } from '../markets/meant.ts';
import type { Parse, Statistic } from './parse.ts';
import { maxStatisticWords } from './statistics.ts';
import { filler, isOverOrUnder } from './words.ts';

/** Finds the longest phrase for a player market. */
export function readStatistics(parse: Parse): void {
  const sports = parse.sports ?? [...new Set(parse.day.games.map(({ sport }) => sport))];
  let best: Statistic | undefined;
  for (let at = 0; at < parse.tokens.length; at += 1)
    for (let to = Math.min(parse.tokens.length, at + maxStatisticWords + 2); to > at; to -= 1) {
      if (best !== undefined && to - at <= best.to - best.from) break;
      if (parse.isUsed(at, to) || !isStatistic(parse, at, to)) continue;
      const words = parse.raw(at, to);
      if (isOverOrUnder(words.toLowerCase())) continue;
      const bySport = new Map(
        sports.flatMap((sport) => {
          const markets = statisticsMeant(sport, words);
          return markets.length === 0 ? [] : [[sport, markets] as const];
        }),
      );
      if (bySport.size > 0) best = { from: at, to, bySport };
    }
  if (best === undefined) return;
  parse.statistic = best;
  // If the text is not about a player, the phrase is the unit of a line, such as runs.
  parse.use(best.from, best.to);
}

function isStatistic(parse: Parse, from: number, to: number): boolean {
  const part = parse.tokens.slice(from, to);
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

/** Returns the words next to a statistic that name an unknown player. */
export function unknownPlayer(parse: Parse): { name: string; from: number; to: number } | undefined {
  if (
    parse.statistic === undefined ||
    parse.spans.some(({ named }) => named.some(({ role }) => role === 'player'))
  )
    return undefined;
  const isName = (at: number) =>
    parse.tokens[at]?.kind === 'word' && !parse.used[at] && !filler.has(parse.keys[at]!);
  for (let first = 0; first < parse.tokens.length; first += 1) {
    if (!isName(first)) continue;
    let to = first + 1;
    while (isName(to)) to += 1;
    // A first name may also be a filler word: `Max Gull`.
    const before = parse.tokens[first - 1];
    const hasMore = before?.kind === 'word' && !parse.used[first - 1] && /^\p{Lu}/u.test(before.raw);
    const from = to - first === 1 && hasMore ? first - 1 : first;
    const name = parse.raw(from, to);
    return to - from >= 2 && to - from <= 4 && name.length <= 80 && /^\p{L}[\p{L}.' -]+$/u.test(name)
      ? { name, from, to }
      : undefined;
  }
  return undefined;
}
