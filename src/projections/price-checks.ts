import { holdingStartOf } from '../games/game.ts';
import { priceFields } from '../ledger/events.ts';
import { type PickToCheck, priceChecks } from '../ledger/grading/price-checks.ts';
import { isoOrNull } from '../platform/clock.ts';
import { inCamelCase } from '../platform/columns.ts';
import type { Database, Transaction } from '../platform/database.ts';

/** The pick and what its tags name. */
export interface NamedPick {
  uuid: string;
  handle: string;
  sport: string;
  game: string;
}

type Columns = Record<(typeof columns)[number], string | number | null> & { pick_id: number };

const columns = ['price_verdict', 'price_odds', 'price_book', 'price_captured_at', 'price_counted'] as const;

/** SQL for FROM: rows of the price columns of `board_picks`, bound as `:checks`. */
export const foundChecks = `jsonb_to_recordset(:checks) as c (pick_id bigint, price_verdict text, price_odds int, price_book text, price_captured_at timestamptz, price_counted int)`;

const pickColumns = {
  ...inCamelCase(
    'p.pick_id p.game_id p.sport p.market p.subject p.side p.line_e3 p.odds_american p.book p.posted_at',
  ),
  ...inCamelCase('p.provenance'),
} as const;

async function columnsOfChecks(
  database: Database,
  picks: readonly (PickToCheck & { pickId: number })[],
): Promise<Columns[]> {
  const checks = await priceChecks(database, picks);
  return picks.map(({ pickId }, at) => {
    const { priceCapturedAt, ...check } = priceFields(checks[at]!);
    return {
      pick_id: pickId,
      price_verdict: check.priceVerdict,
      price_odds: check.priceOdds,
      price_book: check.priceBook,
      price_captured_at: isoOrNull(priceCapturedAt),
      price_counted: check.priceCounted,
    };
  });
}

/**
 * Returns the checks of pending live picks in the log, as input of {@link foundChecks}. Leaves out picks that {@link extendPriceChecks} is
 * about to change.
 * @param picks a condition on `picks p`
 * @param read the size of the log as read by the boards' reader
 */
export async function provisionalChecks(database: Database, picks: string, read: number): Promise<string> {
  const pending: (PickToCheck & { pickId: number })[] = await database('picks as p')
    .join('games as g', 'g.id', 'p.game_id')
    .whereRaw(picks)
    .where('p.provenance', 'live')
    .whereRaw(
      `not exists (select from ledger_entries e where e.pick_id = p.id and e.kind = 'settled' and e.seq < ?)
       and not exists (select from world_changes w where w.subject = 'prices' and w.subject_id = p.game_id)`,
      [read],
    )
    .select({ ...pickColumns, pickId: 'p.id', sport: 'g.sport', startsAt: database.raw(holdingStartOf) });
  return JSON.stringify(await columnsOfChecks(database, pending));
}

/**
 * Updates the provisional price verdicts of pending live picks in `board_picks` (docs/rules/prices.md): of picks without one, and of picks
 * on games that were priced or moved.
 * @returns the changed picks
 */
export async function extendPriceChecks(
  transaction: Transaction,
  games: readonly number[],
): Promise<NamedPick[]> {
  const picks: (PickToCheck & { pickId: number })[] = await transaction('board_picks as p')
    .join('picks as q', 'q.id', 'p.pick_id')
    .join('games as g', 'g.id', 'q.game_id')
    .whereNull('p.result')
    .where('p.provenance', 'live')
    .whereRaw('(p.price_verdict is null or q.game_id = any(?::bigint[]))', [[...games]])
    // A pick keeps the prices of its own game when that is joined with another.
    .select({ ...pickColumns, gameId: 'q.game_id', startsAt: transaction.raw(holdingStartOf) });
  if (picks.length === 0) return [];
  const of = (table: string) => columns.map((column) => `${table}.${column}`).join(', ');
  const { rows }: { rows: NamedPick[] } = await transaction.raw(
    `update board_picks b set ${columns.map((column) => `${column} = c.${column}`).join(', ')}
     from ${foundChecks}, cappers h, games g
     where b.pick_id = c.pick_id and h.id = b.capper_id and g.id = b.game_id and (${of('b')}) is distinct from (${of('c')})
     returning b.uuid, h.handle, b.sport, g.name as game`,
    { checks: JSON.stringify(await columnsOfChecks(transaction, picks)) },
  );
  return rows;
}
