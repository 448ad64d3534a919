import { applyGames } from '../games/apply-games.ts';
import { findGames, type Game, type GameRow, gameColumns, gameKey } from '../games/game.ts';
import { applyLines, type LineRow } from '../games/lines.ts';
import { readTeams } from '../games/names/aliases.ts';
import { similarStartMs } from '../games/names/same-game.ts';
import { gameTitle, type Teams } from '../games/names/teams.ts';
import { readFixture } from '../games/names/title.ts';
import { scoredSides } from '../games/scored-picks.ts';
import { recordNotices } from '../ledger/notices.ts';
import { iso } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { takeLock } from '../platform/locks.ts';
import { sourceOf } from './index.ts';
import { type LeftOut, LeftOutCounts } from './left-out.ts';
import { type Announced, matchEvents } from './match.ts';
import { currentEvents, refusedEvents } from './new-events.ts';
import type { Source } from './source.ts';
import {
  endRow,
  forgetEarlierStarts,
  isEnd,
  recordSayings,
  type Saying,
  speakerOf,
  weighSayings,
} from './source-scores.ts';
import { missesToVanish } from './vanished-rule.ts';
import type { EventState } from './verdict.ts';

/** One event as a source reports it. */
export interface EventReport extends Announced {
  /** Absent where the source does not say. */
  state?: EventState;
  /** The final score, once the event is over; by team, as the source names them. */
  score?: FinalScore;
  /** Why an event that is over has no score to grade by. */
  note?: string;
  prices?: readonly PriceReport[];
}

export interface FinalScore {
  away: number;
  home: number;
  /** Of the first half, where the source has it. */
  awayHalf?: number;
  homeHalf?: number;
}

/** A price in the source's terms: `away` and `home` are those of its event. */
export interface PriceReport {
  market: string;
  side: string;
  line: number | null;
  oddsAmerican: number;
  /** Epoch milliseconds. */
  capturedAt: number;
  book: string;
}

/** How many rows were added or changed. */
export interface AppliedReports {
  events: number;
  added: number;
  moved: number;
  postponed: number;
  finals: number;
  cancelled: number;
  prices: number;
  corrections: number;
  /** What was left out of the reports, by reason. */
  leftOut: LeftOut;
}

/** How far a provider's clock may be ahead of the service's, in milliseconds. */
const clockSkewMs = 120_000;

type BoundGame = Game & { eventId: string; saidStart: number; missed: number };

/**
 * Applies a source's reports through the functions that files and the operator's port use. A known event keeps its game; a new one is
 * matched to a game of the same opponents with a similar start, or becomes a new game `Away @ Home`, unless a closed league has no such team
 * or the same opponents meet then anyway: docs/decisions/0040-titles-and-teams.md. A changed start moves the game, unless a more trusted
 * source stands by the old one. What is said of its end is weighed against what other sources say. Prices from the start
 * on are ignored: they are in-play prices.
 * @param source name of the feed; event ids are unique within it
 * @param now the service's clock, epoch milliseconds
 */
