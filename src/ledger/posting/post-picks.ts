import { v4 } from 'uuid';
import { findCappers } from '../../cappers/cappers.ts';
import { type Game, moneylineWays } from '../../games/game.ts';
import { iso } from '../../platform/clock.ts';
import { type Database, isRefused, type Transaction } from '../../platform/database.ts';
import type { PostedPick } from '../../proof/acknowledgement.ts';
import type { StoredPick } from '../pick.ts';
import { givenPick } from '../pick-forms.ts';
import { postedBody } from '../sealing/stored-events.ts';
import { lockNamedGames } from './named-games.ts';
import { claimKeys, earlierPicks, releaseKeys } from './pick-keys.ts';
import { type PickRow, refusal } from './pick-row.ts';
import { storeApart, storeTogether } from './store-picks.ts';

/** A live pick to post. */
export interface Post {
  row: PickRow;
  /** The Idempotency-Key: the same pick again is answered with the first one, another pick is refused. */
  key?: string | undefined;
}

/** What became of a pick. */
export type Posted =
  | {
      outcome: 'added' | 'unchanged';
      pickId: number;
      pickUuid: string;
      postedAt: string;
      gameId: number;
      /** What an acknowledgement promises to seal. */
      body: PostedPick;
      /** What the sender should know of the game: it has home and away the other way round. */
      note?: string;
    }
  | { outcome: 'refused'; reason: string };

/** The outcome of one attempt to post a pick. `retry`: its game or capper changed in the meantime. */
type Attempt =
  | { state: 'stored'; posted: Posted }
  | { state: 'refused'; reason: string }
  | { state: 'retry'; reason: string };

/** Attempts per pick. The reason of the last one is the answer. */
const maxAttempts = 3;

/** Posts one live pick: {@link postPicks}. */
export async function postPick(
  database: Database,
  row: PickRow,
  key: string | undefined,
  now: number,
): Promise<Posted> {
  const [posted] = await postPicks(database, [{ row, key }], now);
  return posted!;
}

/**
 * Posts live picks, in order, in one transaction. A pick that is refused does not keep the others from being stored. Of several under one
 * key each waits for what became of the one before.
 * @param now epoch milliseconds, the instant of posting
 * @param record called in the transaction with what became of each
 * @returns what became of each
 */
export async function postPicks(
  database: Database,
  posts: readonly Post[],
  now: number,
  record: (transaction: Transaction, posted: readonly Posted[]) => Promise<void> = async () => {},
): Promise<Posted[]> {
  const post = (store: Store) =>
    database.transaction(async (transaction) => {
      const posted = await postRounds(transaction, posts, now, store);
      await record(transaction, posted);
      return posted;
    });
  try {
    return await post(storeTogether);
  } catch (error) {
    if (!isRefused(error)) throw error;
    return post(storeApart);
  }
}

type Store = typeof storeApart;

async function postRounds(
  transaction: Transaction,
  posts: readonly Post[],
  now: number,
  store: Store,
): Promise<Posted[]> {
  const outcomes: Posted[] = [];
  const attempts = posts.map(() => 0);
  for (let open = [...posts.keys()]; open.length > 0; ) {
    const round = firstOfEachKey(posts, open);
    const attempted = await attemptPosts(
      transaction,
      round.map((index) => posts[index]!),
      now,
      store,
    );
    for (const [at, index] of round.entries()) {
      const attempt = attempted[at]!;
      attempts[index]! += 1;
      if (attempt.state === 'stored') outcomes[index] = attempt.posted;
      else if (attempt.state === 'refused' || attempts[index] === maxAttempts)
        outcomes[index] = { outcome: 'refused', reason: attempt.reason };
    }
    open = open.filter((index) => outcomes[index] === undefined);
  }
  return outcomes;
}

function firstOfEachKey(posts: readonly Post[], indexes: readonly number[]): number[] {
  const keys = new Set<string>();
  return indexes.filter((index) => {
    const { key } = posts[index]!;
    if (key === undefined) return true;
    const isFirst = !keys.has(key);
    keys.add(key);
    return isFirst;
  });
}

/**
 * Claims the keys, judges the picks by present facts, with their games locked, and stores those that can be taken. A pick that is not
 * stored releases its key.
 * @param posts no two under one key
 */
