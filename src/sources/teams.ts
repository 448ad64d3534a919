import type { Database } from '../platform/database.ts';
import { leagueAliases } from './league-teams.ts';

/** Two opponents as a title names them, home last. */
export interface Fixture {
  away: string;
  home: string;
}

/** Parses "Away @ Home", "Away at Home" or "Home vs Away"; undefined for other texts. */
export function readFixture(text: string): Fixture | undefined {
  const trimmed = text.replace(/\s+/g, ' ').trim();
  const at = /^(.{1,98}?) (?:@|at) (.{1,98})$/i.exec(trimmed);
  if (at !== null) return { away: at[1]!, home: at[2]! };
  const versus = /^(.{1,98}?) (?:vs?\.?|versus) (.{1,98})$/i.exec(trimmed);
  return versus === null ? undefined : { home: versus[1]!, away: versus[2]! };
}

/** Normalizes a team's name: no case, accents, punctuation, or club abbreviations such as FC. */
export function plainTeam(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ');
  const core = words.filter((word) => !['fc', 'cf', 'sc', 'afc'].includes(word));
  return (core.length > 0 ? core : words).join(' ');
}

/** Maps every name of a team to one. */
export type TeamNames = (name: string) => string;

/** Names of a sport's teams: the league's, overridden by the operator's aliases. */
export function teamNames(sport: string, aliases: readonly { alias: string; team: string }[]): TeamNames {
  const known = new Map<string, string>();
  for (const { alias, team } of [...leagueAliases(sport), ...aliases])
    known.set(plainTeam(alias), plainTeam(team));
  return (name) => {
    let plain = plainTeam(name);
    // An operator's alias may lead to a league's. The bound ends a cycle.
    for (let step = 0; step < 3; step++) plain = known.get(plain) ?? plain;
    return plain;
  };
}

export async function readTeamNames(database: Database, sport: string): Promise<TeamNames> {
  return teamNames(sport, await readAliases(database, sport));
}

export interface TeamAlias {
  sport: string;
  alias: string;
  team: string;
}

export function readAliases(database: Database, sport?: string): Promise<TeamAlias[]> {
  return database('team_aliases')
    .where(sport === undefined ? {} : { sport })
    .orderBy(['sport', 'team', 'alias'])
    .select('sport', 'alias', 'team');
}

/** Makes one name an alias of another in a sport, replacing an earlier alias. */
export async function putAlias(database: Database, alias: TeamAlias): Promise<void> {
  await database('team_aliases').insert(alias).onConflict(['sport', 'alias']).merge();
}