export function applyReports(
  database: Database,
  source: string,
  sport: string,
  reports: readonly EventReport[],
  now: number,
): Promise<AppliedReports> {
  return database.transaction(async (transaction) => {
    await takeLock(transaction, 'sources');
    const teams = await readTeams(transaction, sport);
    const events = currentEvents(reports, teams);
    const bound = await boundGames(transaction, source, events);
    const fresh = events.filter(({ eventId }) => !bound.has(eventId));
    const candidates = await unboundGames(transaction, source, sport, events, fresh);
    const matched = matchEvents(fresh, candidates, teams);
    const refused = refusedEvents(
      fresh.filter(({ eventId }) => !matched.has(eventId)),
      [...bound.values(), ...matched.values()],
      teams,
    );
    const leftOut = new LeftOutCounts();
    const differing = events.flatMap(({ eventId, startsAt }) => {
      const known = bound.get(eventId);
      return known === undefined || known.saidStart === startsAt ? [] : known;
    });
    const steady = await steadyStarts(transaction, source, differing, now);
    const announces = announcesGames(source);
    const said = events.flatMap((event) => {
      const known = bound.get(event.eventId);
      const game = known ?? matched.get(event.eventId);
      if (game === undefined && !announces) {
        leftOut.add('game not known');
        return [];
      }
      // An unknown event that has started has no picks.
      if (game === undefined && (event.startsAt <= now || event.state === 'cancelled')) {
        leftOut.add(event.startsAt <= now ? 'event not known before its start' : 'cancelled event not known');
        return [];
      }
      const reason = refused.get(event.eventId);
      if (reason !== undefined) {
        leftOut.add(reason);
        return [];
      }
      const change = announces ? moveOf(event, known, game, now) : {};
      const isContradicted = 'movedTo' in change && steady.has(game!.id);
      if (isContradicted) leftOut.add('start that a more trusted source contradicts');
      const row = { ...nameOf(event, teams, game), ...(isContradicted ? {} : change) };
      return [
        {
          event,
          row: { status: 'scheduled', ...row } as GameRow,
          isChange: game === undefined || 'status' in row,
        },
      ];
    });
    const rows = said.filter(({ isChange }) => isChange).map(({ row }) => row);
    const { outcomes } = await applyGames(transaction, rows, { now, imported: false });
    const moved = rows.filter(
      (row, index) => row.movedTo !== undefined && outcomes[index]?.outcome === 'updated',
    );
    const games = await findGames(
      transaction,
      said.map(({ row }) => row),
    );
    await forgetEarlierStarts(
      transaction,
      moved.flatMap((row) => games.get(gameKey(row))?.id ?? []),
    );
    const pairs = said.flatMap(({ event, row }) => {
      const game = games.get(gameKey(row));
      return game === undefined ? [] : [{ event, game }];
    });
    await bind(transaction, source, pairs, now);
    const sayings = pairs.flatMap(({ event, game }) => sayingOf(source, event, game, teams, now, leftOut));
    const changed = await recordSayings(transaction, sayings, now);
    const states = await applyStates(
      transaction,
      changed,
      pairs.map(({ game }) => game),
      now,
    );
    const lines = pairs.flatMap(({ event, game }) => linesOf(event, game, teams, now, leftOut));
    const priced = await applyLines(transaction, lines, { now, imported: false });
    return {
      events: pairs.length,
      added: outcomes.filter(({ outcome }) => outcome === 'added').length,
      moved: moved.length,
      ...states,
      prices: priced.filter(({ outcome }) => outcome === 'added').length,
      leftOut: leftOut.counts(),
    };
  });
}

/**
 * Adds prices as they were at an instant in the past to the games of known events, whatever came of these since. They say nothing else.
 * @param asOf the instant that the source says, epoch milliseconds
 */
export function applyPastPrices(
  database: Database,
  source: string,
  sport: string,
  reports: readonly EventReport[],
  asOf: number,
  now: number,
): Promise<Pick<AppliedReports, 'prices' | 'leftOut'>> {
  return database.transaction(async (transaction) => {
    const teams = await readTeams(transaction, sport);
    const games = await boundGames(transaction, source, reports);
    const leftOut = new LeftOutCounts();
    const lines = reports.flatMap((report) => {
      const game = games.get(report.eventId);
      return game === undefined ? [] : linesOf(report, game, teams, asOf, leftOut);
    });
    const priced = await applyLines(transaction, lines, { now, imported: false });
    return {
      prices: priced.filter(({ outcome }) => outcome === 'added').length,
      leftOut: leftOut.counts(),
    };
  });
}

/** What became of games by what sources say of them. */
export type AppliedStates = Pick<AppliedReports, 'postponed' | 'finals' | 'cancelled' | 'corrections'>;

