import type { Game } from '../../games/game.ts';
import { gradeByScore, postponedVoidAt, type ScoreGrader } from '../../rules/grading.ts';
import type { MoneylineWays, Outcome } from '../../rules/markets/market.ts';
import type { PlayerStats } from '../../rules/markets/player-markets.ts';
import { netUnitsE4 } from '../../rules/odds.ts';
import type { Played } from '../../rules/played.ts';
import { gradeByStats } from '../../rules/player-grading.ts';
import type { Sets } from '../../rules/sets.ts';
import { gradingScoreName } from '../../rules/units.ts';

/** What grading needs to know of a pick. */
export interface GradedPick {
  market: string;
  side: string;
  lineE3: number | null;
  oddsAmerican: number;
  stakeE4: number;
}

/** A result event: what an operator or provider says of one side of a market. */
export interface ResultEvent extends Outcome {
  /** Epoch milliseconds. */
  finalAt: number;
}

/** The score or statistic that graded a pick. */
export interface Evidence {
  /** The final score, or the first half's where that is what the market is about. */
  awayScore: number | null;
  homeScore: number | null;
  /** The games of each set, where they decided it. */
  sets: Sets | null;
  played: Played | null;
  /** The statistic that graded a player market. */
  statName: string | null;
  statValueE3: number | null;
}

/** A statistic of the player whom a pick is about. */
export interface KnownStat {
  stat: keyof PlayerStats;
  value: number;
  /** Epoch milliseconds. */
  finalAt: number;
}

/** How a pick ended: what a settlement is made of. */
export interface Settlement extends Outcome, Evidence {
  /** Epoch milliseconds. */
  settledAt: number;
  netUnitsE4: number;
  /** What decided it. These names are hashed: they never change. */
  grader: ScoreGrader | 'stat' | 'result' | 'cancelled' | 'postponed';
}

/** Of what no score or statistic decided. */
export const noEvidence: Evidence = {
  awayScore: null,
  homeScore: null,
  sets: null,
  played: null,
  statName: null,
  statValueE3: null,
};

/** Why a result event decided what a score usually decides: the game was shortened. */
export function playedOf({ market }: Pick<GradedPick, 'market'>, { sport, played }: Game): Played | null {
  return gradingScoreName(market, sport) === 'final' ? played : null;
}

const isVoid: Outcome = { result: 'void', half: false };

/** What statistics of a player decide of a pick on a game that has ended; null while they do not. */
export function decidedByStats(
  pick: Omit<GradedPick, 'oddsAmerican' | 'stakeE4'>,
  game: Game,
  known: readonly KnownStat[],
): (Outcome & Evidence & { settledAt: number }) | null {
  if (game.status !== 'final' || game.finalAt === null || known.length === 0) return null;
  const { market, side, lineE3 } = pick;
  const stats: PlayerStats = Object.fromEntries(known.map(({ stat, value }) => [stat, value]));
  const graded = gradeByStats({ ...game, market, side, lineE3, stats });
  if (graded === null) return null;
  const { result, half, stat, isShortened, used } = graded;
  const times = known.filter((each) => used.includes(each.stat)).map(({ finalAt }) => finalAt);
  return {
    ...{ ...noEvidence, result, half, settledAt: Math.max(game.finalAt, ...times) },
    played: isShortened ? 'shortened' : game.played,
    statName: stat === null ? null : stat.name,
    statValueE3: stat === null ? null : stat.value * 1000,
  };
}

/**
 * The settlement of a pick as things stand, or null while it is pending: void where its game was called off or postponed for
 * too long, graded by the score or the statistics that its market is graded by, else by a result event.
 * @param now epoch milliseconds
 * @param stats what is known of the player
 */
export function settlementOf(
  pick: GradedPick,
  game: Game,
  event: ResultEvent | undefined,
  moneylineWays: MoneylineWays,
  now: number,
  stats: readonly KnownStat[] = [],
): Settlement | null {
  const settled = (
    { result, half }: Outcome,
    settledAt: number,
    grader: Settlement['grader'],
    evidence?: Partial<Evidence>,
  ): Settlement => ({
    ...{ ...noEvidence, ...evidence, result, half, settledAt, grader },
    netUnitsE4: netUnitsE4(result, pick.stakeE4, pick.oddsAmerican, half),
  });
  const voidAt =
    game.wasPostponed && game.announcedStart !== null ? postponedVoidAt(game.announcedStart) : null;
  const endedAt = game.finalAt;
  if (voidAt !== null && voidAt <= now && (endedAt === null || endedAt > voidAt))
    return settled(isVoid, voidAt, 'postponed');
  if (game.status === 'cancelled' && endedAt !== null) return settled(isVoid, endedAt, 'cancelled');
  if (game.status === 'final' && endedAt !== null) {
    const scored = gradeByScore({ ...game, ...pick, moneylineWays });
    if (scored !== null) {
      const { grader, awayScore, homeScore, sets, played } = scored;
      return settled(scored, endedAt, grader, { awayScore, homeScore, sets, played });
    }
  }
  const byStats = decidedByStats(pick, game, stats);
  if (byStats !== null) return settled(byStats, byStats.settledAt, 'stat', byStats);
  return event === undefined
    ? null
    : settled(event, event.finalAt, 'result', { played: playedOf(pick, game) });
}
