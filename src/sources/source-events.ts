import { type Game, gameColumns, notJoined } from '../games/game.ts';
import { arePersons } from '../games/names/league-files.ts';
import { nameIn } from '../games/names/leagues.ts';
import { inWordsOf } from '../games/names/opponents.ts';
import { isOnDay, oneGameMs, type Teams } from '../games/names/teams.ts';
import type { Fixture } from '../games/names/title.ts';
import { dayReachMs, doors, type NamedStarts, StartIndex } from '../games/which-game.ts';
import { iso } from '../platform/clock.ts';
import { inCamelCase } from '../platform/columns.ts';
import type { Transaction } from '../platform/database.ts';
import { etDay, etDayStart } from '../rules/et-day.ts';
import { sourceOf } from './index.ts';
import type { Source } from './source.ts';

export interface Announced extends Fixture {
  eventId: string;
  /** The beginning of the day if only that is known. */
  startsAt: EpochMs;
  /** The ET day if only that is known; null: the source says that it knows the time. */
  day?: string | null;
  /** Set if the source does not say which team is home. */
  homeGuessed?: true;
}

/**
 * Returns the events of an answer. If an event is reported twice, the last report counts. A canceled or postponed event is dropped if another
 * one of the same opponents replaces it.
 */
export function currentEvents<E extends Announced & { state?: string }>(
  reports: readonly E[],
  teams: Teams,
): E[] {
  const events = [...new Map(reports.map((report) => [report.eventId, report])).values()];
  const isOff = ({ state }: E) => state === 'cancelled' || state === 'postponed';
  return withoutRepeats(events, isOff, teams);
}

/** Returns an event with the names that only the feed's competition decides in full, and with its day if it has no time. */
export function inCompetition<E extends Announced>(event: E, sport: string, feed: string): E {
  const day = event.day === undefined ? dayMeant(event.startsAt, sport) : (event.day ?? undefined);
  return {
    ...event,
    ...(day === undefined ? {} : { day, startsAt: etDayStart(day) }),
    away: nameIn(sport, feed, event.away),
    home: nameIn(sport, feed, event.home),
  };
}

/**
 * Returns the day that a start at midnight in New York means, because sources write it if they know only the day. Matches of persons do begin
 * at that time, in Australia.
 */
function dayMeant(startsAt: number, sport: string): string | undefined {
  const day = etDay(startsAt);
  return etDayStart(day) === startsAt && !arePersons(sport) ? day : undefined;
}

/** Returns the day of an event of which only that is known, else its start. */
export function whenOf({ day, startsAt }: Announced): number | string {
  return day ?? startsAt;
}

/** Drops events that repeat a game with only its day instead of the exact start. */
export function withoutStandIns<E extends Announced>(events: readonly E[], teams: Teams): E[] {
  return withoutRepeats(events, ({ day }) => day != null, teams);
}

/** Drops the weak ones of those events that list the same game. */
function withoutRepeats<E extends Announced>(
  events: readonly E[],
  isWeak: (event: E) => boolean,
  teams: Teams,
): E[] {
  const strong = new StartIndex<E>(teams);
  for (const event of events) if (!isWeak(event)) strong.add(event, event, [event.startsAt]);
  return events.filter(
    (event) => !isWeak(event) || strong.find(event, whenOf(event), doors.event).length === 0,
  );
}

/**
 * Matches events to stored games. Pairs closest in time are matched first; a game matches at most one event.
 * @returns games by event id; unmatched events are absent
 */
