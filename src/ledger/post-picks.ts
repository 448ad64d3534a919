import { v4 } from 'uuid';
import { type Capper, findCappers } from '../cappers/cappers.ts';
import type { Game } from '../games/game.ts';
import { moneylineWays } from '../games/sports.ts';
import { iso } from '../platform/clock.ts';
import { type Database, isRefused, type Transaction } from '../platform/database.ts';
import type { MoneylineWays } from '../rules/markets/market.ts';
import { findNamedGames } from './named-games.ts';
import { claimKeys, type Post, type Posted, releaseKeys } from './pick-requests.ts';
import { type PickRow, refusal, termsOf } from './pick-row.ts';
import { type NewPick, storePicks } from './store-picks.ts';

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
  const notes = new Map<string, string>();
  for (const { row: given, uuid } of wanted) {
    const { row, game, unfound, note } = gameOf(given);
    if (note !== undefined) notes.set(uuid, note);
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
      ...termsOf(row),
      source: row.source ?? 'operator',
      provenance: 'live',
      postedAt: now,
    });
  }
  const games = new Map(picks.map(({ uuid, gameId }) => [uuid, gameId]));
  const stored = await storePicks(transaction, picks);
  await releaseKeys(
    transaction,
    wanted.flatMap(({ key, uuid }) => (key !== undefined && refusals.has(uuid) ? [key] : [])),
  );
  return claims.map(({ key, uuid }) => {
    const before = key === undefined ? undefined : earlier.get(key);
    if (before !== undefined) return before;
    const reason = refusals.get(uuid);
    if (reason !== undefined) return { outcome: 'refused', reason };
    const gameId = games.get(uuid)!;
    const note = notes.get(uuid);
    const added = { pickId: stored.get(uuid)!, pickUuid: uuid, postedAt: iso(now), gameId };
    return { outcome: 'added', ...added, ...(note === undefined ? {} : { note }) };
  });
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

function closedBy(game: Game | undefined): string | undefined {
  if (game?.status === 'final' || game?.status === 'cancelled') return `the game is ${game.status}`;
  return undefined;
}