/** Ends the games about which the sources agree by now: what had to wait for a second source, or to settle. */
export function settleSayings(database: Database, now: number): Promise<AppliedStates> {
  return database.transaction(async (transaction) => {
    await takeLock(transaction, 'sources');
    return applyStates(transaction, [], undefined, now);
  });
}

/**
 * Applies what changed in what a source says of games, and ends those about which the sources agree. What is said of a game that has
 * ended becomes a correction where it contradicts.
 * @param games the games to weigh, those of `changed` among them. Default: every one of which a source says that it ended
 */
async function applyStates(
  transaction: Transaction,
  changed: readonly Saying[],
  games: readonly Game[] | undefined,
  now: number,
): Promise<AppliedStates> {
  const byId = new Map(games?.map((game) => [game.id, game]));
  const reported = changed.flatMap((saying): GameRow[] => {
    const game = byId.get(saying.gameId)!;
    const row = endRow(game, saying);
    if (game.status === 'final' || game.status === 'cancelled')
      return saying.state === 'cancelled' || saying.homeScore !== null ? [row] : [];
    if (saying.state === 'postponed') return [{ ...row, status: 'postponed' }];
    return game.status === 'postponed' && !isEnd(saying.state) ? [{ ...row, status: 'scheduled' }] : [];
  });
  const weighed = await weighSayings(
    transaction,
    now,
    games?.map(({ id }) => id),
  );
  const settled = weighed.flatMap(({ game, verdict }) =>
    verdict.verdict === 'take' ? [{ game, said: verdict.said }] : [],
  );
  const beyond = await beyondWinner(
    transaction,
    settled.filter(({ game, said }) => winnerSports.has(game.sport) && said.state === 'final'),
  );
  const ends = settled.flatMap(({ game, said }) => (beyond.has(game.id) ? [] : [endRow(game, said)]));
  const rows = [...reported, ...ends];
  const { outcomes, corrections } = await applyGames(transaction, rows, { now, imported: false });
  await recordNotices(transaction, 'correction', corrections, now);
  const updated = (status: GameRow['status']) =>
    rows.filter((row, index) => row.status === status && outcomes[index]?.outcome === 'updated').length;
  return {
    postponed: updated('postponed'),
    finals: updated('final'),
    cancelled: updated('cancelled'),
    corrections: corrections.length,
  };
}

async function boundGames(
  transaction: Transaction,
  source: string,
  events: readonly Announced[],
): Promise<Map<string, BoundGame>> {
  const rows: BoundGame[] = await transaction('source_events as e')
    .join('games as g', 'g.id', 'e.game_id')
    .where('e.source', source)
    .whereRaw('e.event_id = any(?::text[])', [events.map(({ eventId }) => eventId)])
    .select({ ...gameColumns, eventId: 'e.event_id', saidStart: 'e.starts_at', missed: 'e.missed' });
  return new Map(rows.map((row) => [row.eventId, row]));
}

/** Games around the starts of new events, without those of the answer's known events. */
async function unboundGames(
  transaction: Transaction,
  source: string,
  sport: string,
  events: readonly Announced[],
  fresh: readonly Announced[],
): Promise<Game[]> {
  if (fresh.length === 0) return [];
  const starts = fresh.map(({ startsAt }) => startsAt);
  const span = [
    new Date(Math.min(...starts) - similarStartMs(sport)),
    new Date(Math.max(...starts) + similarStartMs(sport)),
  ] as const;
  return transaction('games as g')
    .where('g.sport', sport)
    .where((either) => either.whereBetween('g.starts_at', span).orWhereBetween('g.announced_start', span))
    .whereNotExists(
      transaction('source_events as e').whereRaw(
        'e.game_id = g.id and e.source = ? and e.event_id = any(?::text[])',
        [source, events.map(({ eventId }) => eventId)],
      ),
    )
    .select(gameColumns);
}

