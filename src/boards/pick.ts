import type { Static } from 'typebox';
import { iso, isoOrNull } from '../platform/clock.ts';
import { nullable } from '../platform/schema.ts';
import { Type } from '../platform/type.ts';
import type { BoardPick } from '../projections/board-picks.ts';
import { lineFromE3, shownUnits, unitsFromE4 } from '../rules/fixed-point.ts';
import { shownDecimal } from '../rules/odds.ts';
import {
  marketSchema,
  provenanceSchema,
  resultSchema,
  sealedInTimeSchema,
  sideSchema,
  sportSchema,
  tierSchema,
} from './fields.ts';

/** A pick as every board, feed, card and page shows it. */
export const pickSchema = Type.Object(
  {
    pickUuid: Type.String({ format: 'uuid' }),
    id: Type.Integer(),
    capperHandle: Type.String(),
    capperTier: { ...tierSchema, description: 'The tier at post time.' },
    sport: sportSchema,
    gameId: Type.Integer({ description: 'Its page is `/game/<gameId>`.' }),
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
    closingLine: nullable(
      Type.Number({
        description:
          'The line of its side at the close; CLV is of prices at two lines where it is another one.',
      }),
    ),
    clvBps: nullable(Type.Integer()),
    netUnits: nullable(Type.Number()),
    hashStatus: Type.Enum(['sealed', 'unhashed'], { title: 'HashStatus' }),
    source: Type.String(),
    provenance: provenanceSchema,
    sealedAt: nullable(
      Type.String({
        format: 'date-time',
        description: 'When the first checkpoint that covers it was signed.',
      }),
    ),
    sealedInTime: nullable({
      ...sealedInTimeSchema,
      description:
        '`witnessed`: enough witnesses had cosigned it before the start. `signed`: only the log had. `late`: neither. Null: no checkpoint covers it yet, it names no start, or it was imported.',
    }),
    verifyUrl: Type.String({ format: 'uri' }),
  },
  { title: 'Pick' },
);

export type PublicPick = Static<typeof pickSchema>;

/** The public form of a pick. */
export function publicPick(row: BoardPick, baseUrl: string): PublicPick {
  return {
    pickUuid: row.uuid,
    id: row.pickId,
    capperHandle: row.handle,
    capperTier: row.tier,
    sport: row.sport,
    gameId: row.gameId,
    game: row.game,
    startsAt: isoOrNull(row.startsAt),
    market: row.market,
    side: row.side,
    line: lineFromE3(row.lineE3),
    pick: row.pick,
    oddsAmerican: row.oddsAmerican,
    oddsDecimal: shownDecimal(row.oddsAmerican),
    stakeUnits: unitsFromE4(row.stakeE4),
    postedAt: iso(row.postedAt),
    status: row.result === null ? 'pending' : 'settled',
    result: row.result,
    settledAt: isoOrNull(row.settledAt),
    closingOddsAmerican: row.closingOdds,
    closingLine: lineFromE3(row.closingLineE3),
    clvBps: row.clvBps,
    netUnits: row.netUnitsE4 === null ? null : shownUnits(row.netUnitsE4),
    hashStatus: row.sealed ? 'sealed' : 'unhashed',
    source: row.source,
    provenance: row.provenance,
    sealedAt: isoOrNull(row.sealedAt),
    sealedInTime: row.sealedInTime,
    verifyUrl: `${baseUrl}/p/${row.uuid}`,
  };
}
