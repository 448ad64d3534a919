import { teamAliases } from '../../src/games/names/aliases.ts';
import type { Database } from '../../src/platform/database.ts';
import { plainName } from '../../src/rules/plain-name.ts';

/** Adds fictional teams to a closed league, as an operator would. */
export async function addTeams(database: Database, sport: string, ...names: string[]): Promise<void> {
  for (const name of names)
    await teamAliases.put(database, { sport, alias: `the ${plainName(name)}`, team: plainName(name) });
}
