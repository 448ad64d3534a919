import type { Knex } from 'knex';
import type { Static } from 'typebox';
import { Type } from 'typebox';
import { iso, isoOrNull } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { shownDecimal } from '../rules/odds.ts';
import { shownUnits } from '../rules/units.ts';
import type { Tier } from '../rules/vocabulary.ts';
import { marketSchema, resultSchema, sideSchema, sportSchema, tierSchema } from './fields.ts';

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()]);

/** A pick as boards show it. */
export const pickSchema = Type.Object(
  {
    pickUuid: Type.String({ format: 'uuid' }),
    id: Type.Integer(),
    capperHandle: Type.String(),
    capperTier: { ...tierSchema, description: 'The tier at post time.' },
    sport: sportSchema,
    game: Type.String(),
    startsAt: nullable(Type.String({ format: 'date-time' })),
    market: marketSchema,
    side: sideSchema,
    line: nullable(Type.Number()),
    pick: Type.String(),
    oddsAmerican: Type.Integer(),
    oddsDecimal: Type.Number(),
    stakeUnits: Type.Number(),
    postedAt: Type.String({ format: 'date-time' }),
    status: Type.Enum(['pending', 'settled'], { title: 'PickStatus' }),
    result: nullable(resultSchema),
    settledAt: nullable(Type.String({ format: 'date-time' })),
    closingOddsAmerican: nullable(Type.Integer()),
    clvBps: nullable(Type.Integer()),
    netUnits: nullable(Type.Number()),
    hashStatus: Type.Enum(['sealed', 'unhashed'], { title: 'HashStatus' }),
    source: Type.String(),
    verifyUrl: Type.String({ format: 'uri' }),
  },
  { title: 'Pick' },
);

export type Pick = Static<typeof pickSchema>;

/** A row of a query made with {@link picksOn}: a pick as the boards know it. Instants in epoch milliseconds. */
export interface PickRow {
  pickId: number;
  uuid: string;
  capperId: number;
  handle: string;
  tier: Tier;
  sport: string;
  gameId: number;
  game: string;
  startsAt: number | null;
  market: string;
  side: string;
  lineE3: number | null;
  pick: string;
  oddsAmerican: number;
  stakeE4: number;
  source: string;
  postedAt: number;
  closedAt: number | null;
  closingOdds: number | null;
  clvBps: number | null;
  sameLine: boolean | null;
  result: 'win' | 'loss' | 'push' | 'void' | null;
  settledAt: number | null;
  netUnitsE4: number | null;
  sealed: boolean;
}

const columns = {
  pickId: 'p.pick_id',
  uuid: 'p.uuid',
  capperId: 'p.capper_id',
  handle: 'c.handle',
  tier: 'p.tier',
  sport: 'p.sport',
  gameId: 'p.game_id',
  game: 'g.name',
  startsAt: 'g.starts_at',
  market: 'p.market',
  side: 'p.side',
  lineE3: 'p.line_e3',
  pick: 'p.pick',
  oddsAmerican: 'p.odds_american',
  stakeE4: 'p.stake_e4',
  source: 'p.source',
  postedAt: 'p.posted_at',
  closedAt: 'p.closed_at',
  closingOdds: 'p.closing_odds',
  clvBps: 'p.clv_bps',
  sameLine: 'p.same_line',
  result: 'p.result',
  settledAt: 'p.settled_at',
  netUnitsE4: 'p.net_units_e4',
} as const;

/**
 * A query of sealed picks: `board_picks as p`, joined with `games as g` and `cappers as c`. Filter and order it by those names; its
 * rows are {@link PickRow}.
 */
export function picksOn(database: Database): Knex.QueryBuilder<PickRow, PickRow[]> {
  return database('board_picks as p')
    .join('games as g', 'g.id', 'p.game_id')
    .join('cappers as c', 'c.id', 'p.capper_id')
    .select({ ...columns, sealed: database.raw('true') });
}

/**
 * One pick by its uuid, whether it is sealed yet or not: an unsealed one is read from the ledger's tables.
 * @returns undefined when there is none
 */
export async function pickByUuid(database: Database, uuid: string): Promise<PickRow | undefined> {
  const [sealed] = await picksOn(database).where('p.uuid', uuid);
  if (sealed !== undefined) return sealed;
  const [stored]: PickRow[] = await database('picks as p')
    .join('games as g', 'g.id', 'p.game_id')
    .join('cappers as c', 'c.id', 'p.capper_id')
    .leftJoin('closings as k', 'k.pick_id', 'p.id')
    .leftJoin('settlements as s', 's.pick_id', 'p.id')
    .where('p.uuid', uuid)
    .select({
      ...columns,
      pickId: 'p.id',
      sport: 'g.sport',
      closedAt: 'k.closed_at',
      closingOdds: 'k.odds_american',
      clvBps: 'k.clv_bps',
      sameLine: database.raw('k.line_e3 is not distinct from p.line_e3'),
      result: 's.result',
      settledAt: 's.settled_at',
      netUnitsE4: 's.net_units_e4',
      sealed: database.raw(
        `exists (select 1 from ledger_entries e where e.pick_id = p.id and e.kind = 'posted')`,
      ),
    });
  return stored;
}

/** Shapes a row to the Pick object. */
export function toPick(row: PickRow, baseUrl: string): Pick {
  return {
    pickUuid: row.uuid,
    id: row.pickId,
    capperHandle: row.handle,
    capperTier: row.tier,
    sport: row.sport,
    game: row.game,
    startsAt: isoOrNull(row.startsAt),
    market: row.market,
    side: row.side,
    line: row.lineE3 === null ? null : row.lineE3 / 1000,
    pick: row.pick,
    oddsAmerican: row.oddsAmerican,
    oddsDecimal: shownDecimal(row.oddsAmerican),
    stakeUnits: row.stakeE4 / 10_000,
    postedAt: iso(row.postedAt),
    status: row.result === null ? 'pending' : 'settled',
    result: row.result,
    settledAt: isoOrNull(row.settledAt),
    closingOddsAmerican: row.closingOdds,
    clvBps: row.clvBps,
    netUnits: row.netUnitsE4 === null ? null : shownUnits(row.netUnitsE4),
    hashStatus: row.sealed ? 'sealed' : 'unhashed',
    source: row.source,
    verifyUrl: `${baseUrl}/p/${row.uuid}`,
  };
}
