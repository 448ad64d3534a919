import { similarStartMs } from '../games/names/same-game.ts';
import { opponentsKey, type Teams } from '../games/names/teams.ts';
import { type Fixture, readFixture } from '../games/names/title.ts';

/** An event as a source announces it. */
export interface Announced extends Fixture {
  eventId: string;
  /** Epoch milliseconds. */
  startsAt: number;
  /** The source does not say which of the two is home. */
  homeGuessed?: true;
}

/** A candidate game for an event. */
export interface Candidate {
  id: number;
  name: string;
  /** The first announced start and the current one; epoch milliseconds. */
  announcedStart: number | null;
  startsAt: number | null;
}

/**
 * Matches events to games: the same opponents, in either order (sources disagree about neutral venues), and a similar start. Pairs nearest in
 * time are matched first; a game matches one event at most.
 * @returns games by event id; unmatched events are absent
 */
export function matchEvents<G extends Candidate>(
  events: readonly Announced[],
  games: readonly G[],
  teams: Teams,
): Map<string, G> {
  const byOpponents = new Map<string, G[]>();
  for (const game of games) {
    const fixture = readFixture(game.name, teams.sport);
    if (fixture === undefined) continue;
    const key = opponentsKey(fixture, teams);
    byOpponents.set(key, [...(byOpponents.get(key) ?? []), game]);
  }
  const limit = similarStartMs(teams.sport);
  const pairs = events.flatMap((event) =>
    (byOpponents.get(opponentsKey(event, teams)) ?? [])
      .map((game) => ({ event, game, gap: startGap(event, game) }))
      .filter(({ gap }) => gap <= limit),
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

/** Milliseconds between an event's start and the nearer one of a game: first announced, or as now known. */
export function startGap(event: { startsAt: number }, game: Candidate): number {
  const starts = [game.announcedStart, game.startsAt].filter((start) => start !== null);
  return Math.min(...starts.map((start) => Math.abs(start - event.startsAt)));
}
