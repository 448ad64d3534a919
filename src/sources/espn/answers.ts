import { checker, faultsText } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { type EventReport, type LeftOut, LeftOutCounts } from '../answer.ts';
import { finalScore, stateOf, suspendedScore } from './ending.ts';
import type { League } from './leagues.ts';
import { type Competition, type Competitor, checkCompetition } from './shape.ts';

/** Thrown if an answer does not have the known shape. */
export class OtherShape extends Error {
  override name = 'OtherShape';
}

/** The contents of an answer. */
export interface Scoreboard {
  events: EventReport[];
  /** Ids of all games in the answer, including those without a start; undefined if it may be incomplete. */
  eventIds: string[] | undefined;
  leftOut: LeftOut;
}

/** Requested number of events. An answer with this many may be incomplete. */
export const maxListed = 500;

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
 * @throws OtherShape if it is not a scoreboard, or if more of its games are unreadable than readable
 */
export function readScoreboard(body: unknown, league: League): Scoreboard {
  const answer = checkAnswer(body);
  if (!answer.ok)
    throw new OtherShape(`the answer is not a scoreboard: ${faultsText(answer.faults).slice(0, 120)}`);
  const leftOut = new LeftOutCounts();
  const events: EventReport[] = [];
  const eventIds: string[] = [];
  let readable = 0;
  let unreadable = 0;
  let example = '';
  const fail = (faults: Parameters<typeof faultsText>[0]) => {
    unreadable += 1;
    example ||= faultsText(faults).slice(0, 120);
  };
  for (const given of answer.value.events) {
    const event = checkEvent(given);
    if (!event.ok) {
      fail(event.faults);
      continue;
    }
    const { competitions, ...common } = event.value;
    for (const each of competitions) {
      const game = checkCompetition({ ...common, ...each });
      if (game.ok) {
        readable += 1;
        const report = reportOf(game.value, league, leftOut);
        if (report !== 'no opponents') eventIds.push(game.value.id);
        if (typeof report === 'object') events.push(report);
      } else fail(game.faults);
    }
  }
  if (unreadable > readable) throw new OtherShape(`${unreadable} games are unreadable: ${example}`);
  leftOut.add('unreadable game', unreadable);
  const listed = answer.value.events.length;
  const isWhole = unreadable === 0 && listed > 0 && listed < maxListed;
  return { events, eventIds: isWhole ? eventIds : undefined, leftOut: leftOut.counts() };
}

function reportOf(
  game: Competition,
  league: League,
  leftOut: LeftOutCounts,
): EventReport | 'no opponents' | 'no start' {
  const [home, away] = sidesOf(game.competitors);
  const names = [home, away].map((side) => side?.team?.displayName ?? side?.athlete?.displayName);
  if (home === undefined || away === undefined || names.some((each) => each === undefined)) {
    leftOut.add('opponent not known yet');
    return 'no opponents';
  }
  if (game.timeValid === false) {
    leftOut.add('start not announced');
    return 'no start';
  }
  const report: EventReport = {
    eventId: game.id,
    home: names[0]!,
    away: names[1]!,
    startsAt: Date.parse(game.date),
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
