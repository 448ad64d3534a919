import type { Database } from '../platform/database.ts';
import { edgeBps } from '../rules/edge.ts';

/**
 * Returns the edges of closed picks at their counted odds, in basis points by pick id, as JSON for {@link edgeOf}. Picks without an edge are left out.
 * @param closings a SQL condition on `closings as k`
 */
export async function edgesOf(
  database: Database,
  closings: string,
  bindings: Record<string, number> = {},
): Promise<string> {
  const { rows }: { rows: { pickId: number; oddsAmerican: number; chanceE9: number }[] } = await database.raw(
    `select p.id as "pickId", coalesce(s.price_counted, p.odds_american) as "oddsAmerican", k.fair_e9 as "chanceE9"
     from closings k join picks p on p.id = k.pick_id left join settlements s on s.pick_id = k.pick_id
     where k.fair_e9 is not null and ${closings}`,
    bindings,
  );
  return JSON.stringify(
    Object.fromEntries(
      rows.map(({ pickId, oddsAmerican, chanceE9 }) => [pickId, edgeBps(oddsAmerican, chanceE9)]),
    ),
  );
}

/** SQL expression: the edge of a pick. Binds the result of {@link edgesOf} as `edges`, and stays a lookup under any join. */
export const edgeOf = (pickId: string) => `(cast(:edges as jsonb) ->> ${pickId}::text)::int`;