function nameOf(
  event: Announced,
  teams: Teams,
  game: Game | undefined,
): Pick<GameRow, 'sport' | 'game' | 'startsAt'> {
  const { sport } = teams;
  if (game === undefined) return { sport, game: gameTitle(event, teams), startsAt: iso(event.startsAt) };
  return { sport, game: game.name, startsAt: game.announcedStart === null ? null : iso(game.announcedStart) };
}

/** Sports of whose contests sources report who won, as 1-0. */
const winnerSports: ReadonlySet<string> = new Set(['mma']);

/** Games with pending picks that a score grades and who won does not decide: an operator's. */
async function beyondWinner(
  transaction: Transaction,
  settled: readonly { game: Game }[],
): Promise<Set<number>> {
  if (settled.length === 0) return new Set();
  const ids: number[] = await transaction('pending_picks')
    .whereIn(
      'game_id',
      settled.map(({ game }) => game.id),
    )
    .whereNot('market', 'moneyline')
    .whereRaw(`market || '/' || side = any(?::text[])`, [scoredSides.finalSides])
    .distinct()
    .pluck('game_id');
  return new Set(ids);
}

/** The move of a known game that a report announces. */
function moveOf(
  event: EventReport,
  bound: BoundGame | undefined,
  game: Game | undefined,
  now: number,
): Partial<GameRow> {
  if (game === undefined || event.state === 'postponed' || (event.state !== undefined && isEnd(event.state)))
    return {};
  if (event.score !== undefined && event.startsAt <= now) return {};
  // Listed again after its disappearance had counted as a postponement.
  if (bound !== undefined && bound.missed >= missesToVanish && game.status === 'postponed')
    return { status: 'scheduled', movedTo: iso(event.startsAt) };
  if (bound === undefined || bound.saidStart === event.startsAt || game.startsAt === event.startsAt)
    return {};
  if (game.status === 'final' || game.status === 'cancelled') return {};
  // After the start only a postponement to a later start counts.
  if (game.startsAt !== null && game.startsAt <= now && event.startsAt <= now) return {};
  return { status: 'scheduled', movedTo: iso(event.startsAt) };
}

/** How long ago a source may have listed a game and still stand by its start, in milliseconds. */
const standsByMs = 3_600_000;

/** Games whose present start a source that is trusted more than this one stands by. */
async function steadyStarts(
  transaction: Transaction,
  source: string,
  games: readonly Game[],
  now: number,
): Promise<Set<number>> {
  if (games.length === 0) return new Set();
  const place = placeOf(source);
  const rows: { gameId: number; source: string; startsAt: number }[] = await transaction('source_events')
    .whereIn(
      'game_id',
      games.map(({ id }) => id),
    )
    .where('seen_at', '>=', new Date(now - standsByMs))
    .select({ gameId: 'game_id', source: 'source', startsAt: 'starts_at' });
  const starts = new Map(games.map(({ id, startsAt }) => [id, startsAt]));
  return new Set(
    rows
      .filter((row) => placeOf(row.source) < place && starts.get(row.gameId) === row.startsAt)
      .map(({ gameId }) => gameId),
  );
}

/** Whether a source has schedules: others only speak of games that are known. */
function announcesGames(feed: string): boolean {
  const declared: Source | undefined = sourceOf(feed);
  return declared === undefined || declared.offers.schedule !== undefined;
}

function placeOf(feed: string): number {
  const declared: Source | undefined = sourceOf(feed);
  return declared?.offers.schedule?.trust ?? Number.MAX_SAFE_INTEGER;
}

