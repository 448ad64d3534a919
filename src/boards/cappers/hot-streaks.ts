import type { Static } from 'typebox';
import { sportSchema, tierSchema } from '../../ledger/schemas.ts';
import { iso } from '../../platform/clock.ts';
import { Type } from '../../platform/type.ts';
import type { BoardContext } from '../context.ts';
import { runningStreak } from './current-streak.ts';

/** A winning streak on the hot-streak board. */
export const hotStreak = Type.Object({
  handle: Type.String(),
  tier: { ...tierSchema, description: 'The tier today.' },
  kind: Type.Literal('W'),
  length: Type.Integer(),
  since: Type.String({ format: 'date-time', description: 'When its first pick settled.' }),
  lastSettledAt: Type.String({ format: 'date-time', description: 'When its last pick settled.' }),
  sports: Type.Array(sportSchema, { description: "The sports of the streak's picks." }),
});

export type HotStreak = Static<typeof hotStreak>;

/** How recent a capper's last settled pick must be. */
const recentMs = 30 * 86_400_000;

/** The shortest winning streak that counts as hot, where a reader asks for no other. */
export const minHotStreak = 3;

/**
 * Winning streaks of at least `min`, of cappers with a pick settled in the 30 days before `now` : longest first, then
 * the one that won last, then by handle.
 * @param limit default: all streaks
 */
export async function hotStreaks(
  { database, now }: Pick<BoardContext, 'database' | 'now'>,
  { min, limit }: { min: number; limit?: number },
): Promise<HotStreak[]> {
  const recently = new Date(now - recentMs);
  const rows: (Omit<HotStreak, 'kind' | 'since' | 'lastSettledAt'> & {
    since: number;
    lastSettledAt: number;
  })[] = await database('cappers as c')
    .joinRaw(runningStreak)
    .where('s.kind', 'W')
    .where('s.length', '>=', min)
    // A push or void is a settled pick too, which the streak itself does not show.
    .whereRaw(
      'exists (select from board_picks b where b.capper_id = c.id and b.result is not null and b.settled_at >= ?)',
      [recently],
    )
    .orderByRaw('s.length desc, s.last_settled_at desc, c.handle collate "C"')
    .modify((query) => limit !== undefined && query.limit(limit))
    .select({
      handle: 'c.handle',
      tier: 'c.tier',
      length: 's.length',
      since: 's.since',
      lastSettledAt: 's.last_settled_at',
      sports: database.raw(
        `array(select distinct sport collate "C" as sport from (
             select b.sport from board_picks b where b.capper_id = c.id and b.result = 'win'
             order by b.settled_at desc, b.posted_at desc, b.uuid desc limit s.length) as won order by sport)`,
      ),
    });
  return rows.map((row) => ({
    ...row,
    kind: 'W',
    since: iso(row.since),
    lastSettledAt: iso(row.lastSettledAt),
  }));
}
