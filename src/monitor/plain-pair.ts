import { plainName } from '../rules/plain-name.ts';

/** Replaces `pair.ts` in the package for clients, which has no lists of teams: two spellings of a name are two opponents there. */
export function pairKey(sport: string, game: string): string {
  return `${sport}\n${game.split(' @ ').map(plainName).sort().join('\n')}`;
}
