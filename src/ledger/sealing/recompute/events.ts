import { moneylineWays } from '../../../games/game.ts';
import {
  type MarketName,
  marketKey,
  pricedDays,
  pricesOfMarkets,
  type StoredPrice,
} from '../../../games/lines.ts';
import { pairsOf, readStarts, readTwins, type StartedGame, type Twin } from '../../../games/starts.ts';
import { iso } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database.ts';
import type { MoneylineWays } from '../../../rules/markets/market.ts';
import { selectionFault } from '../../../rules/selection.ts';
import { blockingStart, joinTakesMs, passedStarts, startsThatHeld } from '../../../rules/starts.ts';
import { type Difference, differing } from '../../difference.ts';
import { type CheckInputs, checkOf, type PickToCheck } from '../../grading/price-checks.ts';
import { authorFaults, clocksApartMs } from './authors.ts';
import { closingFaults, closingGiven, missingClosing } from './closing.ts';
import { type FullPick, readPicks } from './read-picks.ts';
import { priceCheckFaults, settlementFaults } from './settlement.ts';

/** Games whose prices are in memory together. A game polled every minute has tens of thousands of prices. */
const gamesAtOnce = 25;

/** Differences between a pick's events and those that prices, scores, result events, and rules give. */
export interface PickFaults {
  pick: FullPick;
  /** Null if the pick has not closed, or the stored prices give none. */
  given(): ReturnType<typeof closingGiven>;
  posted: Difference[];
  closed: Difference[];
  settled: Difference[];
  starts: ReadonlySet<number | null>;
  moneylineWays: MoneylineWays;
}

/** Game by game. Sealing calls it before an event enters the log, and the audit afterwards. @param pickIds default: all */
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
  picks: readonly FullPick[],
  ways: ReadonlyMap<string, MoneylineWays>,
): Promise<PickFaults[]> {
  const games = [...new Set(picks.map(({ game }) => game.id))];
  const priced = await pricesOf(database, picks);
  const started = await readStarts(database, 'select unnest(cast(:games as bigint[]))', { games });
  const byId = new Map(started.map((game) => [game.id, game]));
  const rivals = await rivalsOf(database, picks, byId);
  const twins = await readTwins(database, games);
  const compared = picks.filter(
    ({ provenance, closing, settlement }) =>
      provenance === 'live' && (closing !== null || settlement !== null),
  );
  const days = await pricedDays(database, compared.map(toCheck));
  const authors = await authorFaults(database, picks);
  return picks.map((pick) => {
    const { game } = pick;
    const known = byId.get(game.id)!;
    const starts = new Set([
      game.announcedStart,
      game.startsAt,
      ...known.moves.flatMap(({ from, to }) => [from, to]),
    ]);
    const prices = priced.get(marketKey({ ...pick, gameId: game.id })) ?? [];
    const moneylineWays = ways.get(game.sport) ?? 2;
    const market = { prices, days: days.get(game.sport) ?? [] };
    const decidedAt = pick.settlement?.settledAt ?? Number.POSITIVE_INFINITY;
    const held = pick.provenance === 'live' ? startsThatHeld(known, decidedAt, clocksApartMs) : starts;
    return {
      pick,
      given: () => (pick.closing === null ? null : closingGiven(pick, market, moneylineWays)),
      posted: [
        ...postedFaults(pick, starts, moneylineWays),
        ...lateFaults(pick, known, twins.get(game.id) ?? [], rivals.get(game.id) ?? []),
        ...(authors.get(pick.id) ?? []),
      ],
      closed: [...closingFaults(pick, market, held, moneylineWays)],
      settled: [
        ...settlementFaults(pick, starts, moneylineWays),
        ...checkFaults(pick, held, { prices: priced, days }),
        ...missingClosing(pick, market),
      ],
      starts,
      moneylineWays,
    };
  });
}

/** Compares a stored price check with those at the starts that can have held: one of them must be equal. */
function checkFaults(pick: FullPick, starts: ReadonlySet<number | null>, inputs: CheckInputs): Difference[] {
  let faults: Difference[] = [];
  for (const startsAt of starts) {
    faults = [
      ...priceCheckFaults(pick, checkOf({ ...toCheck(pick), startsAt }, inputs, pick.settlement?.lastLineId)),
    ];
    if (faults.length === 0) break;
  }
  return faults;
}

