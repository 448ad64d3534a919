import { pairOf } from '../games/names/opponents.ts';
import { teamsOf } from '../games/names/teams.ts';

/** Returns a key for a game's pair of opponents, equal in either order and in every spelling that the league knows. */
export function pairKey(sport: string, game: string): string {
  return pairOf({ sport, name: game }, teamsOf(sport));
}
