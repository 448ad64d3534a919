import { type LedgerState, ledgerAt, type Surroundings } from './ledger.ts';
import type { CapperRow, GameRow, LineRow, PickRow, Rows, Tier } from './read.ts';

/** A winter Sunday at noon in New York: the default start of every case's game. */
export const START = '2021-01-10T17:00:00Z';
const GAME = { sport: 'nfl', game: 'Otters @ Herons', startsAt: START };

/** Returns the instant `hours` after the default start, or before it if negative, as text. */
export const fromStart = (hours: number): string =>
  new Date(Date.parse(START) + hours * 3_600_000).toISOString();

export const capper = (handle: string, tier: Tier = 'listed'): CapperRow => ({
  handle,
  tier,
  verified: true,
});

/** Returns a game, by default final at 17-20 (away-home). */
export const game = (fields: Partial<GameRow> = {}): GameRow => ({
  ...GAME,
  status: 'final',
  awayScore: 17,
  homeScore: 20,
  ...fields,
});

/** Returns a price of `book`, by default on the home side's moneyline an hour before the start. */
export const line = (fields: Partial<LineRow> = {}): LineRow => ({
  ...GAME,
  market: 'moneyline',
  side: 'home',
  line: null,
  oddsAmerican: 100,
  capturedAt: fromStart(-1),
  closing: false,
  book: 'acme',
  ...fields,
});

/** Returns a pick, by default one unit on the home side's moneyline at even money, two hours before the start. */
export const pick = (fields: Partial<PickRow> = {}): PickRow => ({
  capperHandle: 'ann',
  ...GAME,
  market: 'moneyline',
  side: 'home',
  line: null,
  pick: 'Herons',
  oddsAmerican: 100,
  stakeUnits: 1,
  book: 'acme',
  postedAt: fromStart(-2),
  ...fields,
});

/** Returns the state at an instant (text). Cappers that are not listed have the tier `listed`. */
export function stateAt(
  now: string,
  rows: Partial<Rows>,
  surroundings: Omit<Surroundings, 'now'> = {},
): LedgerState {
  const named = rows.cappers ?? [];
  const handles = new Set((rows.picks ?? []).map((row) => row.capperHandle));
  const others = [...handles].filter((handle) => !named.some((one) => one.handle === handle)).sort();
  const complete: Rows = {
    games: [game()],
    lines: [],
    picks: [],
    results: [],
    stats: [],
    ...rows,
    cappers: [...named, ...others.map((handle) => capper(handle))],
  };
  return ledgerAt(complete, { ...surroundings, now: Date.parse(now) });
}
