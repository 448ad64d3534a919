import { distanceOf, regulationOf } from '../../rules/played.ts';
import type { ReportedScore } from '../answer.ts';
import { afterExtraTime, type EventState } from '../verdict.ts';
import type { League } from './leagues.ts';
import { type Competition, type Competitor, clockOf, detailsOf, scheduledPeriods } from './shape.ts';

/** A game with its home and away sides identified. */
export interface Sided {
  game: Competition;
  home: Competitor;
  away: Competitor;
}

/**
 * Reads the status of a game. State `final` with a note means finished without a score to grade by. Only `completed` tells whether a game
 * is over: postponed and suspended games also have the state `post`.
 * @returns undefined for an unknown status
 */
export function stateOf(
  { status: { type } }: Competition,
  sport: string,
): { state: EventState; note?: string } | undefined {
  const named = stateNames.find(([pattern]) => pattern.test(type.name));
  if (named !== undefined) return { state: named[1] };
  if (/FORFEIT|UNCONTESTED/.test(type.name)) return { state: 'final', note: 'forfeited' };
  if (/NO_CONTEST|DRAW/.test(type.name))
    return sport === 'mma' ? { state: 'final' } : { state: 'final', note: 'no contest' };
  const isFinal = /^STATUS_(FINAL|FULL)/.test(type.name);
  if (type.completed) return isFinal ? { state: 'final' } : { state: 'final', note: 'unknown ending' };
  if (isFinal) return { state: 'final', note: 'not completed' };
  if (type.state === 'in') return { state: 'in_progress' };
  if (type.state === 'pre') return { state: 'scheduled' };
  return undefined;
}

const stateNames: readonly (readonly [RegExp, EventState])[] = [
  [/CANCEL|ABANDON|WALKOVER/, 'cancelled'],
  [/POSTPONED|RESCHEDULED/, 'postponed'],
  [/SUSPENDED/, 'suspended'],
  [/DELAY/, 'delayed'],
];

/** Returns the score to grade by and how much was played, or why there is none. */
export function finalScore({ game, home, away }: Sided, league: League): ReportedScore | string {
  if (league.sport === 'mma') return winnerOf({ game, home, away });
  const score = scoreOf(home, away);
  if (score === undefined) return 'no score';
  const isSoccer = league.sport === 'soccer';
  if (isSoccer && wentBeyond90(game))
    return in90ByPeriod({ game, home, away }) ?? in90ByGoals({ game, home, away }) ?? afterExtraTime;
  if (contradicts(home, away, score)) return 'contradictory winner';
  const length: Length | 'contradictory' = isSoccer
    ? { played: 'full' }
    : lengthOf({ game, home, away }, league.sport);
  if (length === 'contradictory') return 'contradictory length';
  return { ...score, ...firstHalf(home, away, score, league), ...length };
}

/** Returns the score of a suspended game, and how much was certainly played; undefined if unknown. */
export function suspendedScore({ game, home, away }: Sided, league: League): ReportedScore | undefined {
  const score = scoreOf(home, away);
  const periods = score && completedPeriods({ game, home, away }, league.sport);
  if (score === undefined || periods === undefined) return undefined;
  return { ...score, ...firstHalf(home, away, score, league), played: 'shortened', periods };
}

/** Returns the winner of a bout as 1-0. A draw and a no contest are 0-0. */
function winnerOf({ game, home, away }: Sided): ReportedScore | string {
  const { name, detail = '', description = '' } = game.status.type;
  const notes = [
    name.replaceAll('_', ' '),
    detail,
    description,
    ...detailsOf(game).map(({ type }) => type.text),
  ];
  const isUndecided = notes.some((text) => /\bno contest\b|\bdraw\b/i.test(text));
  if (home.winner === away.winner)
    return isUndecided && home.winner !== true ? { home: 0, away: 0 } : 'no winner';
  if (isUndecided) return 'contradictory winner';
  return home.winner === true ? { home: 1, away: 0 } : { home: 0, away: 1 };
}

interface Score {
  home: number;
  away: number;
}

function scoreOf(...sides: [Competitor, Competitor]): Score | undefined {
  const [home, away] = sides.map(({ score }) => points(score));
  return home === undefined || away === undefined ? undefined : { home, away };
}

function points(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,3}$/.test(text) ? Number(text) : undefined;
}

function contradicts(home: Competitor, away: Competitor, score: Score): boolean {
  if (home.winner === away.winner) return false;
  return home.winner === true ? score.home < score.away : score.away < score.home;
}

type Length = Pick<ReportedScore, 'played' | 'periods'>;

/** Returns how much of a finished game was played; empty if the answer does not say. */
function lengthOf(sided: Sided, sport: string): Length | 'contradictory' {
  const { period = 0, type } = sided.game.status;
  const regulation = regulationOf(sport);
  if (period < 1 || regulation === undefined) return {};
  const inDetail = /^Final\/(\d+)$/.exec(type.detail ?? '')?.[1];
  if (inDetail !== undefined && Number(inDetail) !== period) return 'contradictory';
  const listed = Math.max(...lengths(sided));
  const isListed = listed === 0 || listed === period;
  if (regulation.minutes === undefined)
    return isListed ? lengthInInnings(sided, regulation.periods) : 'contradictory';
  if (period > regulation.periods) return { played: 'full' };
  if (!isListed && period < regulation.periods) return 'contradictory';
  const left = (clockOf(sided.game) ?? 0) / 60 / regulation.minutes;
  // A clock that has not moved was not stopped.
  if (left >= 1) return 'contradictory';
  const periods = thousandths(period - left);
  return { played: isLongEnough(sport, periods) ? 'full' : 'shortened', periods };
}

