import { inCamelCase } from '../platform/columns.ts';
import type { Database } from '../platform/database.ts';
import { type PricedDay, type SeenPrice, sourceWindowMs } from '../rules/price-check.ts';

/** Returns every start that games have had, in epoch milliseconds; an empty list for a game without one. */
export async function startsOf(
  database: Database,
  gameIds: readonly number[],
): Promise<Map<number, number[]>> {
  const { rows }: { rows: { gameId: number; at: number | null }[] } = await database.raw(
    `select g.id as "gameId", s.at from games g cross join lateral (
       values (g.announced_start), (g.starts_at), (g.held_start) union select m.from_start from start_moves m where m.game_id = g.id) s (at)
     where g.id = any(?::bigint[])`,
    [[...gameIds]],
  );
  const starts = new Map<number, number[]>(gameIds.map((id) => [id, []]));
  for (const { gameId, at } of rows) if (at !== null) starts.get(gameId)!.push(at);
  return starts;
}

/** A stored price. Ids ascend in the order of storing. */
export type StoredPrice = SeenPrice & { id: number; gameId: number };

/** Reads all prices of some games, by {@link marketKey}. */
export async function pricesOf(
  database: Database,
  gameIds: readonly number[],
): Promise<Map<string, StoredPrice[]>> {
  return Map.groupBy(await allPrices(database, gameIds), marketKey);
}

export type MarketName = Pick<StoredPrice, 'gameId' | 'market' | 'subject'>;

/** Reads the prices of some markets, by {@link marketKey}. */
export async function pricesOfMarkets(
  database: Database,
  markets: readonly MarketName[],
): Promise<Map<string, StoredPrice[]>> {
  const wanted = new Map(
    markets.map(({ gameId, market, subject }) => {
      const one = { gameId, market, subject };
      return [marketKey(one), one];
    }),
  );
  if (wanted.size === 0) return new Map();
  const columns = Object.entries(priceColumns).map(([as, column]) => `l.${column} as "${as}"`);
  const { rows }: { rows: StoredPrice[] } = await database.raw(
    `select ${columns.join(', ')}
     from json_to_recordset(?) as w ("gameId" bigint, market text, subject text)
     join lines l on l.game_id = w."gameId" and l.market = w.market and l.subject is not distinct from w.subject`,
    [JSON.stringify([...wanted.values()])],
  );
  return Map.groupBy(rows, marketKey);
}

/** Reads all prices of some games, by `<game id>/<market>`. All subjects of a market are together, as in a book's snapshots. */
export async function wholeMarkets(
  database: Database,
  gameIds: readonly number[],
): Promise<Map<string, StoredPrice[]>> {
  return Map.groupBy(await allPrices(database, gameIds), ({ gameId, market }) => `${gameId}/${market}`);
}

function allPrices(database: Database, gameIds: readonly number[]): Promise<StoredPrice[]> {
  return database('lines')
    .whereIn('game_id', [...gameIds])
    .select(priceColumns);
}

/** The columns of a {@link StoredPrice} in `lines`. */
export const priceColumns = inCamelCase(
  'id game_id market subject side line_e3 odds_american captured_at closing book by_hand stored_at',
);

/** Returns a key for a market of a game about a subject, for maps. */
export function marketKey({ gameId, market, subject }: MarketName): string {
  return JSON.stringify([gameId, market, subject]);
}

export interface PricedDays {
  get(sport: string): readonly PricedDay[] | undefined;
  /** The id of the first price that any provider had for any sport; null if none ever had one. */
  firstLineId: number | null;
}

/**
 * Reads the days on which providers had prices for sports, beginning 30 days before the earliest given instant.
 * @param asked sports, each with an instant in epoch milliseconds, such as the post time
 */
export async function pricedDays(
  database: Database,
  asked: readonly { sport: string; postedAt: number }[],
): Promise<PricedDays> {
  if (asked.length === 0) return Object.assign(new Map(), { firstLineId: null });
  const earliest = asked.reduce((at, { postedAt }) => Math.min(at, postedAt), Infinity);
  const rows: (PricedDay & { sport: string })[] = await database('priced_days')
    .whereRaw('sport = any(?::text[])', [[...new Set(asked.map(({ sport }) => sport))]])
    .where('captured_at', '>=', new Date(earliest - sourceWindowMs))
    .select(inCamelCase('sport captured_at line_id'));
  const [first]: { id: number | null }[] = await database('priced_days').min({ id: 'line_id' });
  return Object.assign(
    Map.groupBy(rows, ({ sport }) => sport),
    { firstLineId: first!.id },
  );
}