function* postedFaults(
  pick: FullPick,
  starts: ReadonlySet<number | null>,
  ways: MoneylineWays,
): Generator<Difference> {
  const { uuid, startsAt, postedAt, game } = pick;
  const differs = differing('picks', `pick ${uuid}`);
  if (!starts.has(startsAt)) yield differs('starts_at', 'its game never had that start');
  if (startsAt !== null && postedAt >= startsAt) yield differs('posted_at', 'it is not before the start');
  const fault = selectionFault(pick, { sport: game.sport, game: game.name }, ways);
  if (fault !== undefined) yield differs('side', fault);
}

/** docs/rules/games.md#a-start-that-has-passed */
function* lateFaults(
  { uuid, provenance, startsAt, postedAt }: FullPick,
  game: StartedGame,
  twins: readonly Twin[],
  rivals: readonly StartedGame[],
): Generator<Difference> {
  if (provenance !== 'live') return;
  const differs = differing('picks', `pick ${uuid}`);
  if (startsAt === null) return yield differs('starts_at', 'it is live, and its game had no start');
  const [passed] = passedStarts(game, postedAt);
  if (passed !== undefined)
    return yield differs('posted_at', `it is not before ${iso(passed.start)}, a start that its game had`);
  for (const { game: twin, joinedAt } of twins) {
    if (joinedAt + joinTakesMs > postedAt) continue;
    const [before] = passedStarts(twin, postedAt);
    if (before !== undefined)
      yield differs(
        'posted_at',
        `it is not before ${iso(before.start)}, a start of game ${twin.id}, with which its game was joined at ${iso(joinedAt)}`,
      );
  }
  for (const rival of rivals) {
    if (rival.finalAt !== null && rival.finalAt <= postedAt + clocksApartMs) continue;
    const blocking = blockingStart(rival, game, postedAt);
    if (blocking === undefined) continue;
    yield differs(
      'game_id',
      `its game was announced at ${iso(game.announcedAt)}, after game ${rival.id} of the same opponents had started at ${iso(blocking.start)}`,
    );
  }
}

/** Finds, for each game with live picks, games of the same opponents with a start in the two days before its announcement. */
async function rivalsOf(
  database: Database,
  picks: readonly FullPick[],
  started: ReadonlyMap<number, StartedGame>,
): Promise<Map<number, StartedGame[]>> {
  const live = new Set(picks.flatMap(({ provenance, game }) => (provenance === 'live' ? game.id : [])));
  if (live.size === 0) return new Map();
  const near = await readStarts(
    database,
    `select o.id from games m join games o on o.sport = m.sport and o.id <> m.id
       and o.starts_at > m.announced_at - interval '48 hours' and o.starts_at <= m.announced_at
     where m.id = any(cast(:live as bigint[]))
     union
     select v.game_id from games m join start_moves v on v.from_start <= v.at and v.game_id <> m.id
       and v.from_start > m.announced_at - interval '48 hours' and v.from_start <= m.announced_at
     where m.id = any(cast(:live as bigint[]))`,
    { live: [...live] },
  );
  if (near.length === 0) return new Map();
  const games = [...live].map((id) => started.get(id)!);
  const pairOf = await pairsOf(database, [...games, ...near]);
  return new Map(
    games.map((game) => [game.id, near.filter((o) => o.id !== game.id && pairOf(o) === pairOf(game))]),
  );
}

function* byGames(picks: readonly FullPick[]): Generator<FullPick[]> {
  let some: FullPick[] = [];
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

function pricesOf(database: Database, picks: readonly FullPick[]): Promise<Map<string, StoredPrice[]>> {
  const wanted = picks.flatMap(({ game, market, subject, closing, settlement }): MarketName[] =>
    closing === null && settlement === null ? [] : [{ gameId: game.id, market, subject }],
  );
  return pricesOfMarkets(database, wanted);
}

function toCheck(pick: FullPick): PickToCheck {
  return { ...pick, gameId: pick.game.id, sport: pick.game.sport };
}
