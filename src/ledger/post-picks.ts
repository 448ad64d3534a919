import { v4 } from 'uuid';
import type { Game } from '../games/game.ts';
import { type Database, isRefused } from '../platform/database.ts';
import { type PickRow, refusal, termsOf } from './pick-row.ts';
import { findNamedGames, type PostingFacts, postingFacts, type RecentFacts } from './posting-facts.ts';
import {
  earlierPosts,
  fingerprintOf,
  type KeyClaim,
  type LivePick,
  othersClaimed,
  type Post,
  type Posted,
  postedAs,
  storeLivePicks,
} from './store-picks.ts';

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
 * Posts live picks at the service's clock, in order; none of them depends on another. They are stored by one statement, so what is `added`
 * is committed unless `database` is a transaction. Where the database refuses it because of one pick, each is stored by one of its own.
 * @param now epoch milliseconds
 * @returns what became of each
 */
export async function postPicks(
  database: Database,
  posts: readonly Post[],
  now: number,
): Promise<PromiseSettledResult<Posted>[]> {
  const outcomes: PromiseSettledResult<Posted>[] = [];
  for (let rest = [...posts.keys()]; rest.length > 0; ) {
    // Under a key that comes twice the second waits for what became of the first.
    const keys = new Set<string>();
    const round = rest.filter((index) => {
      const { key } = posts[index]!;
      if (key !== undefined && keys.has(key)) return false;
      if (key !== undefined) keys.add(key);
      return true;
    });
    const settled = await postRound(
      database,
      round.map((index) => posts[index]!),
      now,
    );
    round.forEach((index, at) => {
      const outcome = settled[at];
      if (outcome !== undefined) outcomes[index] = outcome;
    });
    rest = rest.filter((index) => outcomes[index] === undefined);
  }
  return outcomes;
}

/** What is to become of a pick, before it is stored. */
export type Planned =
  | { outcome: 'added' | 'unchanged'; pickUuid: string }
  | { outcome: 'refused'; reason: string };

/**
 * Posts picks as {@link postPicks} does, and records who asks in the transaction that stores them.
 * @param recordOf the rows that record it, of what is to become of each pick: `record` of {@link storeLivePicks}
 * @param recent by which they are judged first; where a pick is refused then, by present facts
 * @returns what became of each; undefined where that cannot be done at once, because a key comes twice, something came in between or the
 *   database refuses one of them. Nothing is stored then
 */
export async function postAtOnce(
  database: Database,
  posts: readonly Post[],
  now: number,
  recordOf: (planned: readonly Planned[]) => readonly object[],
  recent: RecentFacts,
): Promise<Posted[] | undefined> {
  const keys = posts.flatMap(({ key }) => key ?? []);
  if (new Set(keys).size < keys.length) return undefined;
  const rows = posts.map(({ row }) => row);
  const postBy = async (facts: PostingFacts) => {
    try {
      const posted = await postTogether(database, posts, now, facts, recordOf);
      return posted.includes(undefined) ? undefined : (posted as Posted[]);
    } catch (error) {
      if (isRolledBack(error)) return undefined;
      throw error;
    }
  };
  const recalled = recent.recall(rows);
  const posted = recalled && (await postBy(recalled));
  if (posted !== undefined) return posted;
  const present = await postingFacts(database, keys, rows);
  recent.note(present);
  return postBy(present);
}

/** What became of each; undefined where something came in between, such as another request under the same key: it is to be posted again. */
async function postRound(
  database: Database,
  posts: readonly Post[],
  now: number,
): Promise<(PromiseSettledResult<Posted> | undefined)[]> {
  try {
    const keys = posts.flatMap(({ key }) => key ?? []);
    const facts = await postingFacts(
      database,
      keys,
      posts.map(({ row }) => row),
    );
    const posted = await postTogether(database, posts, now, facts);
    return posted.map((value) => (value === undefined ? undefined : { status: 'fulfilled', value }));
  } catch (error) {
    if (posts.length === 1 || !isRolledBack(error))
      return posts.map(() => ({ status: 'rejected', reason: error }));
    const settled: (PromiseSettledResult<Posted> | undefined)[] = [];
    for (const post of posts) settled.push(...(await postRound(database, [post], now)));
    return settled;
  }
}

/** Whether an error is about the data, or about another transaction: nothing is stored. After a lost connection that is not known. */
function isRolledBack(error: unknown): boolean {
  return isRefused(error) || /^(22|23|40)...$/.test((error as { code?: string }).code ?? '');
}

/**
 * All of them, stored by one statement. No two have the same key. The statement locks the games; what has changed since they were looked
 * up is refused by the trigger `check_picks`, or is not stored.
 * @param facts by which they are judged; none is refused by recalled ones: all are undefined then
 */
async function postTogether(
  database: Database,
  posts: readonly Post[],
  now: number,
  facts: PostingFacts,
  recordOf?: (planned: readonly Planned[]) => readonly object[],
): Promise<(Posted | undefined)[]> {
  const claims = posts.map(({ row, key }) => ({
    row,
    uuid: v4(),
    ...(key !== undefined && { key, print: fingerprintOf(row) }),
  }));
  const { known, isRecalled, cappers, games, ways } = facts;
  const keyed = claims.filter((claim): claim is Post & KeyClaim & { uuid: string } => 'key' in claim);
  const earlier = known ? await earlierPosts(database, keyed) : new Map<string, Posted>();
  const gameOf = await findNamedGames(
    database,
    posts.map(({ row }) => row),
    games,
    now,
  );
  const refusals = new Map<string, string>();
  const notes = new Map<string, string>();
  const picks: LivePick[] = [];
  for (const { row: given, uuid, ...claim } of claims) {
    if (claim.key !== undefined && earlier.has(claim.key)) continue;
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
      ...claim,
      capperId: capper.id,
      handle: capper.handle,
      tier: capper.tier,
      gameId: game.id,
      sport: game.sport,
      game: game.name,
      startsAt: game.startsAt,
      ...termsOf(row),
      source: row.source ?? 'operator',
      provenance: 'live',
      postedAt: now,
    });
  }
  if (isRecalled && refusals.size > 0) return claims.map(() => undefined);
  // What is refused may be what another request stores under the same key at this moment.
  const refused = claims.flatMap(({ uuid, key }) => (key !== undefined && refusals.has(uuid) ? [key] : []));
  const isKnownNow = refused.length > 0 && (await othersClaimed(database, refused));
  if (isKnownNow && recordOf !== undefined) return claims.map(() => undefined);
  const record = recordOf?.(
    claims.map(({ uuid, key }) => {
      const reason = refusals.get(uuid);
      if (reason !== undefined) return { outcome: 'refused', reason };
      return earlier.get(key ?? '') ?? { outcome: 'added', pickUuid: uuid };
    }),
  );
  const store = (to: Database) => storeLivePicks(to, picks, record);
  const stored = await (database.isTransaction === true ? database.transaction(store) : store(database));
  return claims.map(({ uuid, key }) => {
    const row = stored.get(uuid);
    if (row !== undefined) return postedAs('added', row, notes.get(uuid));
    const reason = refusals.get(uuid);
    if (reason === undefined) return earlier.get(key ?? '');
    return key !== undefined && isKnownNow ? undefined : { outcome: 'refused', reason };
  });
}

function closedBy(game: Game | undefined): string | undefined {
  if (game?.status === 'final' || game?.status === 'cancelled') return `the game is ${game.status}`;
  return undefined;
}
