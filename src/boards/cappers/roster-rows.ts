import type { Knex } from 'knex';
import type { Static } from 'typebox';
import { sportSchema, tierSchema, verifiedSchema } from '../../ledger/schemas.ts';
import { isoOrNull } from '../../platform/clock.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { readVerdicts } from '../../projections/verdicts.ts';
import type { BoardContext } from '../context.ts';
import { verdictSchema } from '../record.ts';

export const rosterRow = Type.Object({
  id: Type.Integer(),
  handle: Type.String(),
  tier: { ...tierSchema, description: 'Current tier.' },
  verified: verifiedSchema,
  sports: Type.Array(sportSchema, { description: 'Sports this capper has picks in.' }),
  picks: Type.Integer({ description: 'Picks posted, in all sports.' }),
  lastPostedAt: nullable(Type.String({ format: 'date-time' })),
  verdict: verdictSchema,
});

export type RosterRow = Static<typeof rosterRow>;

/** Reads cappers, ordered by id: all, or only those of one tier, with a pick in one sport, or with the given ids. */
export async function rosterRows(
  { database }: BoardContext,
  {
    tier,
    sport,
    ids,
    after = 0,
    limit,
  }: { tier?: string; sport?: string; ids?: readonly number[]; after?: number; limit: number },
): Promise<RosterRow[]> {
  const rows: (Omit<RosterRow, 'lastPostedAt' | 'verdict'> & { lastPostedAt: number | null })[] =
    await database('cappers as c')
      .joinRaw(
        `cross join lateral (
         select coalesce(array_agg(sport order by sport collate "C"), '{}') as sports,
           coalesce(sum(posted), 0)::bigint as picks, max(last_posted_at) as last_posted_at
         from (select r.sport, sum(r.posted) as posted, max(r.last_posted_at) as last_posted_at
               from capper_totals r where r.capper_id = c.id group by r.sport) as by_sport
       ) as posted`,
      )
      .where('c.id', '>', after)
      .modify((query: Knex.QueryBuilder) => {
        if (ids !== undefined) query.whereIn('c.id', [...ids]);
        if (tier !== undefined) query.where('c.tier', tier);
        if (sport !== undefined)
          query.whereExists(
            database('capper_totals as r')
              .whereRaw('r.capper_id = c.id')
              .where('r.sport', sport)
              .select(database.raw('1')),
          );
      })
      .orderBy('c.id')
      .limit(limit)
      .select({
        id: 'c.id',
        handle: 'c.handle',
        tier: 'c.tier',
        verified: 'c.verified',
        sports: 'posted.sports',
        picks: 'posted.picks',
        lastPostedAt: 'posted.last_posted_at',
      });
  const verdictOn = await readVerdicts(
    database,
    rows.map(({ id }) => id),
    { sport },
  );
  return rows.map((row) => ({
    ...row,
    lastPostedAt: isoOrNull(row.lastPostedAt),
    verdict: verdictOn(row.id),
  }));
}
