import type { Static } from 'typebox';
import { isoOrNull } from '../../platform/clock.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import type { BoardContext } from '../context.ts';

/** A capper's running streak, as boards show it. */
export const streakSchema = Type.Object({
  kind: nullable(Type.Union([Type.Literal('W'), Type.Literal('L')])),
  length: Type.Integer(),
  since: nullable(
    Type.String({ format: 'date-time', description: 'When the first pick of the streak settled.' }),
  ),
  lastSettledAt: nullable(
    Type.String({ format: 'date-time', description: 'When the last pick of the streak settled.' }),
  ),
});

/** The latest pick of the capper `c` that was won or lost, as docs/decisions/0010-streaks.md orders them. */
const latestDecided = (where: string) => `
  select b.result, b.settled_at, b.posted_at, b.uuid from board_picks b
  where b.capper_id = c.id and b.result is not null and ${where}
  order by b.settled_at desc, b.posted_at desc, b.uuid desc limit 1`;

/** The running streak `s` of each of `cappers as c` with a win or loss, to follow FROM: what came after the last result of the other kind. */
export const runningStreak = `
  cross join lateral (${latestDecided(`b.result in ('win', 'loss')`)}) last
  left join lateral (${latestDecided(`b.result = case last.result when 'win' then 'loss' else 'win' end`)}) other on true
  cross join lateral (
    select case last.result when 'win' then 'W' else 'L' end as kind, count(*)::int as length,
      min(b.settled_at) as since, max(b.settled_at) as last_settled_at
    from board_picks b
    where b.capper_id = c.id and b.result is not null and b.result = last.result
      and (b.settled_at, b.posted_at, b.uuid) > (coalesce(other.settled_at, '-infinity'), other.posted_at, other.uuid)
  ) s`;

/** The running streak of a capper: of kind null and length 0 before the first win or loss. */
export async function currentStreak(
  { database }: Pick<BoardContext, 'database'>,
  capperId: number,
): Promise<Static<typeof streakSchema>> {
  const { rows }: { rows: { kind: 'W' | 'L'; length: number; since: number; lastSettledAt: number }[] } =
    await database.raw(
      `select s.kind, s.length, s.since, s.last_settled_at as "lastSettledAt" from cappers c ${runningStreak} where c.id = ?`,
      [capperId],
    );
  const { kind = null, length = 0, since = null, lastSettledAt = null } = rows[0] ?? {};
  return { kind, length, since: isoOrNull(since), lastSettledAt: isoOrNull(lastSettledAt) };
}
