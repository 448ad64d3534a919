import { type Fixture, readFixture, type TeamNames } from './teams.ts';

/** Maximum difference between two announced starts of one game: less than between the games of a doubleheader. */
export const similarStartMs = 3 * 3_600_000;

/** An event as a source announces it. */
export interface Announced extends Fixture {
  eventId: string;
  /** Epoch milliseconds. */
  startsAt: number;
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
 * Matches events to games: the same two teams, in either order (sources disagree about neutral venues), and a similar start. Pairs
 * nearest in time are matched first; a game matches one event at most.
 * @returns games by event id; unmatched events are absent
 */
export function matchEvents<G extends Candidate>(
  events: readonly Announced[],
  games: readonly G[],
  names: TeamNames,
): Map<string, G> {
  const byTeams = new Map<string, G[]>();
  for (const game of games) {
    const fixture = readFixture(game.name);
    if (fixture === undefined) continue;
    const key = teamsKey(fixture, names);
    byTeams.set(key, [...(byTeams.get(key) ?? []), game]);
  }
  const pairs = events.flatMap((event) =>
    (byTeams.get(teamsKey(event, names)) ?? [])
      .map((game) => ({ event, game, gap: gapOf(event, game) }))
      .filter(({ gap }) => gap <= similarStartMs),
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

function teamsKey({ away, home }: Fixture, names: TeamNames): string {
  return [names(away), names(home)].sort().join('\n');
}

function gapOf(event: Announced, game: Candidate): number {
  const starts = [game.announcedStart, game.startsAt].filter((start) => start !== null);
  return Math.min(...starts.map((start) => Math.abs(start - event.startsAt)));
}
