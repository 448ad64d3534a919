import type { Game } from '../../games/game.ts';
import { gradeByScore, postponedVoidAt, type ScoreGrader } from '../../rules/grading.ts';
import type { MoneylineWays, Outcome } from '../../rules/markets/market.ts';
import type { PlayerStats } from '../../rules/markets/player-markets.ts';
import type { Played } from '../../rules/played.ts';
import { gradeByStats } from '../../rules/player-grading.ts';
import { gradingScoreName } from '../../rules/units.ts';
import type { StoredSettlement } from '../events.ts';

export interface GradedPick {
  market: string;
  side: string;
  lineE3: number | null;
  /** When the bet became void before the start; null if it did not. */
  voidedAt?: EpochMs | null;
}

/**
 * A result event: the outcome of one side of a market, reported by an operator or provider. `isClaim`: the result that an imported pick came
 * with, which concerns only that pick.
 */
export interface ResultEvent extends Outcome {
  finalAt: EpochMs;
  isClaim?: true;
}

export type Evidence = Pick<
  StoredSettlement,
  'awayScore' | 'homeScore' | 'sets' | 'played' | 'statName' | 'statValueE3'
>;

export interface KnownStat {
  stat: keyof PlayerStats;
  value: number;
  finalAt: EpochMs;
}

/** The outcome of a pick and the evidence for it, without units and price check, which follow from prices. */
export interface Settlement extends Outcome, Evidence {
  settledAt: EpochMs;
  /** The basis of the outcome. These names are hashed, so they never change. */
  grader: ScoreGrader | 'stat' | 'result' | 'cancelled' | 'postponed' | 'claim';
}

/** Evidence of an outcome that neither a score nor a statistic decided. */
export const noEvidence: Evidence = {
  awayScore: null,
  homeScore: null,
  sets: null,
  played: null,
  statName: null,
  statValueE3: null,
};

/** Returns how the game ended if a score usually decides the market. A shortened game leaves the decision to a result event. */
export function playedOf({ market }: Pick<GradedPick, 'market'>, { sport, played }: Game): Played | null {
  return gradingScoreName(market, sport) === 'final' ? played : null;
}

const isVoid: Outcome = { result: 'void', half: false };

/** @returns null if the statistics do not decide the pick */
export function decidedByStats(
  pick: GradedPick,
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
    ...noEvidence,
    result,
    half,
    settledAt: Math.max(game.finalAt, ...times),
    played: isShortened ? 'shortened' : game.played,
    statName: stat === null ? null : stat.name,
    statValueE3: stat === null ? null : stat.value * 1000,
  };
}

/**
 * Returns the settlement of a pick, or null while it is pending. The result is void if the bet became void before the start, or the game
 * was cancelled or postponed for too long. Otherwise the market's score or statistics grade the pick, or else a result event.
 * @param stats known statistics of the player
 */
export function settlementOf(
  pick: GradedPick,
  game: Game,
  event: ResultEvent | undefined,
  moneylineWays: MoneylineWays,
  now: EpochMs,
  stats: readonly KnownStat[] = [],
): Settlement | null {
  const settled = (
    { result, half }: Outcome,
    settledAt: number,
    grader: Settlement['grader'],
    evidence?: Partial<Evidence>,
  ): Settlement => ({ ...noEvidence, ...evidence, result, half, settledAt, grader });
  if (pick.voidedAt != null) return settled(isVoid, pick.voidedAt, 'result');
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
    : event.isClaim === true
      ? settled(event, event.finalAt, 'claim')
      : settled(event, event.finalAt, 'result', { played: playedOf(pick, game) });
}
