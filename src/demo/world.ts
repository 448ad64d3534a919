import { type DemoGame, demoGame, knownBefore, settledWithin, type Timed } from './game.ts';
import { demoSports } from './sports.ts';

const minute = 60_000;

/** What happens in the demo's world within a stretch of time, each list in order of its instants. */
export type DemoRows = DemoGame;

/**
 * All that becomes known in (from, to], epoch milliseconds: games announced, moved on and ended, prices, picks, results. The world is the
 * same each time, so any two stretches that follow each other give what the whole would.
 */
export function worldRows(from: number, to: number): DemoRows {
  const rows: DemoRows = { games: [], lines: [], picks: [], results: [] };
  for (const sport of demoSports) {
    const length = sport.every * minute;
    const first = Math.floor((from - settledWithin) / length) - 1;
    const last = Math.ceil((to + knownBefore) / length);
    for (let slot = first; slot <= last; slot += 1) {
      const story = demoGame(sport, slot);
      take(story.games, rows.games, from, to);
      take(story.lines, rows.lines, from, to);
      take(story.picks, rows.picks, from, to);
      take(story.results, rows.results, from, to);
    }
  }
  for (const list of Object.values(rows) as Timed<unknown>[][]) list.sort((a, b) => a.at - b.at);
  return rows;
}

function take<T>(from: readonly Timed<T>[], into: Timed<T>[], after: number, upTo: number): void {
  for (const timed of from) if (timed.at > after && timed.at <= upTo) into.push(timed);
}