async function attemptPosts(
  transaction: Transaction,
  posts: readonly Post[],
  now: number,
  store: Store,
): Promise<Attempt[]> {
  const named = posts.map((post) => ({ ...post, uuid: v4() }));
  const keyed = named.flatMap(({ key, ...post }) => (key === undefined ? [] : [{ key, ...post }]));
  const claimed = await claimKeys(transaction, keyed, now);
  const earlier = await earlierPicks(
    transaction,
    keyed.filter(({ key }) => !claimed.has(key)),
  );
  const free = named.filter(({ key }) => key === undefined || claimed.has(key));
  const judged = await judge(transaction, free, now);
  const accepted = [...judged.values()].flatMap((one) => (one.state === 'accepted' ? one.pick : []));
  const { ids, refusals } = await store(transaction, accepted);
  const unused = keyed.filter(({ key, uuid }) => claimed.has(key) && !ids.has(uuid));
  await releaseKeys(
    transaction,
    unused.map(({ key }) => key),
  );
  return named.map(({ key, uuid }): Attempt => {
    const one = judged.get(uuid);
    if (one === undefined) return attemptUnder(earlier.get(key!));
    if (one.state !== 'accepted') return one;
    const id = ids.get(uuid);
    // The database refuses also what has changed since it was read.
    if (id === undefined) return { state: 'retry', reason: refusals.get(uuid)! };
    return { state: 'stored', posted: postedAs('added', { ...one.pick, id }, one.note) };
  });
}

/** The attempt to post a pick under a key that was claimed before. */
function attemptUnder(earlier: { pick: StoredPick; isSame: boolean } | undefined): Attempt {
  if (earlier === undefined) return { state: 'retry', reason: 'this Idempotency-Key is in use' };
  if (!earlier.isSame) return { state: 'refused', reason: 'this Idempotency-Key was used for another pick' };
  return { state: 'stored', posted: postedAs('unchanged', earlier.pick) };
}

type Judged = Accepted | { state: 'refused'; reason: string };

interface Accepted {
  state: 'accepted';
  pick: Omit<StoredPick, 'id'>;
  /** What the sender should know. */
  note: string | undefined;
}

/** Judges picks, by uuid, and locks their games. */
async function judge(
  transaction: Transaction,
  posts: readonly { row: PickRow; uuid: string }[],
  now: number,
): Promise<Map<string, Judged>> {
  if (posts.length === 0) return new Map();
  const rows = posts.map(({ row }) => row);
  const gameOf = await lockNamedGames(transaction, rows, now);
  const cappers = await findCappers(
    transaction,
    rows.map(({ capperHandle }) => capperHandle),
  );
  const ways = await moneylineWays(transaction);
  const judgeOne = ({ row: given, uuid }: { row: PickRow; uuid: string }): Judged => {
    const { row, game, unknown, note } = gameOf(given);
    const capper = cappers.get(row.capperHandle.toLowerCase());
    const reason = unknown ?? refusal(row, capper, game, ways, now) ?? closedBy(game);
    if (reason !== undefined || capper === undefined || game === undefined)
      return { state: 'refused', reason: reason ?? 'its capper or game is unknown' };
    const pick = {
      ...givenPick(row),
      uuid,
      capperId: capper.id,
      tier: capper.tier,
      gameId: game.id,
      game: game.name,
      startsAt: game.startsAt,
      source: row.source ?? 'operator',
      provenance: 'live' as const,
      postedAt: now,
    };
    return { state: 'accepted', pick, note };
  };
  return new Map(posts.map((post) => [post.uuid, judgeOne(post)]));
}

function closedBy(game: Game | undefined): string | undefined {
  if (game?.status === 'final' || game?.status === 'cancelled') return `the game is ${game.status}`;
  return undefined;
}

function postedAs(outcome: 'added' | 'unchanged', pick: StoredPick, note?: string): Posted {
  return {
    outcome,
    pickId: pick.id,
    pickUuid: pick.uuid,
    postedAt: iso(pick.postedAt),
    gameId: pick.gameId,
    body: postedBody(pick),
    ...(note === undefined ? {} : { note }),
  };
}
