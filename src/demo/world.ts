import { announcedBefore, type DemoGame, demoGame, settledWithin, type Timed } from './game.ts';
import { demoSports } from './sports.ts';

const minute = 60_000;

/** Rows of all games within a period, each list in the order of `at`. */
export type DemoRows = DemoGame;

/**
 * Generates all rows that become known in (from, to], epoch milliseconds. Generation is deterministic: two adjacent periods give the
 * same rows as their union.
 */
export function worldRows(from: number, to: number): DemoRows {
  const rows: DemoRows = { games: [], lines: [], picks: [], results: [] };
  for (const sport of demoSports) {
    const length = sport.every * minute;
    const first = Math.floor((from - settledWithin) / length) - 1;
    const last = Math.ceil((to + announcedBefore) / length);
    for (let slot = first; slot <= last; slot += 1) {
      const game = demoGame(sport, slot);
      addWithin(game.games, rows.games, from, to);
      addWithin(game.lines, rows.lines, from, to);
      addWithin(game.picks, rows.picks, from, to);
      addWithin(game.results, rows.results, from, to);
    }
  }
  for (const list of Object.values(rows) as Timed<unknown>[][]) list.sort((a, b) => a.at - b.at);
  return rows;
}

function addWithin<T>(from: readonly Timed<T>[], into: Timed<T>[], after: number, upTo: number): void {
  for (const timed of from) if (timed.at > after && timed.at <= upTo) into.push(timed);
}
