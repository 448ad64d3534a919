import { checker, faultsText } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { etDay } from '../../rules/et-day.ts';
import { type EventReport, type LeftOut, LeftOutCounts, readable } from '../answer.ts';
import type { Answer } from '../drift.ts';
import { Unreadable } from '../http.ts';
import { finalScore, stateOf, suspendedScore } from './ending.ts';
import type { League } from './leagues.ts';
import { maxListed } from './plan.ts';
import { type Competition, type Competitor, checkCompetition } from './shape.ts';

export interface Scoreboard extends Answer {
  events: EventReport[];
  /** Ids of all games in the answer; undefined if it may be incomplete. */
  eventIds: string[] | undefined;
  leftOut: LeftOut;
}

const checkAnswer = checker(Type.Object({ events: Type.Array(Type.Unknown(), { maxItems: 2000 }) }));
const checkEvent = checker(
  Type.Object({
    timeValid: Type.Optional(Type.Boolean()),
    status: Type.Optional(Type.Unknown()),
    competitions: Type.Array(Type.Record(Type.String(), Type.Unknown()), { maxItems: 40 }),
  }),
);

/**
 * Reads a scoreboard: one game per competition of its events.
 * @param isWanted whether to report on a game. Others count, but are neither reported on nor left out
 * @throws Unreadable if it is not a scoreboard, or if more of its games are unreadable than readable
 */
export function readScoreboard(
  body: unknown,
  league: League,
  isWanted: (eventId: string, startsAt: number) => boolean = () => true,
): Scoreboard {
  const answer = checkAnswer(body);
  if (!answer.ok)
    throw new Unreadable(`the answer is not a scoreboard: ${faultsText(answer.faults).slice(0, 120)}`);
  const leftOut = new LeftOutCounts();
  const events: EventReport[] = [];
  const eventIds: string[] = [];
  const whole = readable(answer.value.events, checkEvent);
  const parts = readable(
    whole.items.flatMap(({ competitions, ...common }) =>
      competitions.map((each) => ({ ...common, ...each })),
    ),
    checkCompetition,
  );
  const games = parts.items;
  const unreadable = whole.unreadable + parts.unreadable;
  if (unreadable > games.length)
    throw new Unreadable(`${unreadable} games are unreadable: ${whole.example ?? parts.example}`);
  leftOut.add('unreadable game', unreadable);
  for (const game of games) {
    const wanted = isWanted(game.id, Date.parse(game.date));
    const report = reportOf(game, league, wanted ? leftOut : new LeftOutCounts());
    if (report !== 'no opponents') eventIds.push(game.id);
    if (typeof report === 'object' && wanted) events.push(report);
  }
  const listed = answer.value.events.length;
  const isWhole = unreadable === 0 && listed > 0 && listed < maxListed;
  const days = new Map<string, number>();
  for (const { date } of games) {
    const day = etDay(Date.parse(date));
    days.set(day, (days.get(day) ?? 0) + 1);
  }
  const isUnknown = (game: Competition) => stateOf(game, league.sport) === undefined;
  return {
    events,
    eventIds: isWhole ? eventIds : undefined,
    leftOut: leftOut.counts(),
    listed,
    days,
    ...fieldsOf(games, league),
    unknown: [...new Set(games.filter(isUnknown).map(({ status }) => status.type.name))],
  };
}

/** Optional fields that grading needs: whether a finished game has them. */
const fields: Readonly<Record<string, (game: Competition) => boolean>> = {
  homeAway: ({ competitors }) => competitors.every(({ homeAway }) => homeAway !== undefined),
  score: ({ competitors }) => competitors.every(({ score }) => score !== undefined),
  winner: ({ competitors }) => competitors.some(({ winner }) => winner !== undefined),
  linescores: ({ competitors }) => competitors.some(({ linescores }) => linescores !== undefined),
  period: ({ status }) => status.period !== undefined,
};

function fieldsOf(games: readonly Competition[], { sport }: League): Pick<Answer, 'had' | 'lacked'> {
  const ended = games.filter((game) => stateOf(game, sport)?.state === 'final');
  const had = Object.keys(fields).filter((field) => ended.some(fields[field]!));
  const lacked = Object.keys(fields).filter((field) => ended.length > 1 && !had.includes(field));
  return { had, lacked };
}

function reportOf(game: Competition, league: League, leftOut: LeftOutCounts): EventReport | 'no opponents' {
  const [home, away] = sidesOf(game.competitors);
  const names = [home, away].map((side) => side?.team?.displayName ?? side?.athlete?.displayName);
  if (home === undefined || away === undefined || names.some((each) => each === undefined)) {
    leftOut.add('opponent not known yet');
    return 'no opponents';
  }
  const startsAt = Date.parse(game.date);
  const { timeValid } = game;
  const report: EventReport = {
    eventId: game.id,
    home: names[0]!,
    away: names[1]!,
    startsAt,
    ...(timeValid === undefined ? {} : { day: timeValid ? null : etDay(startsAt) }),
  };
  const known = stateOf(game, league.sport);
  if (known === undefined) {
    leftOut.add('unknown state');
    return report;
  }
  const sided = { game, home, away };
  if (known.state === 'suspended') {
    const score = suspendedScore(sided, league);
    return { ...report, state: known.state, ...(score === undefined ? {} : { score }) };
  }
  if (known.state !== 'final') return { ...report, state: known.state };
  const score = known.note ?? finalScore(sided, league);
  if (typeof score === 'string') {
    leftOut.add(`final score: ${score}`);
    return { ...report, state: 'final', note: score };
  }
  return { ...report, state: 'final', score };
}

/** Returns home and away. Fighters have neither, so the first one listed is home. */
function sidesOf(competitors: readonly Competitor[]): (Competitor | undefined)[] {
  const named = ['home', 'away'].map((side) => competitors.find(({ homeAway }) => homeAway === side));
  if (named.every((side) => side !== undefined)) return named;
  return competitors.every(({ homeAway }) => homeAway === undefined)
    ? competitors.toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0))
    : [];
}
