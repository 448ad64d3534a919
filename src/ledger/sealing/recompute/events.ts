import { moneylineWays } from '../../../games/game.ts';
import { marketKey, priceColumns, type StoredPrice } from '../../../games/lines.ts';
import type { Database } from '../../../platform/database.ts';
import type { MoneylineWays } from '../../../rules/markets/market.ts';
import { selectionFault } from '../../../rules/selection.ts';
import { Difference } from '../../difference.ts';
import { closingFaults, missingClosing } from './closing.ts';
import { type PickFacts, readPicks } from './read-picks.ts';
import { settlementFaults } from './settlement.ts';

/** Games whose prices are in memory at once: a game followed by the minute has tens of thousands. */
const gamesAtOnce = 25;

/** How the events of a pick differ from what prices, scores, result events, and rules give. */
export interface PickFaults {
  pick: PickFacts;
  posted: Difference[];
  closed: Difference[];
  settled: Difference[];
  /** Every start that its game had. */
  starts: ReadonlySet<number | null>;
  moneylineWays: MoneylineWays;
}

/**
 * Recomputes the events of picks, game by game. Sealing asks before an event enters the log, the audit afterwards.
 * @param pickIds default: all
 */
export async function* recomputePicks(
  database: Database,
  pickIds?: readonly number[],
): AsyncGenerator<PickFaults[]> {
  const ways = await moneylineWays(database);
  for await (const picks of readPicks(database, pickIds))
    for (const some of byGames(picks)) yield recomputeSome(database, some, ways);
}

async function recomputeSome(
  database: Database,
  picks: readonly PickFacts[],
  ways: ReadonlyMap<string, MoneylineWays>,
): Promise<PickFaults[]> {
  const games = [...new Set(picks.map(({ game }) => game.id))];
  const [priced, earlier] = [await pricesOf(database, picks), await earlierStarts(database, games)];
  return picks.map((pick) => {
    const { game } = pick;
    const starts = new Set([game.announcedStart, game.startsAt, ...(earlier.get(game.id) ?? [])]);
    const prices = priced.get(marketKey({ ...pick, gameId: game.id })) ?? [];
    const moneylineWays = ways.get(game.sport) ?? 2;
    return {
      pick,
      posted: [...postedFaults(pick, starts, moneylineWays)],
      closed: [...closingFaults(pick, prices, starts)],
      settled: [...settlementFaults(pick, starts, moneylineWays), ...missingClosing(pick, prices)],
      starts,
      moneylineWays,
    };
  });
}

function* postedFaults(
  pick: PickFacts,
  starts: ReadonlySet<number | null>,
  ways: MoneylineWays,
): Generator<Difference> {
  const { uuid, startsAt, postedAt, game } = pick;
  const differs = (column: string, sentence: string) =>
    new Difference('picks', `pick ${uuid}`, column, sentence);
  if (!starts.has(startsAt)) yield differs('starts_at', 'its game never had that start');
  if (startsAt !== null && postedAt >= startsAt) yield differs('posted_at', 'it is not before the start');
  const fault = selectionFault(pick, game.sport, ways);
  if (fault !== undefined) yield differs('side', fault);
}

/** Splits picks, which come game by game. */
function* byGames(picks: readonly PickFacts[]): Generator<PickFacts[]> {
  let some: PickFacts[] = [];
  let games = 0;
  for (const pick of picks) {
    if (some.at(-1)?.game.id !== pick.game.id) games += 1;
    if (games > gamesAtOnce) {
      yield some;
      some = [];
      games = 1;
    }
    some.push(pick);
  }
  yield some;
}

/** Reads the stored prices of the markets of picks that have closed or settled. */
async function pricesOf(
  database: Database,
  picks: readonly PickFacts[],
): Promise<Map<string, StoredPrice[]>> {
  const wanted = new Map<string, { gameId: number; market: string; subject: string | null }>();
  for (const { game, market, subject, closing, settlement } of picks)
    if (closing !== null || settlement !== null) {
      const one = { gameId: game.id, market, subject };
      wanted.set(marketKey(one), one);
    }
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

async function earlierStarts(
  database: Database,
  games: readonly number[],
): Promise<Map<number, (number | null)[]>> {
  const rows: { gameId: number; startsAt: number | null }[] = await database('earlier_starts')
    .whereRaw('game_id = any(?::bigint[])', [games as number[]])
    .select({ gameId: 'game_id', startsAt: 'starts_at' });
  const starts = new Map<number, (number | null)[]>();
  for (const { gameId, startsAt } of rows) starts.set(gameId, [...(starts.get(gameId) ?? []), startsAt]);
  return starts;
}
