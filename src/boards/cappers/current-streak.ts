import { isoOrNull } from '../../platform/clock.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import type { BoardContext } from '../context.ts';

/** A capper's running streak, as boards show it. */
export const streakSchema = Type.Object({
  kind: nullable(Type.Union([Type.Literal('W'), Type.Literal('L')])),
  length: Type.Integer(),
  since: nullable(Type.String({ format: 'date-time', description: 'When its first pick settled.' })),
  lastSettledAt: nullable(Type.String({ format: 'date-time', description: 'When its last pick settled.' })),
});

interface StreakRow {
  kind: 'W' | 'L' | null;
  length: number;
  since: number | null;
  last_settled_at: number | null;
}

/** The running streak of a capper: of kind null and length 0 before the first win or loss. */
export async function currentStreak({ database }: BoardContext, capperId: number) {
  const [row]: StreakRow[] = await database('capper_streaks')
    .where('capper_id', capperId)
    .select('kind', 'length', 'since', 'last_settled_at');
  return {
    kind: row?.kind ?? null,
    length: row?.length ?? 0,
    since: isoOrNull(row?.since ?? null),
    lastSettledAt: isoOrNull(row?.last_settled_at ?? null),
  };
}
