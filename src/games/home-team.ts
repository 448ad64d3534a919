import type { Database } from '../platform/database.ts';
import type { Sets } from '../rules/sets.ts';
import type { Game } from './game.ts';
import { readFixture } from './names/title.ts';

/** Swaps the teams in a game's title. */
export function swappedTitle(title: string, sport: string): string {
  const fixture = readFixture(title, sport);
  return fixture === undefined ? title : `${fixture.home} @ ${fixture.away}`;
}

export function swappedSide(side: string): string {
  return side.replace(/^(home|away)(?=_|$)/, (team) => (team === 'home' ? 'away' : 'home'));
}

export function swappedSets(sets: Sets): Sets {
  return sets.map(([home, away]) => [away, home]);
}

/** Fields that {@link swappedRow} swaps. */
interface Swappable {
  side?: string;
  homeScore?: number | null;
  awayScore?: number | null;
  homeHalfScore?: number | null;
  awayHalfScore?: number | null;
  sets?: Sets | null;
}

/** Swaps home and away in a row about a game. The bet, price, result, or score stays the same, and a line stays with its side. */
export function swappedRow<T extends object>(row: T): T {
  const { side, homeScore, awayScore, homeHalfScore, awayHalfScore, sets }: Swappable = row;
  return {
    ...row,
    ...(side === undefined ? {} : { side: swappedSide(side) }),
    ...('homeScore' in row || 'awayScore' in row ? { homeScore: awayScore, awayScore: homeScore } : {}),
    ...('homeHalfScore' in row || 'awayHalfScore' in row
      ? { homeHalfScore: awayHalfScore, awayHalfScore: homeHalfScore }
      : {}),
    ...(sets == null ? {} : { sets: swappedSets(sets) }),
  };
}

/** A game whose teams should be swapped. `known`: the source knows who is home. */
export interface HomeSwap {
  game: Pick<Game, 'id' | 'sport' | 'name'>;
  known: boolean;
}

/**
 * Swaps the teams of games whose home team is a guess, unless a pick, price, or result already refers to a side
 * (docs/rules/games.md#home-and-away).
 * @param database a transaction
 * @returns the new names of swapped games, by id
 */
export async function swapHomes(
  database: Database,
  swaps: readonly HomeSwap[],
): Promise<Map<number, string>> {
  if (swaps.length === 0) return new Map();
  const ids = swaps.map(({ game }) => game.id);
  // A concurrent posting is either visible below, or waits for the lock and finds the new name.
  await database('games').whereIn('id', ids).orderBy('id').forUpdate().select('id');
  const { rows }: { rows: { id: number; name: string }[] } = await database.raw(
    `update games g set name = r.name, home_known = r.known
     from json_to_recordset(?) as r (id bigint, name text, known boolean)
     where g.id = r.id and not g.home_known and g.status in ('scheduled', 'postponed')
       and not exists (select from picks p where p.game_id = g.id)
       and not exists (select from lines l where l.game_id = g.id)
       and not exists (select from results s where s.game_id = g.id)
       and not exists (select from source_scores s where s.game_id = g.id and s.home_score is not null)
       and not exists (select from games o where o.sport = g.sport and o.name = r.name
         and o.announced_start is not distinct from g.announced_start)
     returning g.id, g.name`,
    [
      JSON.stringify(
        swaps.map(({ game, known }) => ({ id: game.id, name: swappedTitle(game.name, game.sport), known })),
      ),
    ],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Records that the home teams in these games' names are certain. */
export async function confirmHomes(database: Database, gameIds: readonly number[]): Promise<void> {
  if (gameIds.length === 0) return;
  await database('games')
    .whereIn('id', [...gameIds])
    .where('home_known', false)
    .update('home_known', true);
}
