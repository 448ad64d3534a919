import { type Game, gameColumns } from '../../games/game.ts';
import { readTeams } from '../../games/names/aliases.ts';
import { opponentsFault } from '../../games/twins.ts';
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

/** Finds joins of games that cannot be one fixture, because someone stored them without the rules of a join. */
export async function* auditJoins(database: Database): AsyncGenerator<Difference> {
  const joins: { id: number; from: number; to: number }[] = await database('game_joins')
    .orderBy('id')
    .select({ id: 'id', from: 'from_game', to: 'to_game' });
  if (joins.length === 0) return;
  const games: Game[] = await database('games as g')
    .whereIn(
      'g.id',
      joins.flatMap(({ from, to }) => [from, to]),
    )
    .select(gameColumns);
  const byId = new Map(games.map((game) => [game.id, game]));
  for (const join of joins) {
    const [from, to] = [byId.get(join.from)!, byId.get(join.to)!];
    const fault = opponentsFault({ from, to }, await readTeams(database, to.sport));
    if (fault !== undefined)
      yield new Difference(
        'game_joins',
        `id ${join.id}`,
        'to_game',
        `its games are not one fixture: ${fault}`,
      );
  }
}
