import type { Database } from '../../platform/database.ts';
import { Difference } from '../difference.ts';

/** Finds games whose recorded moves do not lead to their start, because someone changed it without the log. */
export async function* auditStarts(database: Database): AsyncGenerator<Difference> {
  const { rows }: { rows: { id: number }[] } = await database.raw(
    `select g.id from games g cross join lateral (
       select count(*) as moves, coalesce(bool_and(m.from_start is not distinct from m.before), true) as connected,
         (array_agg(m.to_start order by m.id desc))[1] as last
       from (select id, from_start, to_start, lag(to_start, 1, g.announced_start) over (order by id) as before
         from start_moves where game_id = g.id) m) c
     where not c.connected
       or g.starts_at is distinct from case c.moves when 0 then g.announced_start else c.last end
     order by g.id`,
  );
  for (const { id } of rows)
    yield new Difference('games', `id ${id}`, 'starts_at', 'its moves in the log do not lead to its start');
}
