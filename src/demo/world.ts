import { announcedBefore, demoGame, settledWithin } from './game.ts';
import type { DemoGame, Timed } from './rows.ts';
import { type DemoSport, demoSports } from './sports.ts';

const minute = 60_000;

/** Rows of all games within a period, each list in order of `at`. */
export type DemoRows = DemoGame;

/** All rows that become known in (from, to], in epoch milliseconds. Two adjacent periods give the same rows as their union. */
export function worldRows(from: number, to: number): DemoRows {
  const rows: DemoRows = { games: [], lines: [], picks: [], results: [], stats: [] };
  for (const game of gamesAround(from, to)) {
    addWithin(game.games, rows.games, from, to);
    addWithin(game.lines, rows.lines, from, to);
    addWithin(game.picks, rows.picks, from, to);
    addWithin(game.results, rows.results, from, to);
    addWithin(game.stats, rows.stats, from, to);
  }
  for (const list of Object.values(rows) as Timed<unknown>[][]) list.sort((a, b) => a.at - b.at);
  return rows;
}

/** Time before a start by which the log must cover the game's picks, in milliseconds. Witnesses' timestamps are whole seconds. */
const coveredBefore = minute;

/** When the log must catch up in (from, to]: shortly before each start, so that a checkpoint covers the game's picks, and `to`. */
export function instantsWithin(from: number, to: number): number[] {
  const instants = new Set([to]);
  for (const { games } of gamesAround(from, to))
    for (const { row } of games) {
      const instant = Date.parse(row.movedTo ?? row.startsAt!) - coveredBefore;
      if (instant > from && instant <= to) instants.add(instant);
    }
  return [...instants].sort((a, b) => a - b);
}

/** Returns all games with rows in a period, and possibly others. */
function gamesAround(from: number, to: number): DemoGame[] {
  return demoSports.flatMap((sport) => {
    const length = sport.every * minute;
    const first = Math.floor((from - settledWithin) / length) - 1;
    // The second of two slots can begin with the first.
    const last = Math.floor((to + announcedBefore) / length) + 1;
    return Array.from({ length: last - first + 1 }, (_, index) => keptGame(sport, first + index));
  });
}

/** Recently generated games, least recently used first: consecutive steps need nearly the same games. */
const kept = new Map<string, DemoGame>();
const maxKept = 500;

function keptGame(sport: DemoSport, slot: number): DemoGame {
  const key = `${sport.key}/${slot}`;
  const game = kept.get(key) ?? demoGame(sport, slot);
  kept.delete(key);
  kept.set(key, game);
  if (kept.size > maxKept) kept.delete(kept.keys().next().value!);
  return game;
}

function addWithin<T>(from: readonly Timed<T>[], into: Timed<T>[], after: number, upTo: number): void {
  for (const timed of from) if (timed.at > after && timed.at <= upTo) into.push(timed);
}
