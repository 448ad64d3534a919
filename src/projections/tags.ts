import { canonicalTitle } from '../games/names/teams.ts';

/** Tags of data that an answer depends on. Each log entry bumps all tags that apply to it, which makes answers with these tags stale. */
export const tags = {
  posted: 'posted',
  closed: 'closed',
  settled: 'settled',
  sport: (key: string) => `sport:${key}`,
  /** A pick or key of this capper, or the capper's tier, verification, or name, changed. */
  capper: (handle: string) => `capper:${handle}`,
  pick: (uuid: string) => `pick:${uuid}`,
  /** A game of this name, under any names of its teams, changed: one of its picks, its start, or its status. */
  game: (sport: string, name: string) => `game:${sport}:${canonicalTitle(sport, name).toLowerCase()}`,
  /** Any game or capper changed: a start moved, a game was cancelled, or a tier or verification changed. */
  world: 'world',
  pickOfTheDay: 'pick-of-the-day',
  /** An incident opened, closed, or changed its status. */
  incidents: 'incidents',
} as const;

export const everyEvent = [tags.posted, tags.closed, tags.settled, tags.world];

/** Returns the tags of events in all sports, or of every event in one sport. @param events Default: every event */
export function eventsOf(
  sport: string | undefined,
  events: readonly ('posted' | 'closed' | 'settled')[] = ['posted', 'closed', 'settled'],
): string[] {
  return [...(sport === undefined ? events : [tags.sport(sport)]), tags.world];
}
