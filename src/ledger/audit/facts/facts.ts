import { moneylineWays } from '../../../games/game.ts';
import { marketKey, type StoredPrice } from '../../../games/lines.ts';
import { iso } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database.ts';
import type { MoneylineWays } from '../../../rules/markets/market.ts';
import { settlementOf } from '../../settlement.ts';
import { Difference } from '../difference.ts';
import { auditClosing } from './closings.ts';
import { type PickFacts, readPicks } from './read-picks.ts';
import { auditSettlement } from './settlements.ts';

/** A live pick is sealed within 15 minutes of being stored, or no checkpoint is signed meanwhile. */
const sealedWithinMs = 15 * 60_000;

/** Games whose prices are in memory at once: a game followed by the minute has tens of thousands. */
const gamesAtOnce = 25;

/**
 * Recomputes, from scores, result events and prices, how each pick closed and settled, and compares the work lists of grading with what is
 * unsettled. Reads every pick once, game by game.
 * @param pickIds those to look at; default all
 */
export async function* auditFacts(
  database: Database,
  onProgress: (picks: number) => void,
  pickIds?: readonly number[],
): AsyncGenerator<Difference> {
  const ways = await moneylineWays(database);
  const clock = await liveClock(database);
  let done = 0;
  for await (const picks of readPicks(database, pickIds)) {
    for (const some of byGames(picks)) yield* auditPicks(database, some, ways, clock);
    done += picks.length;
    onProgress(done);
  }
}

async function* auditPicks(
  database: Database,
  picks: readonly PickFacts[],
  ways: ReadonlyMap<string, MoneylineWays>,
  clock: number | null,
): AsyncGenerator<Difference> {
  const games = [...new Set(picks.map(({ game }) => game.id))];
  const [prices, starts] = [await pricesOf(database, picks), await earlierStarts(database, games)];
  for (const pick of picks) {
    const { game } = pick;
    const had = new Set([game.announcedStart, game.startsAt, ...(starts.get(game.id) ?? [])]);
    yield* auditPosted(pick, had, clock);
    yield* auditClosing(pick, prices.get(marketKey(game.id, pick.market)) ?? [], had);
    yield* auditSettlement(pick, ways.get(game.sport) ?? 2);
    yield* auditPending(pick);
    yield* auditDue(pick, ways.get(game.sport) ?? 2, clock);
  }
}

/** The clock of the database in a live log, in epoch milliseconds; null in a log whose times prove nothing. */
async function liveClock(database: Database): Promise<number | null> {
  const { rows }: { rows: { now: number }[] } = await database.raw(
    `select clock_timestamp() as now from log_kind where kind = 'live'`,
  );
  return rows[0]?.now ?? null;
}

function* auditPosted(
  { uuid, startsAt, postedAt, provenance, notYetAt }: PickFacts,
  starts: ReadonlySet<number | null>,
  clock: number | null,
): Generator<Difference> {
  const differs = (column: string, sentence: string) =>
    new Difference('picks', `pick ${uuid}`, column, sentence);
  if (!starts.has(startsAt)) yield differs('starts_at', 'its game never had that start');
  if (startsAt !== null && postedAt >= startsAt) yield differs('posted_at', 'it is not before the start');
  if (clock === null) return;
  if (postedAt > clock + 60_000) yield differs('posted_at', 'it is in the future');
  if (provenance === 'live' && notYetAt !== null && notYetAt - postedAt > sealedWithinMs)
    yield differs(
      'posted_at',
      `it is not in the checkpoint of ${iso(notYetAt)}: it was stored later than it says`,
    );
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

/** The stored prices that may have closed picks: those of their markets, up to the start. */
async function pricesOf(
  database: Database,
  picks: readonly PickFacts[],
): Promise<Map<string, StoredPrice[]>> {
  const wanted = new Map<string, { gameId: number; market: string }>();
  for (const { game, market, closing, settlement } of picks)
    if (closing !== null || settlement !== null)
      wanted.set(marketKey(game.id, market), { gameId: game.id, market });
  const { rows }: { rows: (StoredPrice & { gameId: number; market: string })[] } = await database.raw(
    `select l.id, l.game_id as "gameId", l.market, l.side, l.line_e3 as "lineE3", l.odds_american as "oddsAmerican",
       l.captured_at as "capturedAt", l.closing, l.book
     from json_to_recordset(?) as w ("gameId" bigint, market text)
     join lines l on l.game_id = w."gameId" and l.market = w.market`,
    [JSON.stringify([...wanted.values()])],
  );
  const prices = new Map<string, StoredPrice[]>();
  for (const { gameId, market, ...price } of rows) {
    const key = marketKey(gameId, market);
    const list = prices.get(key);
    if (list === undefined) prices.set(key, [price]);
    else list.push(price);
  }
  return prices;
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

/** Without its row in `pending_picks` a pick never settles. */
function* auditPending({
  uuid,
  game,
  market,
  side,
  closing,
  settlement,
  pending,
}: PickFacts): Generator<Difference> {
  const differs = (column: string | null, sentence: string) =>
    new Difference('pending_picks', `pick ${uuid}`, column, sentence);
  if (settlement !== null) {
    if (pending !== null) yield differs(null, 'it is pending, though it is settled');
    return;
  }
  if (pending === null) yield differs(null, 'it is missing: the pick would never settle');
  else if (pending.gameId !== game.id) yield differs('game_id', `it must be ${game.id}`);
  else if (pending.market !== market) yield differs('market', `it must be ${market}`);
  else if (pending.side !== side) yield differs('side', `it must be ${side}`);
  else if (pending.closed !== (closing !== null)) yield differs('closed', `it must be ${closing !== null}`);
}

/** A pick whose game is on no list would be settled by nobody: one whose result is known, or whose game is still to start. */
function* auditDue(
  pick: PickFacts,
  moneylineWays: MoneylineWays,
  clock: number | null,
): Generator<Difference> {
  const { uuid, game, event, pending, isGameDue } = pick;
  if (pending === null || isGameDue) return;
  const differs = (sentence: string) => new Difference('due_games', `game of pick ${uuid}`, null, sentence);
  if (settlementOf(pick, game, event ?? undefined, moneylineWays, clock ?? 0) !== null)
    yield differs('it is missing, though the result is known: the pick would never settle');
  else if (clock !== null && game.startsAt !== null && game.startsAt > clock)
    yield differs('it is missing before the start: the pick might never close');
}
