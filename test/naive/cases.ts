import { type LedgerState, ledgerAt, type Surroundings } from './ledger.ts';
import type { CapperRow, GameRow, LineRow, PickRow, Rows, Tier } from './read.ts';

/** A Sunday at noon in New York, in winter: the start of every case's game unless it says otherwise. */
export const START = '2021-01-10T17:00:00Z';
const GAME = { sport: 'nfl', game: 'Otters @ Herons', startsAt: START };

/** `hours` after (negative: before) the cases' usual start, as text. */
export const fromStart = (hours: number): string =>
  new Date(Date.parse(START) + hours * 3_600_000).toISOString();

export const capper = (handle: string, tier: Tier = 'listed'): CapperRow => ({
  handle,
  tier,
  verified: true,
});

/** A final game unless told otherwise: away 17, home 20. */
export const game = (fields: Partial<GameRow> = {}): GameRow => ({
  ...GAME,
  status: 'final',
  awayScore: 17,
  homeScore: 20,
  ...fields,
});

/** A moneyline price of `book` on the home side, an hour before the start, unless told otherwise. */
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

/** One unit on the home side's moneyline at even money, two hours before the start, unless told otherwise. */
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

/** The state at an instant (text); cappers that are not named are listed ones. */
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
