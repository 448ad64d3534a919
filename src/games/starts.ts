import type { Database } from '../platform/database.ts';
import type { KnownStarts } from '../rules/starts.ts';
import { readTeams } from './names/aliases.ts';
import { pairOf } from './names/opponents.ts';
import type { Teams } from './names/teams.ts';

/** A game with every start that it has had. */
export interface StartedGame extends KnownStarts {
  id: number;
  sport: string;
  name: string;
  startsAt: number | null;
  /** When it became final, or null. */
  finalAt: number | null;
  /** The game that it was joined into, or null. */
  joinedTo: number | null;
}

/** Reads the starts of games. @param ids a SQL query or expression for their ids */
export async function readStarts(
  database: Database,
  ids: string,
  bindings: Readonly<Record<string, unknown>>,
): Promise<StartedGame[]> {
  const { rows }: { rows: StartedGame[] } = await database.raw(
    `select g.id, g.sport, g.name, g.announced_start as "announcedStart", g.announced_at as "announcedAt", g.vouched_at as "vouchedAt", g.starts_at as "startsAt",
       case when g.status = 'final' then g.final_at end as "finalAt",
       (select to_game from game_joins where from_game = g.id) as "joinedTo",
       (select coalesce(json_agg(json_build_object('from', extract(epoch from from_start) * 1000,
          'to', extract(epoch from to_start) * 1000, 'at', extract(epoch from at) * 1000) order by m.id), '[]')
        from start_moves m where m.game_id = g.id) as moves
     from games g where g.id = any (array(${ids})) order by g.id`,
    bindings as Record<string, string>,
  );
  return rows;
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
