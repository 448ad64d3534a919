import { isoOrNull } from '../../platform/clock.ts';
import { type GameStatus, tierRank } from '../../rules/vocabulary.ts';
import { type RosterRow, rosterRows } from '../cappers/roster.ts';
import type { BoardContext } from '../endpoint.ts';

/** Maximum numbers of cappers, upcoming games, and started games in an answer. */
const max = { cappers: 20, coming: 10, started: 20 };

/** Limits for words that very many games match: days of recent games, and number of older games. */
const recentDays = 60;
const maxOlder = 5000;

/**
 * Maximum number of matching games sorted here. With `order by`, the planner would walk the index of starts and compute the words of every
 * name.
 */
const maxSorted = 1000;
const maxCappers = 500;

/** Returns cappers whose handle or display name matches: an exact handle first, then by tier and handle. */
export async function cappersNamed(
  context: BoardContext,
  query: string,
  handle: string,
): Promise<RosterRow[]> {
  const { rows: found }: { rows: { id: number }[] } = await context.database.raw(
    `select id from (
       (select id, handle, tier from cappers
        where words_of(handle || ' ' || coalesce(display_name, '')) @@ to_tsquery('simple', :query) limit :most)
       union select id, handle, tier from cappers where handle = :handle) c
     order by handle = :handle desc, array_position(array['elite', 'verified_sharp', 'listed'], tier), handle collate "C"
     limit :shown`,
    { query, handle, most: maxCappers, shown: max.cappers },
  );
  const rows = await rosterRows(context, { ids: found.map(({ id }) => id), limit: max.cappers });
  const place = ({ handle: name, tier }: RosterRow) => (name === handle ? -1 : tierRank(tier));
  return rows.sort((a, b) => place(a) - place(b) || (a.handle < b.handle ? -1 : 1));
}

type NamedGame = Omit<GameRow, 'startsAt'> & { startsAt: string | null };

/** Returns games whose names match: upcoming ones, soonest first, then started ones, latest first. */
export async function gamesNamed(
  { database, now }: Pick<BoardContext, 'database' | 'now'>,
  query: string,
): Promise<NamedGame[]> {
  const few = await matching(database, query).limit(maxSorted + 1);
  const games = few.length <= maxSorted ? sorted(few, now) : await byStart(database, query, now);
  return games.map((game) => ({ ...game, startsAt: isoOrNull(game.startsAt) }));
}

/** Selects and orders all matches like {@link byStart}. */
function sorted(games: readonly GameRow[], now: number): GameRow[] {
  const byName = (a: GameRow, b: GameRow) => (a.game === b.game ? a.id - b.id : a.game < b.game ? -1 : 1);
  const known = games.filter((game): game is GameRow & { startsAt: number } => game.startsAt !== null);
  const coming = known
    .filter(({ startsAt }) => startsAt > now)
    .sort((a, b) => a.startsAt - b.startsAt || byName(a, b));
  const unknown = games.filter(({ startsAt }) => startsAt === null).sort((a, b) => b.id - a.id);
  const started = known
    .filter(({ startsAt }) => startsAt <= now)
    .sort((a, b) => b.startsAt - a.startsAt || byName(a, b));
  return [...[...coming, ...unknown].slice(0, max.coming), ...started.slice(0, max.started)];
}

/** Finds games for words that very many games match, without reading all of them. */
async function byStart(database: BoardContext['database'], query: string, now: number): Promise<GameRow[]> {
  const recent = new Date(now - recentDays * 86_400_000);
  const [coming, started] = await Promise.all([
    toCome(database, query, now),
    matching(database, query)
      .whereBetween('starts_at', [recent, new Date(now)])
      .orderByRaw('starts_at desc, name collate "C", id')
      .limit(max.started),
  ]);
  const missing = max.started - started.length;
  const older =
    missing > 0 ? await matching(database, query).where('starts_at', '<', recent).limit(maxOlder) : [];
  return [...coming, ...started, ...sorted(older, now).slice(0, missing)];
}

/** Finds upcoming games, including those without a known start. */
async function toCome(database: BoardContext['database'], query: string, now: number): Promise<GameRow[]> {
  const [coming, unknown] = await Promise.all([
    matching(database, query)
      .where('starts_at', '>', new Date(now))
      .orderByRaw('starts_at, name collate "C", id')
      .limit(max.coming),
    matching(database, query).whereNull('starts_at').orderBy('id', 'desc').limit(max.coming),
  ]);
  return [...coming, ...unknown.slice(0, max.coming - coming.length)];
}

interface GameRow {
  id: number;
  sport: string;
  game: string;
  startsAt: number | null;
  day: string | null;
  status: GameStatus;
}

function matching(database: BoardContext['database'], query: string) {
  return database<GameRow>('games')
    .whereRaw(`words_of(name) @@ to_tsquery('simple', ?)`, [query])
    .select('id', 'sport', { game: 'name', startsAt: 'starts_at' }, 'day', 'status');
}
