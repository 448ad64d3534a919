import { marketIn } from './markets/index.ts';
import type { Outcome } from './markets/market.ts';
import type { PlayerStats, StatRules } from './markets/player-markets.ts';

/** A pick on a player, and what is known of them. */
export interface PlayerPick {
  sport: string;
  market: string;
  side: string;
  /** In thousandths. */
  lineE3: number | null;
  stats: PlayerStats;
}

/** How a box score grades a pick: void, without a figure, where the player did not play. */
export interface PlayerGrade extends Outcome {
  stat: { name: string; value: number } | null;
}

/**
 * Grades a pick from a player's statistics (docs/rules/player-markets.md). Null while they do not say enough, and for a market that the
 * sport does not declare.
 */
export function gradeByStats({ sport, market, side, lineE3, stats }: PlayerPick): PlayerGrade | null {
  const declared = marketIn(sport, market);
  const rules = declared?.gradedBy === 'stat' ? declared.sports[sport] : undefined;
  if (declared?.gradedBy !== 'stat' || rules === undefined) return null;
  if (!declared.contests().flat().includes(side) || (declared.line === null) !== (lineE3 === null))
    return null;
  const played = hasPlayed(rules, stats);
  if (played === null) return null;
  if (!played) return { result: 'void', half: false, stat: null };
  const value = rules.figure(stats);
  const outcome = value === null ? null : declared.grade(side, lineE3, value);
  return value === null || outcome === null ? null : { ...outcome, stat: { name: rules.name, value } };
}

/** Statistics that a market of a sport still needs of a player, `played` among them; none for one that is not graded by them. */
export function missingStats(sport: string, market: string, stats: PlayerStats): string[] {
  const declared = marketIn(sport, market);
  const rules = declared?.gradedBy === 'stat' ? declared.sports[sport] : undefined;
  if (rules === undefined) return [];
  const played = hasPlayed(rules, stats);
  if (played === false) return [];
  return [...(played === null ? ['played'] : []), ...rules.of.filter((name) => stats[name] === undefined)];
}

/** Whether the player played, in the sense of the market; null where nothing says so. */
function hasPlayed({ playedBy }: StatRules, stats: PlayerStats): boolean | null {
  const sign = (playedBy === null ? undefined : stats[playedBy]) ?? stats.played;
  return sign === undefined ? null : sign > 0;
}
