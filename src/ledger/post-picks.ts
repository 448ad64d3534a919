import { createHash } from 'node:crypto';
import { v4 } from 'uuid';
import { type Capper, findCappers } from '../cappers/cappers.ts';
import { findGames, type Game, gameColumns, gameKey } from '../games/game.ts';
import { namedGame } from '../games/resolve.ts';
import { moneylineWays } from '../games/sports.ts';
import { instant, iso } from '../platform/clock.ts';
import { type Database, isRefused, type Transaction } from '../platform/database.ts';
import { canonical } from '../proof/canonical.ts';
import { lineToE3, unitsToE4 } from '../rules/fixed-point.ts';
import type { MoneylineWays } from '../rules/markets/market.ts';
import { type PickRow, refusal } from './pick-row.ts';
import { type NewPick, storePicks } from './store-picks.ts';

/** A pick as it was asked to be posted. */
export interface Post {
  row: PickRow;
  /** The Idempotency-Key: the same pick again under it is answered with the first one, another pick is refused. */
  key?: string | undefined;
}

export type Posted =
  | { outcome: 'added' | 'unchanged'; pickId: number; pickUuid: string; postedAt: string; gameId: number }
  | { outcome: 'refused'; reason: string };

/** Posts one live pick: {@link postPicks}. */
export async function postPick(
  database: Database,
  row: PickRow,
  key: string | undefined,
  now: number,
): Promise<Posted> {
  const [posted] = await postPicks(database, [{ row, key }], now);
  if (posted!.status === 'rejected') throw posted!.reason;
  return posted!.value;
}

/**
 * Posts live picks at the service's clock, in order, as far as possible in one transaction; none of them depends on another. What is
 * `added` is committed. Where the database refuses the transaction because of one pick, each is posted in one of its own.
 * @param now epoch milliseconds
 * @returns what became of each
 */
export async function postPicks(
  database: Database,
  posts: readonly Post[],
  now: number,
): Promise<PromiseSettledResult<Posted>[]> {
  const outcomes: PromiseSettledResult<Posted>[] = [];
  // Under a key that comes twice the second waits for what became of the first.
  for (let rest = [...posts.keys()]; rest.length > 0; ) {
    const keys = new Set<string>();
    const [round, later]: [number[], number[]] = [[], []];
    for (const index of rest) {
      const { key } = posts[index]!;
      (key !== undefined && keys.has(key) ? later : round).push(index);
      if (key !== undefined) keys.add(key);
    }
    const settled = await postRound(
      database,
      round.map((index) => posts[index]!),
      now,
    );
    round.forEach((index, at) => {
      outcomes[index] = settled[at]!;
    });
    rest = later;
  }
  return outcomes;
}

async function postRound(
  database: Database,
  posts: readonly Post[],
  now: number,
): Promise<PromiseSettledResult<Posted>[]> {
  try {
    // Neither needs the transaction, so both are read while it begins.
    const posters = readPosters(database, posts);
    posters.catch(() => {});
    // Within another transaction there is one connection, for one statement at a time.
    if (database.isTransaction === true) await posters;
    const posted = await database.transaction((transaction) => postAll(transaction, posts, posters, now));
    return posted.map((value) => ({ status: 'fulfilled', value }));
  } catch (error) {
    if (posts.length === 1 || !isRolledBack(error))
      return posts.map(() => ({ status: 'rejected', reason: error }));
    const settled: PromiseSettledResult<Posted>[] = [];
    for (const post of posts) settled.push(...(await postRound(database, [post], now)));
    return settled;
  }
}

/** Whether an error is about the data, or about another transaction: nothing is stored. After a lost connection that is not known. */
function isRolledBack(error: unknown): boolean {
  return isRefused(error) || /^(22|23|40)...$/.test((error as { code?: string }).code ?? '');
}

