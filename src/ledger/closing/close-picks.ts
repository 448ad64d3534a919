import type { Game } from '../../games/game.ts';
import { iso } from '../../platform/clock.ts';
import { columnsOf } from '../../platform/columns.ts';
import type { Transaction } from '../../platform/database.ts';
import { closingOf, type PostedPick } from '../../rules/closing.ts';
import { closingMarkets, type MarketPick } from './closing-markets.ts';

/** An unclosed pick of a started game. */
export interface UnclosedPick extends PostedPick, Omit<MarketPick, 'sport'> {
  id: number;
}

/**
 * Closes picks at their games' starts with the stored prices. A pick that no price closes stays open.
 * @param games the picks' games, locked and started
 * @returns the number of picks closed
 */
export async function closePicks(
  transaction: Transaction,
  picks: readonly UnclosedPick[],
  games: ReadonlyMap<number, Game>,
): Promise<number> {
  if (picks.length === 0) return 0;
  const named = picks.map((pick) => ({ ...pick, sport: games.get(pick.gameId)!.sport }));
  const marketOf = await closingMarkets(transaction, named);
  const rows: ClosingRow[] = [];
  for (const pick of named) {
    const startsAt = games.get(pick.gameId)!.startsAt!;
    const closing = closingOf(marketOf(pick, startsAt), pick);
    if (closing === null) continue;
    rows.push({
      pick_id: pick.id,
      closed_at: iso(startsAt),
      odds_american: closing.oddsAmerican,
      line_e3: closing.lineE3,
      book: closing.book,
      captured_at: iso(closing.capturedAt),
      prices: JSON.stringify(
        closing.prices.map(({ side, oddsAmerican }) => ({ side, odds_american: oddsAmerican })),
      ),
      clv_bps: closing.clvBps,
    });
  }
  if (rows.length > 0) await storeClosings(transaction, rows);
  return rows.length;
}

const closingTypes = {
  pick_id: 'bigint',
  closed_at: 'timestamptz',
  odds_american: 'int',
  line_e3: 'int',
  book: 'text',
  captured_at: 'timestamptz',
  prices: 'jsonb',
  clv_bps: 'int',
} as const;
type ClosingRow = Record<keyof typeof closingTypes, string | number | null>;

async function storeClosings(transaction: Transaction, rows: readonly ClosingRow[]): Promise<void> {
  const { table, bindings } = columnsOf(closingTypes, rows);
  await transaction.raw(
    `insert into closings (${Object.keys(closingTypes).join(', ')}) select * from ${table}`,
    bindings,
  );
}
