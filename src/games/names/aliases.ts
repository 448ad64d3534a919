import type { Database } from '../../platform/database.ts';
import { type Teams, teamsOf } from './teams.ts';

/** Another name of a team. Both are in the form of {@link plainName}. */
export interface TeamAlias {
  sport: string;
  alias: string;
  team: string;
}

/** Reads a sport's teams with the operator's aliases. */
export async function readTeams(database: Database, sport: string): Promise<Teams> {
  return teamsOf(sport, await readAliases(database, sport));
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
