import { minimumGapMs } from '../games/names/same-game.ts';
import { opponentsKey, type Teams } from '../games/names/teams.ts';
import { readFixture } from '../games/names/title.ts';
import { type Announced, type Candidate, startGap } from './match.ts';

/**
 * The events of an answer. If it reports one twice, the last report counts; a cancelled event is left out that another one of the same
 * opponents replaces.
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
  const limit = minimumGapMs(teams.sport);
  const isReplaced = (event: E) =>
    starts.get(opponentsKey(event, teams))?.some((start) => Math.abs(start - event.startsAt) < limit) ===
    true;
  return events.filter((event) => event.state !== 'cancelled' || !isReplaced(event));
}

/**
 * Why unmatched events are no new games, by id: docs/decisions/0040-titles-and-teams.md.
 * @param games those that other events of the answer are about
 */
export function refusedEvents(
  events: readonly Announced[],
  games: readonly Candidate[],
  teams: Teams,
): Map<string, 'unknown team' | 'game listed twice'> {
  const refused = new Map<string, 'unknown team' | 'game listed twice'>();
  const limit = minimumGapMs(teams.sport);
  const byOpponents = new Map<string, Candidate[]>();
  const add = (key: string, game: Candidate) => byOpponents.set(key, [...(byOpponents.get(key) ?? []), game]);
  for (const game of games) {
    const fixture = readFixture(game.name, teams.sport);
    if (fixture !== undefined) add(opponentsKey(fixture, teams), game);
  }
  for (const event of events) {
    const { eventId, away, home, startsAt } = event;
    const key = opponentsKey(event, teams);
    if (teams.closed && !(teams.knows(away) && teams.knows(home))) refused.set(eventId, 'unknown team');
    else if (byOpponents.get(key)?.some((game) => startGap(event, game) < limit) === true)
      refused.set(eventId, 'game listed twice');
    else add(key, { id: 0, name: '', announcedStart: startsAt, startsAt });
  }
  return refused;
}
