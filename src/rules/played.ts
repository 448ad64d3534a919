import { ownValue } from './own-value.ts';
import { completedSets, type Sets } from './sets.ts';

export const playedValues = ['full', 'shortened'] as const;
export type Played = (typeof playedValues)[number];

/** The fields of a game that determine how far it got. */
interface PlayedGame {
  sport: string;
  played: Played | null;
  periodsE3: number | null;
  homeScore: number | null;
  awayScore: number | null;
  sets: Sets | null;
}

/** The length of a game, as far as grading distinguishes it (docs/rules/grading.md#shortened-games). */
export type Distance = 'full' | 'enough for the moneyline' | 'too short' | 'unknown';

/** Sports with a clock: minutes and periods of regulation, and the minutes after which all bets stand. */
const clocks: Readonly<Record<string, { minutes: number; periods: number; enough: number }>> = {
  nfl: { minutes: 60, periods: 4, enough: 55 },
  ncaaf: { minutes: 60, periods: 4, enough: 55 },
  nba: { minutes: 48, periods: 4, enough: 43 },
  wnba: { minutes: 40, periods: 4, enough: 35 },
  ncaab: { minutes: 40, periods: 2, enough: 35 },
  nhl: { minutes: 60, periods: 3, enough: 55 },
  soccer: { minutes: 90, periods: 2, enough: 90 },
};

/** Returns the periods of regulation, and their minutes in sports with a clock; undefined for sports without periods. */
export function regulationOf(sport: string): { periods: number; minutes?: number } | undefined {
  if (sport === 'mlb') return { periods: innings.full };
  const clock = ownValue(clocks, sport);
  return clock && { periods: clock.periods, minutes: clock.minutes / clock.periods };
}

/** Innings for a moneyline to stand, and of a full game. With the home team ahead, half an inning less is enough. */
const innings = { moneyline: 5, full: 9, scheduledShort: 7 };

/**
 * Returns how far a game got. `unknown`: it was shortened by an unknown amount, or its sport has no rule.
 *
 * A game without any report went the full distance. If only the periods are known, too few of them mean that it was shortened. Seven
 * innings are an exception, because a game can be scheduled for seven: then `played` must say so.
 */
export function distanceOf(game: PlayedGame): Distance {
  const { sport, played, periodsE3 } = game;
  if (played === 'full' || (played === null && periodsE3 === null)) return 'full';
  if (sport === 'tennis') return played === null ? 'full' : retirement(game);
  if (periodsE3 === null) return 'unknown';
  if (sport === 'mlb') return inningsPlayed(game, periodsE3 / 1000);
  const clock = ownValue(clocks, sport);
  if (clock === undefined) return played === null ? 'full' : 'unknown';
  const minutes = (periodsE3 / 1000) * (clock.minutes / clock.periods);
  return minutes >= clock.enough ? 'full' : 'too short';
}

function inningsPlayed({ played, homeScore, awayScore }: PlayedGame, count: number): Distance {
  const isHomeAhead = (homeScore ?? 0) > (awayScore ?? 0);
  const reached = (wanted: number) => count >= wanted || (isHomeAhead && count >= wanted - 0.5);
  if (reached(innings.full)) return 'full';
  if (played === null && reached(innings.scheduledShort) && count <= innings.scheduledShort) return 'unknown';
  return reached(innings.moneyline) ? 'enough for the moneyline' : 'too short';
}

function retirement({ sets }: PlayedGame): Distance {
  if (sets === null) return 'unknown';
  return completedSets(sets) >= 1 ? 'enough for the moneyline' : 'too short';
}
