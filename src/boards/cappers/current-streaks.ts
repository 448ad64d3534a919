import type { Knex } from 'knex';
import type { Static } from 'typebox';
import { isoOrNull } from '../../platform/clock.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { countedOddsSql, countsSql } from '../../projections/pick-filter.ts';
import { decidedResults, runningStreak, type Streak } from '../../rules/streaks.ts';
import type { Tier } from '../../rules/vocabulary.ts';
import type { BoardContext } from '../context.ts';

/** Schema of a capper's running streak. */
export const streakSchema = Type.Object({
  kind: nullable(Type.Union([Type.Literal('W'), Type.Literal('L')])),
  length: Type.Integer(),
  since: nullable(Type.String({ format: 'date-time', description: 'When its first pick settled.' })),
  lastSettledAt: nullable(Type.String({ format: 'date-time', description: 'When its last pick settled.' })),
});

/** A pick that was won or lost. Instants in epoch milliseconds. */
interface DecidedPick {
  result: (typeof decidedResults)[number];
  settledAt: number;
  sport: string;
  oddsAmerican: number;
}

interface CapperStreak extends Streak<DecidedPick> {
  id: number;
  handle: string;
  tier: Tier;
  verified: boolean;
}

/** Number of a capper's latest picks read first, and the growth factor of further reads if the streak may be longer. */
const firstRead = 4;
const growth = 4;

/**
 * Returns the running streaks of cappers with a win or loss.
 * @param narrow narrows a query of `cappers as c`
 */
export async function currentStreaks(
  database: BoardContext['database'],
  narrow: (cappers: Knex.QueryBuilder) => unknown,
): Promise<CapperStreak[]> {
  const streaks: CapperStreak[] = [];
  let open: number[] | undefined;
  for (let read = firstRead; open === undefined || open.length > 0; read *= growth) {
    const rows: (DecidedPick & { id: number } & Pick<CapperStreak, 'handle' | 'tier' | 'verified'>)[] =
      await database('cappers as c')
        .joinRaw(latestDecided, [[...decidedResults], read])
        .modify((query) => (open === undefined ? narrow(query) : query.whereIn('c.id', open)))
        .orderByRaw('c.id, b.settled_at desc, b.posted_at desc, b.uuid desc')
        .select(
          'c.id',
          'c.handle',
          'c.tier',
          'c.verified',
          'b.result',
          { settledAt: 'b.settled_at', oddsAmerican: 'b.odds' },
          'b.sport',
        );
    open = [];
    for (const [id, picks] of Map.groupBy(rows, (row) => row.id)) {
      const streak = runningStreak(picks)!;
      if (!streak.ended && picks.length === read) open.push(id);
      else {
        const { handle, tier, verified } = picks[0]!;
        streaks.push({ ...streak, id, handle, tier, verified });
      }
    }
  }
  return streaks;
}

const latestDecided = `
  cross join lateral (
    select result, settled_at, posted_at, uuid, sport, ${countedOddsSql('p')} as odds from board_picks p
    where capper_id = c.id and result is not null and ${countsSql('p')} and result = any(?::text[])
    order by settled_at desc, posted_at desc, uuid desc limit ?) b`;

/** Returns a capper's running streak; kind null and length 0 before the first win or loss. */
export async function currentStreak(
  { database }: Pick<BoardContext, 'database'>,
  capperId: number,
): Promise<Static<typeof streakSchema>> {
  const [streak] = await currentStreaks(database, (cappers) => cappers.where('c.id', capperId));
  return {
    kind: streak?.kind ?? null,
    length: streak?.picks.length ?? 0,
    since: isoOrNull(streak?.picks.at(-1)?.settledAt ?? null),
    lastSettledAt: isoOrNull(streak?.picks[0]?.settledAt ?? null),
  };
}
