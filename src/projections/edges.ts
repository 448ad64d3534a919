import { moneylineWays } from '../games/game.ts';
import type { Database } from '../platform/database.ts';
import { type EdgePick, edgeOf as edgeAgainst } from '../rules/edge.ts';

interface ClosedPick extends Omit<EdgePick, 'moneylineWays'> {
  pickId: number;
  closingLineE3: number | null;
  prices: { side: string; odds_american: number }[];
}

/**
 * Returns the edges of closed picks at their counted odds, in basis points by pick id, as JSON for {@link edgeOf}. Picks without an edge are left out.
 * @param closings a SQL condition on `closings as k`
 */
export async function edgesOf(
  database: Database,
  closings: string,
  bindings: Record<string, number> = {},
): Promise<string> {
  const { rows }: { rows: ClosedPick[] } = await database.raw(
    `select p.id as "pickId", g.sport, p.market, p.side, p.line_e3 as "lineE3",
       coalesce(s.price_counted, p.odds_american) as "oddsAmerican",
       k.line_e3 as "closingLineE3", k.prices
     from closings k join picks p on p.id = k.pick_id join games g on g.id = p.game_id left join settlements s on s.pick_id = k.pick_id
     where ${closings}`,
    bindings,
  );
  if (rows.length === 0) return '{}';
  const ways = await moneylineWays(database);
  const edges = rows.flatMap(({ pickId, closingLineE3, prices, ...pick }) => {
    const edge = edgeAgainst(
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

/** SQL expression: the edge of a pick. Binds the result of {@link edgesOf} as `edges`, and stays a lookup under any join. */
export const edgeOf = (pickId: string) => `(cast(:edges as jsonb) ->> ${pickId}::text)::int`;
