import type { Knex } from 'knex';
import type { Static } from 'typebox';
import { sportSchema } from '../../ledger/schemas.ts';
import { isoOrNull } from '../../platform/clock.ts';
import { inCamelCase } from '../../platform/columns.ts';
import { Field } from '../../platform/field-schemas.ts';
import { Type } from '../../platform/type.ts';
import { eventsOf } from '../../projections/tags.ts';
import { readVerdicts } from '../../projections/verdicts.ts';
import { beyond, board } from '../board.ts';
import type { BoardContext } from '../endpoint.ts';
import { count, optionalSport, optionalTier, tier } from '../params.ts';
import { verdictSchema } from '../record.ts';
import { capperFields } from './capper-board.ts';

export const rosterRow = Type.Object({
  id: Field.integer(),
  ...capperFields,
  sports: Type.Array(sportSchema, { description: 'Sports this capper has picks in.' }),
  picks: Field.integer('Picks posted, in all sports.'),
  lastPostedAt: Field.orNull.instant(),
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
  }: {
    tier?: string | undefined;
    sport?: string | undefined;
    ids?: readonly number[];
    after?: number | undefined;
    limit: number;
  },
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
        ...inCamelCase('c.id c.handle c.tier c.verified posted.sports posted.picks posted.last_posted_at'),
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

const beyondLog = {
  'cappers[].tier': beyond.tier,
  'cappers[].id': beyond.number,
  'cappers.length': beyond.listed,
  count: beyond.listed,
};

const pageLength = 100;

export const roster = board({
  path: '/api/cappers',
  group: 'sharp',
  about: 'All cappers with their tiers, by ID, 100 per page.',
  params: Type.Object({
    tier: optionalTier,
    sport: optionalSport,
    cursor: Type.Optional(
      Type.Integer({ minimum: 0, description: 'The `nextCursor` of the previous page. 0: the first page.' }),
    ),
  }),
  tags: ({ sport }) => eventsOf(sport, ['posted', 'settled']),
  ahead: [{}],
  body: Type.Object({
    cappers: Type.Array(rosterRow),
    nextCursor: Field.orNull.integer('Null on the last page.'),
  }),
  collection: 'cappers',
  beyondLog: { ...beyondLog, nextCursor: beyond.number },
  examples: [{}, { tier: 'elite', sport: 'nfl' }, { cursor: '1' }],
  async compute(context, { tier, sport, cursor }) {
    const rows = await rosterRows(context, { tier, sport, after: cursor, limit: pageLength + 1 });
    const cappers = rows.slice(0, pageLength);
    return { cappers, nextCursor: rows.length > pageLength ? (cappers.at(-1)?.id ?? null) : null };
  },
});

export const cappersByTier = board({
  path: '/api/cappers/by-tier/:tier',
  group: 'sharp',
  about: 'Cappers of one tier, by ID.',
  params: Type.Object({ tier, sport: optionalSport, limit: count(100, 500, 'Maximum number of cappers.') }),
  tags: ({ sport }) => eventsOf(sport, ['posted', 'settled']),
  body: Type.Object({ cappers: Type.Array(rosterRow) }),
  collection: 'cappers',
  beyondLog,
  examples: [{ tier: 'elite' }, { tier: 'listed', sport: 'nfl', limit: '5' }],
  compute: async (context, params) => ({ cappers: await rosterRows(context, params) }),
});