function lengthInInnings({ game, home, away }: Sided, usual: number): Length {
  const { period = 0 } = game.status;
  const [ofHome, ofAway] = lengths({ home, away });
  const periods = ofHome < ofAway ? period - 0.5 : period;
  const scheduled = scheduledPeriods(game) ?? usual;
  const score = scoreOf(home, away)!;
  const isFull = periods >= scheduled || (score.home > score.away && periods >= scheduled - 0.5);
  return { played: isFull ? 'full' : 'shortened', periods };
}

/** Returns the periods certainly played in an interrupted game; undefined if the answer does not say. */
function completedPeriods(sided: Sided, sport: string): number | undefined {
  const { period = 0 } = sided.game.status;
  const regulation = regulationOf(sport);
  const clock = clockOf(sided.game);
  if (period < 1 || regulation === undefined) return undefined;
  if (regulation.minutes === undefined) {
    // The interrupted half-inning is not complete.
    const [ofHome, ofAway] = lengths(sided);
    if (ofAway !== period) return period - 1;
    return ofHome < ofAway ? period - 1 : period - 0.5;
  }
  if (period > regulation.periods) return regulation.periods;
  if (clock === undefined) return undefined;
  const inPeriods = clock / 60 / regulation.minutes;
  const played = sport === 'soccer' ? Math.min(inPeriods, period) : period - Math.min(inPeriods, 1);
  return thousandths(played);
}

/** Rounds up, so that a limit in minutes that was reached stays reached. */
function thousandths(periods: number): number {
  return Math.ceil(periods * 1000 - 1e-6) / 1000;
}

function isLongEnough(sport: string, periods: number): boolean {
  const unknown = { homeScore: null, awayScore: null, sets: null };
  return (
    distanceOf({ ...unknown, sport, played: 'shortened', periodsE3: Math.round(periods * 1000) }) === 'full'
  );
}

function lengths({ home, away }: Pick<Sided, 'home' | 'away'>): [home: number, away: number] {
  return [home.linescores?.length ?? 0, away.linescores?.length ?? 0];
}

/** Reports whether a soccer match went beyond 90 minutes, so that its score includes more. */
function wentBeyond90({ status: { period = 2, type } }: Competition): boolean {
  const { name, detail = '' } = type;
  return /_(AET|PEN)/.test(name) || /\b(AET|ET|pens?|penalties)\b/i.test(detail) || period > 2;
}

function in90ByPeriod({ home, away }: Sided): ReportedScore | undefined {
  const [h, a] = [byPeriod(home), byPeriod(away)];
  if (h === undefined || a === undefined || h.length < 4 || a.length < 4) return undefined;
  // Periods 3 and 4 are extra time. Later ones are the shootout, which the score excludes.
  if (sum(h.slice(0, 4)) !== points(home.score) || sum(a.slice(0, 4)) !== points(away.score))
    return undefined;
  return { home: h[0]! + h[1]!, away: a[0]! + a[1]!, homeHalf: h[0]!, awayHalf: a[0]!, played: 'full' };
}

function in90ByGoals({ game, home, away }: Sided): ReportedScore | undefined {
  const goals = detailsOf(game).filter(
    ({ scoringPlay, shootout }) => scoringPlay === true && shootout !== true,
  );
  // If both teams have own goals, the team named with one is ambiguous.
  const ownGoals = new Set(goals.filter(({ ownGoal }) => ownGoal === true).map(({ team }) => team?.id));
  if (ownGoals.size > 1) return undefined;
  const dated = goals.map(({ team, clock, scoreValue = 1 }) => ({
    team: team?.id,
    minute: Number(/^(\d{1,3})'/.exec(clock?.displayValue ?? '')?.[1] ?? Number.NaN),
    goals: scoreValue,
  }));
  const scored = ({ team }: Competitor, until: number) =>
    sum(dated.flatMap((goal) => (goal.team === team?.id && goal.minute <= until ? goal.goals : [])));
  const isWhole =
    home.team?.id !== undefined &&
    dated.every(({ minute }) => minute > 0) &&
    scored(home, 999) === points(home.score) &&
    scored(away, 999) === points(away.score);
  if (!isWhole) return undefined;
  const half = { homeHalf: scored(home, 45), awayHalf: scored(away, 45) };
  return { home: scored(home, 90), away: scored(away, 90), ...half, played: 'full' };
}

/** Returns goals by period; undefined unless each period has a whole number. */
function byPeriod({ linescores = [] }: Competitor): number[] | undefined {
  const values = linescores.map(({ value, displayValue }) => value ?? points(displayValue));
  return values.every((value): value is number => value !== undefined && Number.isInteger(value))
    ? values
    : undefined;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Returns the score of the first half, once it is over and the periods add up. */
function firstHalf(
  home: Competitor,
  away: Competitor,
  score: Score,
  { periods }: League,
): Pick<ReportedScore, 'homeHalf' | 'awayHalf'> {
  const [h, a] = [byPeriod(home), byPeriod(away)];
  if (periods === undefined || h === undefined || a === undefined) return {};
  if (h.length <= periods.firstHalf || a.length <= periods.firstHalf) return {};
  if (sum(h) !== score.home || sum(a) !== score.away) return {};
  return { homeHalf: sum(h.slice(0, periods.firstHalf)), awayHalf: sum(a.slice(0, periods.firstHalf)) };
}
