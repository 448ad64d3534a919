import type { Static } from 'typebox';
import { plainText } from '../../platform/fields.ts';
import { checker, faultsText } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { type EventReport, type FinalScore, type LeftOut, LeftOutCounts } from '../answer.ts';
import type { EventState } from '../verdict.ts';
import type { League } from './leagues.ts';

/** The answer has another shape than it used to have. */
export class OtherShape extends Error {
  override name = 'OtherShape';
}

/** What an answer says, and what was left out of it. */
export interface Scoreboard {
  events: EventReport[];
  /** Ids of all its games, those without a start too; undefined where it may have left some out. */
  eventIds: string[] | undefined;
  leftOut: LeftOut;
}

/** Events that are asked for at most: an answer with as many may have left some out. */
export const maxListed = 500;

const name = plainText(1, 95);
const status = Type.Object({
  period: Type.Optional(Type.Number()),
  type: Type.Object({
    name: Type.String({ maxLength: 60 }),
    state: Type.String({ maxLength: 20 }),
    completed: Type.Boolean(),
    detail: Type.Optional(Type.String({ maxLength: 200 })),
  }),
});
/** The parts of a game's status that tell its state. */
type Status = Static<typeof status>;
const competitor = Type.Object({
  homeAway: Type.Optional(Type.String()),
  order: Type.Optional(Type.Number()),
  winner: Type.Optional(Type.Boolean()),
  score: Type.Optional(Type.String({ maxLength: 10 })),
  team: Type.Optional(Type.Object({ displayName: name })),
  athlete: Type.Optional(Type.Object({ displayName: name })),
  linescores: Type.Optional(
    Type.Array(
      Type.Object({
        value: Type.Optional(Type.Number()),
        displayValue: Type.Optional(Type.String({ maxLength: 10 })),
      }),
      { maxItems: 60 },
    ),
  ),
});
type Competitor = Static<typeof competitor>;
const competition = Type.Object({
  id: Type.String({ pattern: '^[0-9]{1,20}$' }),
  date: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?Z$', maxLength: 30 }),
  // False while the start is to be announced.
  timeValid: Type.Optional(Type.Boolean()),
  status,
  competitors: Type.Array(competitor, { minItems: 2, maxItems: 2 }),
});
type Competition = Static<typeof competition>;
const checkCompetition = checker(competition);
const checkAnswer = checker(Type.Object({ events: Type.Array(Type.Unknown(), { maxItems: 2000 }) }));
const checkEvent = checker(
  Type.Object({
    timeValid: Type.Optional(Type.Boolean()),
    status: Type.Optional(Type.Unknown()),
    competitions: Type.Array(Type.Record(Type.String(), Type.Unknown()), { maxItems: 40 }),
  }),
);

/**
 * Reads a scoreboard: a game for each competition of its events.
 * @throws OtherShape when it is no scoreboard, or when more of its games are unreadable than readable
 */
export function readScoreboard(body: unknown, league: League): Scoreboard {
  const answer = checkAnswer(body);
  if (!answer.ok)
    throw new OtherShape(`the answer is no scoreboard: ${faultsText(answer.faults).slice(0, 120)}`);
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
  if (unreadable > readable) throw new OtherShape(`${unreadable} games cannot be read: ${example}`);
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
  const said = stateOf(game.status);
  if (said === undefined) {
    leftOut.add('unknown state');
    return report;
  }
  if (said.state !== 'final') return { ...report, state: said.state };
  const score = said.note ?? finalScore(game.status, { home, away }, league);
  if (typeof score === 'string') {
    leftOut.add(`final score: ${score}`);
    return { ...report, state: 'final', note: score };
  }
  return { ...report, state: 'final', score };
}

/**
 * What a status says. A state `final` with a note is over without a score to grade by.
 * @returns undefined for one that is not known
 */
function stateOf({ type }: Status): { state: EventState; note?: string } | undefined {
  // Postponed and cancelled games have the state `post` as well, so the name is read first.
  const named = stateNames.find(([pattern]) => pattern.test(type.name));
  if (named !== undefined) return named[1];
  if (type.state === 'in') return { state: 'in_progress' };
  if (type.state === 'pre') return { state: 'scheduled' };
  return undefined;
}

