import { marketIn } from './markets/index.ts';
import type { Outcome } from './markets/market.ts';
import type { PlayerMarket, PlayerStats, StatRules } from './markets/player-markets.ts';
import { overIsReached } from './markets/total.ts';
import { distanceOf } from './played.ts';

export interface PlayerPick extends GameLength {
  market: string;
  side: string;
  lineE3: number | null;
  stats: PlayerStats;
}

type GameLength = Parameters<typeof distanceOf>[0];

export interface PlayerGrade extends Outcome {
  /** The figure that decided it; null if the player did not play. */
  stat: { name: string; value: number } | null;
  /** Whether the game was shortened, which voids undecided picks. */
  isShortened: boolean;
  used: readonly (keyof PlayerStats)[];
}

const isVoid: Outcome = { result: 'void', half: false };

/**
 * Grades a pick by a player's statistics (docs/rules/player-markets.md). Null if they are incomplete, if the sport does not declare the
 * market, and for a shortened game whose length nobody reported.
 */
export function gradeByStats(pick: PlayerPick): PlayerGrade | null {
  const { sport, market, side, lineE3, stats } = pick;
  const found = declaredIn(sport, market);
  if (found === undefined || !hasSide(found.declared, side, lineE3)) return null;
  const { rules } = found;
  const sign = signOf(rules, stats);
  if (sign === null) return null;
  if (stats[sign]! <= 0) return { ...isVoid, stat: null, isShortened: false, used: [sign] };
  const value = rules.figure(stats);
  const reached = value === null ? null : found.declared.grade(side, lineE3, value);
  if (value === null || reached === null) return null;
  const distance = distanceOf(pick);
  const isShortened = distance !== 'full';
  const stands = !isShortened || isDecided(rules, side, reached);
  if (!stands && distance === 'unknown') return null;
  return {
    ...(stands ? reached : isVoid),
    stat: { name: rules.name, value },
    isShortened,
    used: [sign, ...rules.of],
  };
}

/** Grades a pick by the figure in its settlement, over the full distance; null if the figure cannot have decided the pick. */
export function gradeByFigure(
  { sport, market, side, lineE3 }: Pick<PlayerPick, 'sport' | 'market' | 'side' | 'lineE3'>,
  stat: { name: string; value: number },
): Outcome | null {
  const found = declaredIn(sport, market);
  if (found === undefined || found.rules.name !== stat.name || !hasSide(found.declared, side, lineE3))
    return null;
  return found.declared.grade(side, lineE3, stat.value);
}

export function isGradedByStats(sport: string, market: string): boolean {
  return declaredIn(sport, market) !== undefined;
}

/** Returns the statistics of a player that a market still needs, including `played`; empty if statistics do not grade the market. */
export function missingStats(sport: string, market: string, stats: PlayerStats): string[] {
  const rules = declaredIn(sport, market)?.rules;
  if (rules === undefined) return [];
  const sign = signOf(rules, stats);
  if (sign !== null && stats[sign]! <= 0) return [];
  return [...(sign === null ? ['played'] : []), ...rules.of.filter((name) => stats[name] === undefined)];
}

function declaredIn(sport: string, market: string): { declared: PlayerMarket; rules: StatRules } | undefined {
  const declared = marketIn(sport, market);
  const rules = declared?.gradedBy === 'stat' ? declared.sports[sport] : undefined;
  return declared?.gradedBy !== 'stat' || rules === undefined ? undefined : { declared, rules };
}

function hasSide({ contests, line }: PlayerMarket, side: string, lineE3: number | null): boolean {
  return contests().flat().includes(side) && (line === null) === (lineE3 === null);
}

/** Returns the statistic that shows whether the player played, as the market defines it; null if unknown. */
function signOf({ playedBy }: StatRules, stats: PlayerStats): keyof PlayerStats | null {
  if (playedBy !== null && stats[playedBy] !== undefined) return playedBy;
  return stats.played === undefined ? null : 'played';
}

/** Reports whether an outcome was final, whatever else would have happened. Yards can be lost again. */
function isDecided({ of }: StatRules, side: string, outcome: Outcome): boolean {
  if (of.some((name) => name.endsWith('_yards'))) return false;
  if (side === 'yes' || side === 'no') return outcome.result === (side === 'yes' ? 'win' : 'loss');
  return !outcome.half && overIsReached(side, outcome);
}