export function matchEvents<G extends NamedStarts & { id: number }>(
  events: readonly Announced[],
  games: readonly G[],
  teams: Teams,
): Map<string, G> {
  const index = StartIndex.ofGames(games, teams);
  const pairs = events.flatMap(({ eventId, ...event }) =>
    index
      .find(event, event.day ?? event.startsAt, doors.event)
      .map(({ value: game, gap }) => ({ eventId, game, gap })),
  );
  pairs.sort((a, b) => a.gap - b.gap || a.game.id - b.game.id || (a.eventId < b.eventId ? -1 : 1));
  const matched = new Map<string, G>();
  const taken = new Set<number>();
  for (const { eventId, game } of pairs) {
    if (matched.has(eventId) || taken.has(game.id)) continue;
    matched.set(eventId, game);
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
  games: readonly NamedStarts[],
  teams: Teams,
): Map<string, 'unknown team' | 'game listed twice'> {
  const refused = new Map<string, 'unknown team' | 'game listed twice'>();
  const listed = StartIndex.ofGames(games, teams);
  for (const event of events) {
    const { eventId, away, home, startsAt } = event;
    if (teams.closed && !(teams.knows(away) && teams.knows(home))) refused.set(eventId, 'unknown team');
    else if (listed.find(event, whenOf(event), doors.event).length > 0)
      refused.set(eventId, 'game listed twice');
    else {
      const starts = { name: '', announcedStart: startsAt, startsAt };
      listed.add(starts, event, event.day == null ? [startsAt] : [], event.day ?? null);
    }
  }
  return refused;
}

/** The game of a source's event, with what the source last said of it. */
export type BoundGame = Game & { eventId: string; listedStart: number; missed: number };

const listedColumns = { listedStart: 'e.starts_at', missed: 'e.missed' };

/** Events of an answer, with the games that their ids belong to. */
export interface BoundEvents<E> {
  /** The events; those of known games use the game's order of names. */
  events: E[];
  bound: Map<string, BoundGame>;
  /** Games that an id belonged to before, with other opponents. */
  replaced: BoundGame[];
}

/**
 * Finds the games of known events. An id belongs to a game only while its opponents are the same.
 * @param undecided events of the answer without known opponents
 */
export async function boundEvents<E extends Announced>(
  transaction: Transaction,
  source: string,
  events: readonly E[],
  teams: Teams,
  undecided: readonly Announced[] = [],
): Promise<BoundEvents<E>> {
  const ids = [...events, ...undecided].map(({ eventId }) => eventId);
  const rows: BoundGame[] = await transaction('source_events as e')
    .join('games as g', 'g.id', 'e.game_id')
    .where('e.source', source)
    .whereRaw('e.event_id = any(?::text[])', [ids])
    .orderBy([{ column: 'e.seen_at', order: 'desc' }, 'g.id'])
    .select({ ...gameColumns, ...listedColumns, eventId: 'e.event_id' });
  const byId = Map.groupBy(rows, ({ eventId }) => eventId);
  const bound = new Map<string, BoundGame>();
  const inWords = events.map((event) => {
    for (const game of byId.get(event.eventId) ?? []) {
      const same = inWordsOf(event, game.name, teams);
      if (same === undefined) continue;
      bound.set(event.eventId, game);
      return same;
    }
    return event;
  });
  const listed = new Set([...bound.values()].map(({ id }) => id));
  return { events: inWords, bound, replaced: rows.filter(({ id }) => !listed.has(id)) };
}

/** A game with what a source last said of it, under any id; null: nothing. */
export type ListedGame = Game & { listedStart: number | null; missed: number | null };

/** Returns games around the starts of new events, without those of the answer's known events. */
export async function gamesNear(
  transaction: Transaction,
  source: string,
  sport: string,
  events: readonly Announced[],
  known: Iterable<number>,
): Promise<ListedGame[]> {
  if (events.length === 0) return [];
  const starts = events.map(({ startsAt }) => startsAt);
  const [first, last] = [Math.min(...starts), Math.max(...starts)];
  const reachMs = Math.max(oneGameMs(sport), dayReachMs);
  const span = [new Date(first - reachMs), new Date(last + reachMs)] as const;
  const days = [etDay(first - reachMs), etDay(last + reachMs)] as const;
  return transaction('games as g')
    .joinRaw(
      `left join lateral (select starts_at, missed from source_events where source = ? and game_id = g.id
         order by seen_at desc, event_id limit 1) e on true`,
      [source],
    )
    .where('g.sport', sport)
    .whereRaw(notJoined)
    .where((either) =>
      either
        .whereBetween('g.starts_at', span)
        .orWhereBetween('g.announced_start', span)
        .orWhere((ofDay) => ofDay.whereNull('g.announced_start').whereBetween('g.day', days)),
    )
    .whereNotIn('g.id', [...known])
    .select({ ...gameColumns, ...listedColumns });
}

/** How recently a source must have listed a game for its start to count, in ms. */
const standsByMs = 3_600_000;

/** Returns games whose current start a more trusted source reports too. */
export async function steadyStarts(
  transaction: Transaction,
  source: string,
  games: readonly Game[],
  now: number,
): Promise<Set<number>> {
  if (games.length === 0) return new Set();
  const trust = trustOf(source);
  const rows: { gameId: number; source: string; startsAt: number }[] = await transaction('source_events')
    .whereIn(
      'game_id',
      games.map(({ id }) => id),
    )
    .where('seen_at', '>=', new Date(now - standsByMs))
    .select(inCamelCase('game_id source starts_at'));
  const starts = new Map(games.map(({ id, startsAt }) => [id, startsAt]));
  return new Set(
    rows
      .filter((row) => trustOf(row.source) < trust && starts.get(row.gameId) === row.startsAt)
      .map(({ gameId }) => gameId),
  );
}

/** Reports whether a source has schedules. Others report only on known games. */
export function announcesGames(feed: string): boolean {
  const declared: Source | undefined = sourceOf(feed);
  return declared === undefined || declared.offers.schedule !== undefined;
}

function trustOf(feed: string): number {
  const declared: Source | undefined = sourceOf(feed);
  return declared?.offers.schedule?.trust ?? Number.MAX_SAFE_INTEGER;
}

/** How long another id of a listed game is kept, in ms: some feeds give every event a new id each time. */
const formerIdsMs = 86_400_000;

/** Stores which games events belong to, and that the source lists them now. */
export async function bind(
  transaction: Transaction,
  source: string,
  pairs: readonly { event: Announced; game: Game }[],
  now: number,
): Promise<void> {
  const rows = pairs.map(({ event, game }) => ({
    event_id: event.eventId,
    game_id: game.id,
    // A source that names only the day does not contradict the start.
    starts_at: iso(
      event.day != null && game.startsAt !== null && isOnDay(game.sport, event.day, game.startsAt)
        ? game.startsAt
        : event.startsAt,
    ),
  }));
  await transaction.raw(
    `insert into source_events (source, event_id, game_id, starts_at, seen_at)
     select ?, event_id, game_id, starts_at, ? from json_to_recordset(?) as r (event_id text, game_id bigint, starts_at timestamptz)
     on conflict (source, event_id, game_id) do update set starts_at = excluded.starts_at, seen_at = excluded.seen_at,
       missed = 0, missed_since = null`,
    [source, new Date(now), JSON.stringify(rows)],
  );
  await transaction('games')
    .whereIn(
      'id',
      rows.map(({ game_id }) => game_id),
    )
    .whereNull('vouched_at')
    .update('vouched_at', new Date(now));
  await transaction('source_events')
    .where({ source })
    .whereIn(
      'game_id',
      rows.map(({ game_id }) => game_id),
    )
    .where('seen_at', '<', new Date(now - formerIdsMs))
    .delete();
}
