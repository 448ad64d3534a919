import { areOneGame, opponentsKey, type Teams } from '../games/names/teams.ts';
import { type Fixture, readFixture } from '../games/names/title.ts';
import { etDay, etDayStart } from '../rules/et-day.ts';

/** An event as a source announces it. */
export interface Announced extends Fixture {
  eventId: string;
  /** Epoch milliseconds. */
  startsAt: number;
  /** Set if the source does not say which team is home. */
  homeGuessed?: true;
}

/** A possible game of an event. */
interface Candidate {
  id: number;
  name: string;
  /** The first announced start and the current one, in epoch milliseconds. */
  announcedStart: number | null;
  startsAt: number | null;
}

/**
 * Returns the events of an answer. If an event is reported twice, the last report counts. A canceled event is dropped if another one of the
 * same opponents replaces it.
 */
export function currentEvents<E extends Announced & { state?: string }>(
  reports: readonly E[],
  teams: Teams,
): E[] {
  const events = [...new Map(reports.map((report) => [report.eventId, report])).values()];
  const starts = new Map<string, number[]>();
  for (const event of events.filter(({ state }) => state !== 'cancelled')) {
    const key = opponentsKey(event, teams);
    starts.set(key, [...(starts.get(key) ?? []), event.startsAt]);
  }
  const isReplaced = (event: E) =>
    starts
      .get(opponentsKey(event, teams))
      ?.some((start) => areOneGame(teams.sport, start, event.startsAt)) === true;
  return events.filter((event) => event.state !== 'cancelled' || !isReplaced(event));
}

/** Reports whether a start is midnight in New York, which calendars use if they know only the day. */
export function isStandIn(startsAt: number): boolean {
  return etDayStart(etDay(startsAt)) === startsAt;
}

/** Drops events that repeat a game with a placeholder start instead of the exact one. */
export function withoutStandIns<E extends Announced>(events: readonly E[], teams: Teams): E[] {
  const exact = Map.groupBy(
    events.filter(({ startsAt }) => !isStandIn(startsAt)),
    (event) => opponentsKey(event, teams),
  );
  return events.filter(
    (event) =>
      !isStandIn(event.startsAt) ||
      exact
        .get(opponentsKey(event, teams))
        ?.some(({ startsAt }) => areOneGame(teams.sport, startsAt, event.startsAt)) !== true,
  );
}

/**
 * Matches events to games with the same opponents, in either order (sources disagree about neutral venues), and a similar start. Pairs
 * closest in time are matched first; a game matches at most one event.
 * @returns games by event id; unmatched events are absent
 */
export function matchEvents<G extends Candidate>(
  events: readonly Announced[],
  games: readonly G[],
  teams: Teams,
): Map<string, G> {
  const candidates = byOpponents(games, teams);
  const pairs = events.flatMap((event) =>
    (candidates.get(opponentsKey(event, teams)) ?? [])
      .filter((game) => isSameGame(event, game, teams))
      .map((game) => ({ event, game, gap: startGap(event, game) })),
  );
  pairs.sort(
    (a, b) => a.gap - b.gap || a.game.id - b.game.id || (a.event.eventId < b.event.eventId ? -1 : 1),
  );
  const matched = new Map<string, G>();
  const taken = new Set<number>();
  for (const { event, game } of pairs) {
    if (matched.has(event.eventId) || taken.has(game.id)) continue;
    matched.set(event.eventId, game);
    taken.add(game.id);
  }
  return matched;
}

/**
 * Returns why unmatched events are not new games, by id: docs/rules/teams.md.
 * @param games games of other events in the answer
 */
export function refusedEvents(
  events: readonly Announced[],
  games: readonly Candidate[],
  teams: Teams,
): Map<string, 'unknown team' | 'game listed twice'> {
  const refused = new Map<string, 'unknown team' | 'game listed twice'>();
  const listed = byOpponents(games, teams);
  for (const event of events) {
    const { eventId, away, home, startsAt } = event;
    const key = opponentsKey(event, teams);
    if (teams.closed && !(teams.knows(away) && teams.knows(home))) refused.set(eventId, 'unknown team');
    else if (listed.get(key)?.some((game) => isSameGame(event, game, teams)) === true)
      refused.set(eventId, 'game listed twice');
    else
      listed.set(key, [...(listed.get(key) ?? []), { id: 0, name: '', announcedStart: startsAt, startsAt }]);
  }
  return refused;
}

/** Groups games whose name is a fixture by {@link opponentsKey}. */
function byOpponents<G extends Candidate>(games: readonly G[], teams: Teams): Map<string, G[]> {
  const found = new Map<string, G[]>();
  for (const game of games) {
    const fixture = readFixture(game.name, teams.sport);
    if (fixture === undefined) continue;
    const key = opponentsKey(fixture, teams);
    found.set(key, [...(found.get(key) ?? []), game]);
  }
  return found;
}

function isSameGame(event: { startsAt: number }, game: Candidate, { sport }: Teams): boolean {
  return startsOf(game).some((start) => areOneGame(sport, start, event.startsAt));
}

/** Returns the milliseconds between an event's start and the closer start of a game. */
function startGap(event: { startsAt: number }, game: Candidate): number {
  return Math.min(...startsOf(game).map((start) => Math.abs(start - event.startsAt)));
}

/** Returns a game's starts: first announced, and current. */
function startsOf({ announcedStart, startsAt }: Candidate): number[] {
  return [announcedStart, startsAt].filter((start) => start !== null);
}