/** All of them in one transaction. No two have the same key. */
async function postAll(
  transaction: Transaction,
  posts: readonly Post[],
  posters: Promise<Posters>,
  now: number,
): Promise<Posted[]> {
  const claims = posts.map(({ row, key }) => ({ row, key, uuid: v4() }));
  const earlier = await claimKeys(transaction, claims, now);
  const wanted = claims.filter(({ key }) => key === undefined || !earlier.has(key));
  const gameOf = await findNamedGames(
    transaction,
    wanted.map(({ row }) => row),
    now,
  );
  const { cappers, ways } = await posters;
  const refusals = new Map<string, string>();
  const picks: NewPick[] = [];
  for (const { row, uuid } of wanted) {
    const { game, unfound } = gameOf(row);
    const capper = cappers.get(row.capperHandle.toLowerCase());
    const reason = unfound ?? refusal(row, capper, game, ways, now) ?? closedBy(game);
    if (reason !== undefined || capper === undefined || game === undefined) {
      refusals.set(uuid, reason ?? 'its capper or game is unknown');
      continue;
    }
    picks.push({
      uuid,
      capperId: capper.id,
      tier: capper.tier,
      gameId: game.id,
      startsAt: game.startsAt,
      market: row.market,
      side: row.side,
      lineE3: lineToE3(row.line),
      pick: row.pick,
      oddsAmerican: row.oddsAmerican,
      stakeE4: unitsToE4(row.stakeUnits),
      book: row.book ?? null,
      source: row.source ?? 'operator',
      provenance: 'live',
      postedAt: now,
    });
  }
  const games = new Map(picks.map(({ uuid, gameId }) => [uuid, gameId]));
  const stored = await storePicks(transaction, picks);
  // A refused pick uses up no key.
  const unused = wanted.flatMap(({ key, uuid }) => (key !== undefined && refusals.has(uuid) ? [key] : []));
  if (unused.length > 0)
    await transaction('pick_requests').whereRaw('idempotency_key = any(?::text[])', [unused]).delete();
  return claims.map(({ key, uuid }) => {
    const before = key === undefined ? undefined : earlier.get(key);
    if (before !== undefined) return before;
    const reason = refusals.get(uuid);
    if (reason !== undefined) return { outcome: 'refused', reason };
    const gameId = games.get(uuid)!;
    return { outcome: 'added', pickId: stored.get(uuid)!, pickUuid: uuid, postedAt: iso(now), gameId };
  });
}

interface Claim extends Post {
  /** Of the pick, if it is added. */
  uuid: string;
}

/**
 * Claims the keys for this transaction, in one order, so that two transactions do not wait for each other.
 * @returns what was posted before, by the keys that were known
 */
async function claimKeys(
  transaction: Transaction,
  claims: readonly Claim[],
  now: number,
): Promise<Map<string, Posted>> {
  const keyed = claims.flatMap(({ row, key, uuid }) =>
    key === undefined ? [] : [{ key, uuid, print: fingerprintOf(row) }],
  );
  if (keyed.length === 0) return new Map();
  const { rows: claimed }: { rows: { key: string }[] } = await transaction.raw(
    `insert into pick_requests (idempotency_key, fingerprint, pick_uuid, posted_at)
     select key, decode(print, 'hex'), uuid, :now from json_to_recordset(:keyed) as r (key text, print text, uuid uuid)
     order by key
     on conflict (idempotency_key) do nothing
     returning idempotency_key as key`,
    { keyed: JSON.stringify(keyed), now: new Date(now) },
  );
  if (claimed.length === keyed.length) return new Map();
  const own = new Set(claimed.map(({ key }) => key));
  const known = keyed.filter(({ key }) => !own.has(key));
  const rows: { key: string; print: string; id: number; uuid: string; postedAt: number; gameId: number }[] =
    await transaction('pick_requests as r')
      .join('picks as p', 'p.uuid', 'r.pick_uuid')
      .whereRaw('r.idempotency_key = any(?::text[])', [known.map(({ key }) => key)])
      .select({
        key: 'r.idempotency_key',
        print: transaction.raw(`encode(r.fingerprint, 'hex')`),
        id: 'p.id',
        uuid: 'p.uuid',
        postedAt: 'p.posted_at',
        gameId: 'p.game_id',
      });
  const before = new Map(rows.map((row) => [row.key, row]));
  return new Map(
    known.map(({ key, print }): [string, Posted] => {
      const row = before.get(key);
      if (row === undefined || row.print !== print)
        return [key, { outcome: 'refused', reason: 'this Idempotency-Key was used for another pick' }];
      const { id, uuid, postedAt, gameId } = row;
      return [key, { outcome: 'unchanged', pickId: id, pickUuid: uuid, postedAt: iso(postedAt), gameId }];
    }),
  );
}

