import type { Database } from '../../platform/database.ts';
import { type Teams, teamsOf } from './teams.ts';

/** Another name of a team or a player in a sport. Both names are in normal form: `plainName` of teams, `subjectForm` of players. */
type AliasOf<Whose extends 'team' | 'player'> = { sport: string; alias: string } & Record<Whose, string>;

const aliasesOf = <Whose extends 'team' | 'player'>(whose: Whose) => ({
  async read(database: Database, sport?: string): Promise<AliasOf<Whose>[]> {
    const rows: unknown = await database(`${whose}_aliases`)
      .where(sport === undefined ? {} : { sport })
      .orderBy(['sport', whose, 'alias'])
      .select('sport', 'alias', whose);
    return rows as AliasOf<Whose>[];
  },
  /** Makes one name an alias of another in a sport, replacing an earlier alias. */
  async put(database: Database, alias: AliasOf<Whose>): Promise<void> {
    await database(`${whose}_aliases`).insert(alias).onConflict(['sport', 'alias']).merge();
  },
});

export type TeamAlias = AliasOf<'team'>;

export const teamAliases = aliasesOf('team');
export const playerAliases = aliasesOf('player');

/** Reads a sport's teams with the operator's aliases. */
export async function readTeams(database: Database, sport: string): Promise<Teams> {
  return teamsOf(sport, await teamAliases.read(database, sport));
}
