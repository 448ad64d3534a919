import { LRUCache } from 'lru-cache';
import { announcedBefore, demoGame, settledWithin } from './game.ts';
import type { DemoGame, Timed } from './rows.ts';
import { type DemoSport, demoSports } from './sports.ts';

const minute = 60_000;

/**
 * Rows of all games that become known in (from, to], each list in order of `at`. Two adjacent periods give the same rows as their union.
 */
export function worldRows(from: EpochMs, to: EpochMs): DemoGame {
  const games = gamesAround(from, to);
  const within = <Row>(rowsOf: (game: DemoGame) => readonly Timed<Row>[]) =>
    games
      .flatMap((game) => rowsOf(game).filter(({ at }) => at > from && at <= to))
      .sort((a, b) => a.at - b.at);
  return {
    games: within(({ games }) => games),
    lines: within(({ lines }) => lines),
    picks: within(({ picks }) => picks),
    results: within(({ results }) => results),
    stats: within(({ stats }) => stats),
  };
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

/** Recently generated games: consecutive steps need nearly the same ones. */
const kept = new LRUCache<string, DemoGame>({ max: 500 });

function keptGame(sport: DemoSport, slot: number): DemoGame {
  const key = `${sport.key}/${slot}`;
  const game = kept.get(key) ?? demoGame(sport, slot);
  kept.set(key, game);
  return game;
}