/** Who posts, by handle in lower case, and how many prices a moneyline has. */
interface Posters {
  cappers: ReadonlyMap<string, Capper>;
  ways: ReadonlyMap<string, MoneylineWays>;
}

async function readPosters(database: Database, posts: readonly Post[]): Promise<Posters> {
  const cappers = await findCappers(
    database,
    posts.map(({ row }) => row.capperHandle),
  );
  const ways = await moneylineWays(database);
  return { cappers, ways };
}

/** The games that picks name, or why there is none. They cannot be moved or end before the transaction does. */
async function findNamedGames(
  transaction: Transaction,
  rows: readonly PickRow[],
  now: number,
): Promise<(row: PickRow) => { game?: Game; unfound?: string }> {
  const named = await findGames(transaction, rows, 'share');
  const others = await otherGames(
    transaction,
    rows.filter((row) => !named.has(gameKey(row))),
    now,
  );
  return (row) => {
    const found = named.get(gameKey(row)) ?? others.get(gameKey(row));
    if (found === undefined) return {};
    return 'refused' in found ? { unfound: found.refused } : { game: found };
  };
}

/**
 * The games that picks mean where none is announced under their name and start, by that: without a start the only one of that name that
 * has not started. In other words than the game's own it is found by its opponents.
 */
async function otherGames(
  transaction: Transaction,
  rows: readonly PickRow[],
  now: number,
): Promise<Map<string, Game | { refused: string } | undefined>> {
  const others = new Map<string, Game | { refused: string } | undefined>();
  const upcoming = await upcomingGames(
    transaction,
    rows.filter(({ startsAt }) => startsAt == null),
    now,
  );
  for (const row of rows) {
    const key = gameKey(row);
    if (others.has(key)) continue;
    const open = (row.startsAt == null ? upcoming : []).filter(
      ({ sport, name }) => sport === row.sport && name === row.game,
    );
    const found = open.length > 0 ? undefined : await namedGame(transaction, row, now);
    if (open.length > 0) others.set(key, open.length === 1 ? open[0] : undefined);
    else if (found === undefined || 'refused' in found) others.set(key, found);
    else others.set(key, (await findGames(transaction, [found.name], 'share')).get(gameKey(found.name)));
  }
  return others;
}

/** The games of these names that have not started. */
async function upcomingGames(
  transaction: Transaction,
  rows: readonly PickRow[],
  now: number,
): Promise<Game[]> {
  if (rows.length === 0) return [];
  const names = new Set(rows.map(({ sport, game }) => JSON.stringify({ sport, game })));
  return transaction('games as g')
    .whereRaw(
      `g.id = any (array(
         select f.id from json_to_recordset(?) as w (sport text, game text)
         cross join lateral (select id from games where sport = w.sport and name = w.game and starts_at > ? offset 0) f))`,
      [`[${[...names].join(',')}]`, new Date(now)],
    )
    .orderBy('g.id')
    .select(gameColumns)
    .forShare('g');
}

function closedBy(game: Game | undefined): string | undefined {
  if (game?.status === 'final' || game?.status === 'cancelled') return `the game is ${game.status}`;
  return undefined;
}

/** What makes two picks the same under one key, in hex. */
function fingerprintOf(row: PickRow): string {
  const pick = {
    ...row,
    capperHandle: row.capperHandle.toLowerCase(),
    startsAt: row.startsAt == null ? null : iso(instant(row.startsAt)),
    line: lineToE3(row.line),
    stakeUnits: unitsToE4(row.stakeUnits),
    book: row.book ?? null,
    source: row.source ?? null,
  };
  return createHash('sha256').update(canonical(pick)).digest('hex');
}
