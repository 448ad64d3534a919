import type { Database } from '../platform/database.ts';
import type { KnownStarts } from '../rules/starts.ts';
import { readTeams } from './names/aliases.ts';
import { pairOf } from './names/opponents.ts';
import type { Teams } from './names/teams.ts';

export interface StartedGame extends KnownStarts {
  id: number;
  sport: string;
  name: string;
  startsAt: number | null;
  /** When it became final, or null. */
  finalAt: number | null;
  /** Whether it was joined with another game. */
  joined: boolean;
}

/** Reads the starts of games. @param ids a SQL query or expression for their ids */
export async function readStarts(
  database: Database,
  ids: string,
  bindings: Readonly<Record<string, unknown>>,
): Promise<StartedGame[]> {
  const { rows }: { rows: StartedGame[] } = await database.raw(
    `select g.id, g.sport, g.name, g.announced_start as "announcedStart", g.announced_at as "announcedAt", g.vouched_at as "vouchedAt", g.starts_at as "startsAt",
       case when g.status = 'final' then g.final_at end as "finalAt", exists (select from game_joins j where j.from_game = g.id or j.to_game = g.id) as joined,
       (select coalesce(json_agg(json_build_object('from', extract(epoch from from_start) * 1000,
          'to', extract(epoch from to_start) * 1000, 'at', extract(epoch from at) * 1000) order by m.id), '[]')
        from start_moves m where m.game_id = g.id) as moves
     from games g where g.id = any (array(${ids})) order by g.id`,
    bindings as Record<string, string>,
  );
  return rows;
}

/** A game that is one fixture with another since they were joined. */
export interface Twin {
  game: StartedGame;
  joinedAt: EpochMs;
}

/** Finds the games that games were joined with, directly or through others, by id. Since the join, the earliest start holds for all. */
export async function readTwins(database: Database, ids: readonly number[]): Promise<Map<number, Twin[]>> {
  if (ids.length === 0) return new Map();
  const { rows }: { rows: { id: number; twin: number; joinedAt: number }[] } = await database.raw(
    `with recursive both_ways (id, other, at) as (
       select from_game, to_game, at from game_joins union all select to_game, from_game, at from game_joins
     ), twins (id, twin, at, path) as (
       select id, other, at, array[id::bigint, other::bigint] from both_ways where id = any(cast(:ids as bigint[]))
       union all
       select t.id, b.other, greatest(t.at, b.at), t.path || b.other::bigint from twins t join both_ways b on b.id = t.twin
       where b.other <> all(t.path)
     )
     select id, twin, at as "joinedAt" from twins order by id, twin`,
    { ids: [...ids] },
  );
  const games = await readStarts(database, 'select unnest(cast(:games as bigint[]))', {
    games: [...new Set(rows.map(({ twin }) => twin))],
  });
  const byId = new Map(games.map((game) => [game.id, game]));
  const twins = Map.groupBy(rows, ({ id }) => id);
  return new Map(
    [...twins].map(([id, own]) => [
      id,
      own.map(({ twin, joinedAt }) => ({ game: byId.get(twin)!, joinedAt })),
    ]),
  );
}

/** Like {@link pairOf}, for games of several sports. */
export async function pairsOf(
  database: Database,
  games: readonly StartedGame[],
): Promise<(game: StartedGame) => string> {
  const teams = new Map<string, Teams>();
  for (const sport of new Set(games.map((game) => game.sport)))
    teams.set(sport, await readTeams(database, sport));
  const pairs = new Map(games.map((game) => [game.id, pairOf(game, teams.get(game.sport)!)]));
  return ({ id }) => pairs.get(id)!;
}
