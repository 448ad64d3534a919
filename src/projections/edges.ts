import { moneylineWays } from '../games/game.ts';
import type { Database } from '../platform/database.ts';
import { type EdgePick, edgeOf } from '../rules/edge.ts';

interface ClosedPick extends Omit<EdgePick, 'moneylineWays'> {
  pickId: number;
  closingLineE3: number | null;
  prices: { side: string; odds_american: number }[];
}

/**
 * The edges of picks that closed, in basis points by pick, as JSON text for {@link edgeOfClosing}. A pick without one has none.
 * @param closings a condition on `closings as k`, as SQL, with its bindings
 */
export async function edgesOf(
  database: Database,
  closings: string,
  bindings: Record<string, number> = {},
): Promise<string> {
  const { rows }: { rows: ClosedPick[] } = await database.raw(
    `select p.id as "pickId", g.sport, p.market, p.side, p.line_e3 as "lineE3", p.odds_american as "oddsAmerican",
       k.line_e3 as "closingLineE3", k.prices
     from closings k join picks p on p.id = k.pick_id join games g on g.id = p.game_id
     where ${closings}`,
    bindings,
  );
  if (rows.length === 0) return '{}';
  const ways = await moneylineWays(database);
  const edges = rows.flatMap(({ pickId, closingLineE3, prices, ...pick }) => {
    const edge = edgeOf(
      { ...pick, moneylineWays: ways.get(pick.sport) ?? 2 },
      {
        lineE3: closingLineE3,
        prices: prices.map(({ side, odds_american }) => ({ side, oddsAmerican: odds_american })),
      },
    );
    return edge === null ? [] : [[pickId, edge.bps]];
  });
  return JSON.stringify(Object.fromEntries(edges));
}

/** SQL for the edge of a pick by its closing `k`, with what {@link edgesOf} gives bound as `edges`. A look-up, however the rest is joined. */
export const edgeOfClosing = '(cast(:edges as jsonb) ->> k.pick_id::text)::int';
