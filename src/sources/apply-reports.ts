import { applyGames } from '../games/apply-games.ts';
import { findGames, type Game, type GameRow, gameColumns, gameKey } from '../games/game.ts';
import { applyLines, type LineRow } from '../games/lines.ts';
import { recordNotices } from '../ledger/notices.ts';
import { takeLock } from '../platform/advisory-locks.ts';
import { iso } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { type Announced, matchEvents, similarStartMs } from './match.ts';
import { readFixture, readTeamNames, type TeamNames } from './teams.ts';

/** One event as a source reports it. */
export interface EventReport extends Announced {
  cancelled?: boolean;
  /** The final score, once the event is over; by team, as the source names them. */
  score?: { away: number; home: number };
  prices?: readonly PriceReport[];
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
  finals: number;
  cancelled: number;
  prices: number;
  corrections: number;
}

/** How far a provider's clock may be ahead of the service's, in milliseconds. */
const clockSkewMs = 120_000;

type BoundGame = Game & { eventId: string; saidStart: number };

/**
 * Applies a source's reports through the functions that files and the operator's port use. A known event keeps its game; a new one is
 * matched to a game of the same teams with a similar start, or becomes a new game `Away @ Home`. A changed start moves the game. Prices
 * from the start on are ignored: they are in-play prices.
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
  // If an answer reports an event twice, the last report counts.
  const events = [...new Map(reports.map((report) => [report.eventId, report])).values()];
  return database.transaction(async (transaction) => {
    await takeLock(transaction, 'sources');
    const names = await readTeamNames(transaction, sport);
    const bound = await boundGames(transaction, source, events);
    const fresh = events.filter(({ eventId }) => !bound.has(eventId));
    const candidates = await unboundGames(transaction, source, sport, events, fresh);
    const matched = matchEvents(fresh, candidates, names);
    const said = events.flatMap((event) => {
      const known = bound.get(event.eventId);
      const game = known ?? matched.get(event.eventId);
      // An unknown event that has started has no picks.
      if (game === undefined && (event.startsAt <= now || event.cancelled === true)) return [];
      const row = { ...nameOf(event, sport, game), ...changeOf(event, known, game, names, now) };
      return [
        {
          event,
          row: { status: 'scheduled', ...row } as GameRow,
          isChange: game === undefined || 'status' in row,
        },
      ];
    });
    const rows = said.filter(({ isChange }) => isChange).map(({ row }) => row);
    const { outcomes, corrections } = await applyGames(transaction, rows, { now, imported: false });
    await recordNotices(transaction, 'correction', corrections, now);
    const games = await findGames(
      transaction,
      said.map(({ row }) => row),
    );
    const pairs = said.flatMap(({ event, row }) => {
      const game = games.get(gameKey(row));
      return game === undefined ? [] : [{ event, game }];
    });
    await bind(transaction, source, pairs, now);
    const lines = pairs.flatMap(({ event, game }) => linesOf(event, game, names, now));
    const priced = await applyLines(transaction, lines, { now, imported: false });
    const changed = (status: GameRow['status']) =>
      rows.filter((row, index) => row.status === status && outcomes[index]?.outcome === 'updated').length;
    return {
      events: pairs.length,
      added: outcomes.filter(({ outcome }) => outcome === 'added').length,
      moved: changed('scheduled'),
      finals: changed('final'),
      cancelled: changed('cancelled'),
      prices: priced.filter(({ outcome }) => outcome === 'added').length,
      corrections: corrections.length,
    };
  });
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
    .select({ ...gameColumns, eventId: 'e.event_id', saidStart: 'e.starts_at' });
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
    new Date(Math.min(...starts) - similarStartMs),
    new Date(Math.max(...starts) + similarStartMs),
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
  sport: string,
  game: Game | undefined,
): Pick<GameRow, 'sport' | 'game' | 'startsAt'> {
  if (game === undefined)
    return { sport, game: `${event.away} @ ${event.home}`, startsAt: iso(event.startsAt) };
  return { sport, game: game.name, startsAt: game.announcedStart === null ? null : iso(game.announcedStart) };
}

/** What a report changes in a known game. */
function changeOf(
  event: EventReport,
  bound: BoundGame | undefined,
  game: Game | undefined,
  names: TeamNames,
  now: number,
): Partial<GameRow> {
  if (game === undefined) return {};
  if (event.cancelled === true) return { status: 'cancelled' };
  if (event.score !== undefined && event.startsAt <= now) {
    const { away, home } = event.score;
    return isSwapped(event, game, names)
      ? { status: 'final', awayScore: home, homeScore: away }
      : { status: 'final', awayScore: away, homeScore: home };
  }
  if (bound === undefined || bound.saidStart === event.startsAt || game.startsAt === event.startsAt)
    return {};
  if (game.status === 'final' || game.status === 'cancelled') return {};
  // After the start only a postponement to a later start counts.
  if (game.startsAt !== null && game.startsAt <= now && event.startsAt <= now) return {};
  return { status: 'scheduled', movedTo: iso(event.startsAt) };
}

/** Reports whether the source has home and away swapped. */
function isSwapped(event: Announced, game: Pick<Game, 'name'>, names: TeamNames): boolean {
  const ours = readFixture(game.name);
  return (
    ours !== undefined && names(ours.home) === names(event.away) && names(ours.home) !== names(event.home)
  );
}

function linesOf(event: EventReport, game: Game, names: TeamNames, now: number): LineRow[] {
  const start = Math.min(event.startsAt, game.startsAt ?? event.startsAt);
  if (now >= start || game.status === 'final' || game.status === 'cancelled') return [];
  const swapped = isSwapped(event, game, names);
  return (event.prices ?? []).flatMap((price) => {
    const capturedAt =
      price.capturedAt > now && price.capturedAt <= now + clockSkewMs ? now : price.capturedAt;
    if (capturedAt >= start) return [];
    const side = swapped ? swappedSide(price.side) : price.side;
    return [
      {
        ...nameOf(event, game.sport, game),
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
     on conflict (source, event_id) do update set starts_at = excluded.starts_at, seen_at = excluded.seen_at`,
    [source, new Date(now), JSON.stringify(rows)],
  );
}