/** What a report says of a game's state; nothing where it cannot be about this start of the game. */
function sayingOf(
  source: string,
  event: EventReport,
  game: Game,
  teams: Teams,
  now: number,
  leftOut: LeftOutCounts,
): Saying[] {
  const { score, startsAt } = event;
  const state = event.state ?? (score === undefined ? undefined : 'final');
  if (state === undefined) return [];
  if (state === 'final' && startsAt > now) {
    leftOut.add('final score of a game that has not started');
    return [];
  }
  // A postponed event keeps its old start where its new one is another event.
  const isOther = game.startsAt !== null && Math.abs(game.startsAt - startsAt) > similarStartMs(game.sport);
  if (isOther && state !== 'cancelled' && state !== 'final') return [];
  const isSwap = isSwapped(event, game, teams);
  const half = score?.awayHalf === undefined || score.homeHalf === undefined ? undefined : score;
  const by = (home: number | undefined, away: number | undefined) => ({
    home: (isSwap ? away : home) ?? null,
    away: (isSwap ? home : away) ?? null,
  });
  const final = state === 'final' ? by(score?.home, score?.away) : by(undefined, undefined);
  const first = state === 'final' ? by(half?.homeHalf, half?.awayHalf) : by(undefined, undefined);
  return [
    {
      gameId: game.id,
      source: speakerOf(source),
      state,
      homeScore: final.home,
      awayScore: final.away,
      homeHalfScore: first.home,
      awayHalfScore: first.away,
      note: event.note ?? null,
    },
  ];
}

/** Reports whether the source has home and away swapped. */
function isSwapped(event: Announced, game: Pick<Game, 'name'>, teams: Teams): boolean {
  const ours = readFixture(game.name, teams.sport);
  if (ours === undefined) return false;
  const home = teams.keyOf(ours.home);
  return home === teams.keyOf(event.away) && home !== teams.keyOf(event.home);
}

function linesOf(
  event: EventReport,
  game: Game,
  teams: Teams,
  now: number,
  leftOut: LeftOutCounts,
): LineRow[] {
  const start = Math.min(event.startsAt, game.startsAt ?? event.startsAt);
  if (now >= start || game.status === 'final' || game.status === 'cancelled') {
    leftOut.add('price after the start', event.prices?.length ?? 0);
    return [];
  }
  const swapped = isSwapped(event, game, teams);
  return (event.prices ?? []).flatMap((price) => {
    const capturedAt =
      price.capturedAt > now && price.capturedAt <= now + clockSkewMs ? now : price.capturedAt;
    if (capturedAt >= start) {
      leftOut.add('price after the start');
      return [];
    }
    const side = swapped ? swappedSide(price.side) : price.side;
    return [
      {
        ...nameOf(event, teams, game),
        market: price.market,
        side,
        line: price.line,
        oddsAmerican: price.oddsAmerican,
        capturedAt: iso(capturedAt),
        book: price.book,
      },
    ];
  });
}

/** The side after home and away are swapped. */
function swappedSide(side: string): string {
  return side.replace(/^(home|away)(?=_|$)/, (team) => (team === 'home' ? 'away' : 'home'));
}

async function bind(
  transaction: Transaction,
  source: string,
  pairs: readonly { event: Announced; game: Game }[],
  now: number,
): Promise<void> {
  const rows = pairs.map(({ event, game }) => ({
    event_id: event.eventId,
    game_id: game.id,
    starts_at: iso(event.startsAt),
  }));
  await transaction.raw(
    `insert into source_events (source, event_id, game_id, starts_at, seen_at)
     select ?, event_id, game_id, starts_at, ? from json_to_recordset(?) as r (event_id text, game_id bigint, starts_at timestamptz)
     on conflict (source, event_id) do update set starts_at = excluded.starts_at, seen_at = excluded.seen_at,
       missed = 0, missed_since = null`,
    [source, new Date(now), JSON.stringify(rows)],
  );
  await transaction('source_events')
    .where({ source })
    .whereIn(
      'game_id',
      rows.map(({ game_id }) => game_id),
    )
    .where('seen_at', '<', new Date(now - formerIdsMs))
    .delete();
}

/** How long another id of a listed game is remembered, in milliseconds: some feeds give every event a new id each time. */
const formerIdsMs = 86_400_000;
