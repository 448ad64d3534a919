import { moneylineWays } from '../games/sports.ts';
import type { Database } from '../platform/database.ts';
import { type EdgePick, edgeOf } from '../rules/edge.ts';

interface ClosedPick extends Omit<EdgePick, 'moneylineWays'> {
  pickId: number;
  closingLineE3: number | null;
  prices: { side: string; odds_american: number }[];
}

/**
 * The edges of picks that closed, as JSON text for {@link edgeRows}.
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
  if (rows.length === 0) return '[]';
  const ways = await moneylineWays(database);
  const edges = rows.flatMap(({ pickId, closingLineE3, prices, ...pick }) => {
    const edge = edgeOf(
      { ...pick, moneylineWays: ways.get(pick.sport) ?? 2 },
      {
        lineE3: closingLineE3,
        prices: prices.map(({ side, odds_american }) => ({ side, oddsAmerican: odds_american })),
      },
    );
    return edge === null ? [] : [{ pick_id: pickId, edge_bps: edge.bps }];
  });
  return JSON.stringify(edges);
}

/** Rows `x` of what {@link edgesOf} gives, bound as `edges`: SQL for a join. Picks without an edge have none. */
export const edgeRows = 'json_to_recordset(:edges) as x (pick_id bigint, edge_bps int)';
