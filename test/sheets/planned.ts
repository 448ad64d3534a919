import { teamsOf } from '../../src/games/names/teams.ts';
import { gridsOf } from '../../src/sheets/grid.ts';
import { type PlannedRow, planSheet, type SheetPlan, type SheetWorld } from '../../src/sheets/plan.ts';
import type { SheetChoices } from '../../src/sheets/sheet.ts';

export const world: SheetWorld = {
  games: async () => [],
  teams: async (sport) => teamsOf(sport),
  handles: async () => new Set(['ada']),
  sports: ['nba', 'nfl', 'mlb', 'nhl', 'ncaaf', 'ncaab', 'wnba', 'mma', 'soccer', 'tennis'],
};

export const nobody: SheetChoices = {
  capper: 'ada',
  sport: undefined,
  zone: undefined,
  odds: undefined,
  unit: undefined,
  map: new Map(),
  answers: new Map(),
};

export async function planned(
  content: string,
  given: Partial<SheetChoices> = {},
  name = 'bets.csv',
): Promise<SheetPlan> {
  const [grid] = await gridsOf(name, Buffer.from(content));
  const plan = await planSheet(grid!, { ...nobody, ...given }, world);
  if (typeof plan === 'string') throw new Error(plan);
  return plan;
}

/** Returns a row's bet in short, or why it is refused. */
export function short({ pick, reason, result, game }: PlannedRow): string {
  if (pick === undefined || reason !== undefined) return `refused: ${reason}`;
  const { market, subject, side, line, game: title } = pick;
  const score = game?.status === 'final' ? ` ${game.awayScore}-${game.homeScore}` : '';
  const about = subject === null || subject === title ? '' : `${subject} `;
  return `${market} ${about}${side}${line === null ? '' : ` ${line}`}${score}${result === undefined ? '' : `: ${result.result}`}`;
}

/** Plans rows with a date, a league, and teams. @param header further columns */
export async function read(
  header: string,
  rows: readonly string[],
  league = 'EPL',
  given: Partial<SheetChoices> = {},
) {
  const teams =
    league === 'EPL'
      ? 'Arsenal,Everton'
      : league === 'NHL'
        ? 'Boston Bruins,New York Rangers'
        : 'Buffalo Bills,Miami Dolphins';
  const isStaked = /(?:^|,)stake/i.test(header);
  const lines = rows.map(
    (row, at) =>
      `2024-11-${String(at + 1).padStart(2, '0')},${league},${teams},${row}${isStaked ? '' : ',1'}`,
  );
  return planned(`Date,League,Home,Away,${header}${isStaked ? '' : ',Stake'}\n${lines.join('\n')}\n`, given);
}

export async function bets(...args: Parameters<typeof read>): Promise<string[]> {
  return (await read(...args)).rows.map(short);
}
