import type { Static } from 'typebox';
import { score as points } from '../../games/fields.ts';
import { instant, plainText } from '../../platform/fields.ts';
import { checker, faultsText, nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { ownValue } from '../../rules/own-value.ts';
import { type EventReport, type LeftOut, LeftOutCounts, type ReportedScore, readable } from '../answer.ts';
import { Unreadable } from '../http.ts';
import { afterExtraTime, type EventState, maybeExtraTime } from '../verdict.ts';

const team = Type.Object({ name: nullable(plainText(1, 95)) });
const goals = Type.Object({ home: nullable(points), away: nullable(points) });
const match = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  utcDate: instant,
  status: Type.String({ maxLength: 40 }),
  homeTeam: team,
  awayTeam: team,
  score: Type.Object({
    duration: Type.Optional(nullable(Type.String({ maxLength: 40 }))),
    fullTime: goals,
    halfTime: Type.Optional(nullable(goals)),
    regularTime: Type.Optional(nullable(goals)),
  }),
});
const checkMatch = checker(match);
const checkAnswer = checker(Type.Object({ matches: Type.Array(Type.Unknown(), { maxItems: 2000 }) }));

const states: Readonly<Record<string, EventState>> = {
  SCHEDULED: 'scheduled',
  TIMED: 'scheduled',
  IN_PLAY: 'in_progress',
  PAUSED: 'in_progress',
  EXTRA_TIME: 'in_progress',
  PENALTY_SHOOTOUT: 'in_progress',
  SUSPENDED: 'suspended',
  POSTPONED: 'postponed',
  CANCELLED: 'cancelled',
  CANCELED: 'cancelled',
  FINISHED: 'final',
  AWARDED: 'final',
};

/**
 * Reads matches (`/v4/matches`).
 * @throws Unreadable if the answer has none, or none that is readable
 */
export function readMatches(body: unknown): { events: EventReport[]; leftOut: LeftOut } {
  const answer = checkAnswer(body);
  if (!answer.ok)
    throw new Unreadable(`the answer has no matches: ${faultsText(answer.faults).slice(0, 120)}`);
  const leftOut = new LeftOutCounts();
  const events: EventReport[] = [];
  const { items, unreadable, example } = readable(answer.value.matches, checkMatch);
  if (items.length === 0 && unreadable > 0)
    throw new Unreadable(`nothing in the answer is readable: ${example}`);
  leftOut.add('unreadable game', unreadable);
  for (const match of items) {
    const { homeTeam, awayTeam, status } = match;
    const state = ownValue(states, status);
    if (homeTeam.name === null || awayTeam.name === null) leftOut.add('opponent not known yet');
    else if (state === undefined) leftOut.add('unknown state');
    else events.push(reportOf(match, homeTeam.name, awayTeam.name, state, leftOut));
  }
  return { events, leftOut: leftOut.counts() };
}

function reportOf(
  { id, utcDate, status, score }: Static<typeof match>,
  home: string,
  away: string,
  state: EventState,
  leftOut: LeftOutCounts,
): EventReport {
  const report: EventReport = {
    eventId: String(id),
    home,
    away,
    startsAt: Date.parse(utcDate),
    state,
    // `TIMED` follows once the time is known.
    day: status === 'SCHEDULED' && /T00:00(?::00)?(?:\.0+)?Z$/.test(utcDate) ? utcDate.slice(0, 10) : null,
  };
  if (state !== 'final') return report;
  const final = status === 'AWARDED' ? 'awarded' : in90(score);
  if (typeof final !== 'string') return { ...report, score: final };
  leftOut.add(`final score: ${final}`);
  return { ...report, note: final };
}

/**
 * Returns the score after 90 minutes, or why there is none. After extra time, `fullTime` counts all goals, including those of a shootout.
 */
function in90({
  duration,
  fullTime,
  halfTime,
  regularTime,
}: Static<typeof match>['score']): ReportedScore | string {
  if (duration == null) return maybeExtraTime;
  const isRegular = duration === 'REGULAR';
  const { home = null, away = null } = (isRegular ? fullTime : regularTime) ?? {};
  if (home === null || away === null) return isRegular ? 'no score' : afterExtraTime;
  // Such a full time may count extra time or a shootout, too.
  const isOther = (part: number | null | undefined, whole: number) => part != null && part !== whole;
  if (isOther(regularTime?.home, home) || isOther(regularTime?.away, away)) return 'contradictory score';
  const score: ReportedScore = { home, away, played: 'full' };
  if (halfTime?.home == null || halfTime.away === null) return score;
  const { home: homeHalf, away: awayHalf } = halfTime;
  return homeHalf > home || awayHalf > away ? score : { ...score, homeHalf, awayHalf };
}
