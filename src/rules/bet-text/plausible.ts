import { ownValue } from '../own-value.ts';

/** Plausible lines of a sport's markets. A number outside of these ranges belongs to another sport or market. */
interface Lines {
  /** Total of both teams. */
  total: readonly [least: number, most: number];
  /** Team total, for a text such as `Team over 4.5` that does not name the market. */
  team: readonly [least: number, most: number];
  /** Highest team total, for a text that names the market. */
  teamMax: number;
  spread: number;
  /** Whether spreads are always half points. */
  halves?: true;
  /** Lines that can be both a total and a team total. */
  both?: readonly [least: number, most: number];
}

const lines: Readonly<Record<string, Lines>> = {
  nba: { total: [170, 300], team: [80, 150], teamMax: 165, spread: 35 },
  wnba: { total: [120, 220], team: [55, 110], teamMax: 115, spread: 35 },
  ncaab: { total: [90, 220], team: [35, 89.5], teamMax: 120, spread: 60, both: [90, 95] },
  nfl: { total: [27, 70], team: [5.5, 26.5], teamMax: 45, spread: 30, both: [27, 30.5] },
  ncaaf: { total: [27, 95], team: [2.5, 26.5], teamMax: 70, spread: 70, both: [27, 45] },
  mlb: { total: [6, 18], team: [0.5, 5.5], teamMax: 9.5, spread: 3.5, halves: true, both: [6, 6.5] },
  nhl: { total: [4.5, 9.5], team: [0.5, 4], teamMax: 6.5, spread: 3.5, halves: true, both: [4.5, 4.5] },
  soccer: { total: [0.5, 8.5], team: [0.5, 4.5], teamMax: 6.5, spread: 6, both: [0.5, 4.5] },
  tennis: { total: [11.5, 65.5], team: [3.5, 30.5], teamMax: 35.5, spread: 15, both: [11.5, 30.5] },
  mma: { total: [0.5, 4.5], team: [1, 0], teamMax: 0, spread: 0 },
};

const inside = (line: number, [least, most]: readonly [number, number]) => line >= least && line <= most;

/** Highest line of a part of a game, as a share of the highest line of the whole game. */
const partShare = 0.75;

export function isTotal(sport: string, line: number, isPart: boolean): boolean {
  const range = ownValue(lines, sport)?.total;
  if (range === undefined) return true;
  return isPart ? inside(line, [0.5, range[1] * partShare]) : inside(line, range);
}

export function isTeamTotal(sport: string, line: number): boolean {
  const known = ownValue(lines, sport);
  return known === undefined || inside(line, [0.5, known.teamMax]);
}

/** Reports whether `Team over 8.5` can mean the game's total, and whether it can mean the team's. */
export function bareMeanings(
  sport: string,
  line: number,
  isPart: boolean,
): { total: boolean; team: boolean } {
  const known = ownValue(lines, sport);
  if (known === undefined || isPart) return { total: true, team: true };
  const isOpen = known.both !== undefined && inside(line, known.both);
  return {
    total: isTotal(sport, line, false),
    team: inside(line, known.team) || (isOpen && line <= known.teamMax),
  };
}

export function isSpread(sport: string, line: number, isPart: boolean): boolean {
  const known = ownValue(lines, sport);
  if (known === undefined) return true;
  // `-3/-3.5` is a quarter line only in soccer. Elsewhere, it is two lines.
  if (sport !== 'soccer' && (line * 2) % 1 !== 0) return false;
  if (known.halves === true && !isPart && Math.abs(line) % 1 !== 0.5) return false;
  return Math.abs(line) <= known.spread;
}

/** Plausible lines of statistics. A number outside of these ranges belongs to another sport or statistic. */
const statLines: Readonly<Record<string, Readonly<Record<string, readonly [least: number, most: number]>>>> =
  {
    nhl: {
      player_points: [0.5, 5.5],
      player_goals: [0.5, 3.5],
      player_assists: [0.5, 4.5],
      player_shots_on_goal: [0.5, 12.5],
      player_total_saves: [10, 60.5],
    },
    soccer: { player_shots: [0.5, 9.5], player_shots_on_target: [0.5, 6.5] },
    mlb: {
      batter_hits: [0.5, 4.5],
      batter_home_runs: [0.5, 2.5],
      batter_total_bases: [0.5, 9.5],
      batter_strikeouts: [0.5, 2.5],
      batter_walks: [0.5, 2.5],
      pitcher_strikeouts: [1.5, 15.5],
      pitcher_outs: [5.5, 27.5],
    },
    nfl: {
      player_receptions: [0.5, 14.5],
      player_pass_yds: [50, 500],
      player_pass_tds: [0.5, 6.5],
      player_tds_over: [0.5, 4.5],
    },
  };

/** Usual lines of statistics that share a word. */
const usual: Readonly<Record<string, readonly [least: number, most: number]>> = {
  player_receptions: [0.5, 12],
  player_reception_yds: [12.5, 500],
};

export function isStatLine(sport: string, market: string, line: number): boolean {
  const range = ownValue(ownValue(statLines, sport === 'ncaaf' ? 'nfl' : sport) ?? {}, market);
  return range === undefined ? line >= 0 : inside(line, range);
}

/** Reports whether a line is usual for a statistic that shares its word with others. */
export function isUsualLine(market: string, line: number): boolean {
  const range = ownValue(usual, market);
  return range === undefined || inside(line, range);
}
