import type { GameRow } from '../intake/game.ts';
import type { LineRow } from '../intake/price.ts';
import type { ResultRow } from '../intake/result.ts';
import type { StatsRow } from '../intake/stats.ts';
import type { ImportedPickRow } from '../ledger/posting/pick-row.ts';

/** A row, and the instant at which it becomes known. */
export interface Timed<T> {
  at: EpochMs;
  row: T;
}

export interface DemoGame {
  games: Timed<GameRow>[];
  lines: Timed<LineRow>[];
  picks: Timed<ImportedPickRow>[];
  results: Timed<ResultRow>[];
  stats: Timed<StatsRow>[];
}

export interface GameName {
  sport: string;
  game: string;
  startsAt: string;
}