const stateNames: readonly (readonly [RegExp, { state: EventState; note?: string }])[] = [
  [/CANCEL|ABANDON/, { state: 'cancelled' }],
  [/POSTPONED|RESCHEDULED/, { state: 'postponed' }],
  [/SUSPENDED/, { state: 'suspended' }],
  [/DELAY/, { state: 'delayed' }],
  [/FORFEIT|UNCONTESTED|WALKOVER/, { state: 'final', note: 'forfeited' }],
  [/NO_CONTEST/, { state: 'final', note: 'no contest' }],
  [/^STATUS_(FINAL|FULL_TIME)/, { state: 'final' }],
];

/** Whether a soccer match went beyond the 90 minutes: its score then counts more than they do. */
function wentBeyond90({ period = 2, type: { name, detail = '' } }: Status): boolean {
  return /_(AET|PEN)/.test(name) || /\b(AET|ET|pens?|penalties)\b/i.test(detail) || period > 2;
}

/** Home and away; of fighters, who have neither, the one who is listed first is home. */
function sidesOf(competitors: readonly Competitor[]): (Competitor | undefined)[] {
  const named = ['home', 'away'].map((side) => competitors.find(({ homeAway }) => homeAway === side));
  if (named.every((side) => side !== undefined)) return named;
  return competitors.every(({ homeAway }) => homeAway === undefined)
    ? competitors.toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0))
    : [];
}

interface Sides {
  home: Competitor;
  away: Competitor;
}

/** The score that picks are graded by, or why there is none. */
function finalScore(status: Status, { home, away }: Sides, league: League): FinalScore | string {
  if (!status.type.completed || status.type.state !== 'post') return 'contradictory state';
  if (league.sport === 'mma') return winnerOf(home, away);
  const score = { home: points(home.score), away: points(away.score) };
  if (score.home === undefined || score.away === undefined) return 'no score';
  const full = { home: score.home, away: score.away };
  if (league.sport === 'soccer' && wentBeyond90(status)) return in90(home, away) ?? 'after extra time';
  if (league.sport !== 'soccer' && full.home === 0 && full.away === 0) return '0-0';
  if (contradicts(home, away, full)) return 'contradictory winner';
  const half = firstHalf(home, away, full, league);
  return half === undefined ? full : { ...full, homeHalf: half.home, awayHalf: half.away };
}

/** Of a bout only the winner is known: 1-0. A draw and no contest look alike. */
function winnerOf(home: Competitor, away: Competitor): FinalScore | string {
  if (home.winner === away.winner) return 'no winner';
  return home.winner === true ? { home: 1, away: 0 } : { home: 0, away: 1 };
}

function points(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,3}$/.test(text) ? Number(text) : undefined;
}

function contradicts(home: Competitor, away: Competitor, score: FinalScore): boolean {
  if (home.winner === away.winner) return false;
  return home.winner === true ? score.home < score.away : score.away < score.home;
}

/** Goals by period; undefined unless each period has a whole number. */
function byPeriod({ linescores = [] }: Competitor): number[] | undefined {
  const values = linescores.map(({ value, displayValue }) => value ?? points(displayValue));
  return values.every((value): value is number => value !== undefined && Number.isInteger(value))
    ? values
    : undefined;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** The score after 90 minutes of a match that went on, where both sides' goals are given by period. */
function in90(home: Competitor, away: Competitor): FinalScore | undefined {
  const [h, a] = [byPeriod(home), byPeriod(away)];
  if (h === undefined || a === undefined || h.length < 4 || a.length < 4) return undefined;
  // Periods 3 and 4 are extra time; what follows is the shootout, which the score does not count.
  if (sum(h.slice(0, 4)) !== points(home.score) || sum(a.slice(0, 4)) !== points(away.score))
    return undefined;
  return { home: h[0]! + h[1]!, away: a[0]! + a[1]!, homeHalf: h[0]!, awayHalf: a[0]! };
}

function firstHalf(
  home: Competitor,
  away: Competitor,
  score: FinalScore,
  { periods }: League,
): { home: number; away: number } | undefined {
  const [h, a] = [byPeriod(home), byPeriod(away)];
  if (periods === undefined || h === undefined || a === undefined) return undefined;
  if (h.length < periods.all || a.length < periods.all) return undefined;
  if (sum(h) !== score.home || sum(a) !== score.away) return undefined;
  return { home: sum(h.slice(0, periods.firstHalf)), away: sum(a.slice(0, periods.firstHalf)) };
}
