import { findCappers } from '../cappers/cappers.ts';
import { pastBetGames } from '../games/bet-games.ts';
import { readTeams } from '../games/names/aliases.ts';
import type { Teams } from '../games/names/teams.ts';
import type { Database } from '../platform/database.ts';
import type { Grid } from './grid.ts';
import { planSheet, type SheetPlan, type SheetWorld } from './plan.ts';
import type { SheetChoices } from './sheet.ts';

/**
 * Plans the import of a file's tables, without storing anything.
 * @returns a plan for each table with bets, and a sentence about each other non-empty table
 */
export async function planGrids(
  database: Database,
  grids: readonly Grid[],
  choices: SheetChoices,
): Promise<{ plans: SheetPlan[]; faults: string[] }> {
  const world = await worldOf(database);
  const plans: SheetPlan[] = [];
  const faults: string[] = [];
  for (const grid of grids) {
    if (grid.rows.length === 0) continue;
    const plan = await planSheet(grid, choices, world);
    if (typeof plan === 'string') faults.push(plan);
    else plans.push(plan);
  }
  return { plans, faults };
}

async function worldOf(database: Database): Promise<SheetWorld> {
  const teams = new Map<string, Teams>();
  return {
    games: (from, to) => pastBetGames(database, from, to),
    async teams(sport) {
      const known = teams.get(sport) ?? (await readTeams(database, sport));
      teams.set(sport, known);
      return known;
    },
    handles: async (among) => new Set((await findCappers(database, among)).keys()),
    sports: await database('sports').orderBy('position').orderBy('key').pluck('key'),
  };
}
