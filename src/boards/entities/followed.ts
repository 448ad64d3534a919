import type { BoardContext } from '../endpoint.ts';
import { subjectsNamed } from './player.ts';
import { teamNamed } from './team.ts';

/** A team and a player that somebody follows: how the ledger calls them, and all their names as events have them. */
export interface Followed {
  team: string | null;
  player: string | null;
  about: string[] | null;
}

/**
 * Finds the team and the player that names mean in a sport. A player is any subject of a price or pick by that name: one without picks has
 * no page yet, and can be followed.
 * @returns the field of a name that means none instead
 */
export async function findFollowed(
  database: BoardContext['database'],
  { sport, team, player }: { sport: string } & Record<'team' | 'player', string | null | undefined>,
): Promise<Followed | 'team' | 'player'> {
  const found = team ? await teamNamed(database, sport, team) : undefined;
  if (team && found === undefined) return 'team';
  const subjects = player ? await subjectsNamed(database, player, sport) : [];
  if (player && subjects.length === 0) return 'player';
  const names = found === undefined ? [] : [found.name, ...found.teams.namesOf(found.name)];
  const about = [
    ...new Set(names.map((name) => `team:${name.toLowerCase()}`)),
    ...subjects.map((subject) => `player:${subject}`),
  ];
  return {
    team: found?.name ?? null,
    player: subjects.sort()[0] ?? null,
    about: about.length === 0 ? null : about,
  };
}
