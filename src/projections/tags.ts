import { canonicalTitle } from '../games/names/teams.ts';

/** What an answer may depend on. Each log entry bumps every tag that applies to it, which makes the answers with that tag stale. */
export const tags = {
  /** A pick was posted, in any sport. */
  posted: 'posted',
  /** A pick got its closing price, in any sport. */
  closed: 'closed',
  /** A pick settled, in any sport. */
  settled: 'settled',
  /** Anything happened to a pick of this sport. */
  sport: (key: string) => `sport:${key}`,
  /** Anything happened to a pick or a key of this capper, or the capper's tier, verification, or name changed. */
  capper: (handle: string) => `capper:${handle}`,
  /** Anything happened to this pick. */
  pick: (uuid: string) => `pick:${uuid}`,
  /** Anything happened on the games of this name, by whatever names of its teams: a pick's event, a moved start, a new status. */
  game: (sport: string, name: string) => `game:${sport}:${canonicalTitle(sport, name).toLowerCase()}`,
  /** A game or a capper changed: a start moved, a game was called off, a tier or a verification changed. */
  world: 'world',
  /** Pick of the Day was chosen. */
  pickOfTheDay: 'pick-of-the-day',
  /** An incident opened, closed or changed its status. */
  incidents: 'incidents',
} as const;

/** For a board over the whole ledger. */
export const everyEvent = [tags.posted, tags.closed, tags.settled, tags.world];

/** {@link everyEvent} narrowed to one sport where there is one. */
export function eventsOf(sport: string | undefined): string[] {
  return sport === undefined ? everyEvent : [tags.sport(sport), tags.world];
}
