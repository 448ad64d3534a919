import { v4 } from 'uuid';
import { iso } from '../../platform/clock.ts';
import { type Database, isRefused, sentenceOf, type Transaction } from '../../platform/database.ts';
import type { PostedPick } from '../../proof/acknowledgement.ts';
import type { Provenance } from '../../rules/vocabulary.ts';
import { insertRows } from '../field.ts';
import type { NewPick, StoredPick } from '../pick.ts';
import { pickInsert, postedBody } from '../pick-forms.ts';
import { claimKeys, earlierPicks, releaseKeys } from './idempotency-keys.ts';
import { judge, type Posting, type UnstoredPick } from './judge.ts';
import type { PickRow } from './pick-row.ts';

export interface Post {
  row: PickRow;
  /** The Idempotency-Key. Repeating the pick returns the first one; a different pick is refused. */
  key?: string | undefined;
  /** Default: now. The database of a live log refuses any other time. */
  postedAt?: EpochMs;
}

export type Posted =
  | {
      outcome: 'added' | 'unchanged';
      pickId: number;
      pickUuid: string;
      postedAt: string;
      gameId: number;
      /** The body that an acknowledgement promises to seal. */
      body: PostedPick;
      /** Tells the sender that the game has home and away swapped. */
      note?: string;
    }
  /** `repeats` is the UUID of the pending pick that this one repeats. */
  | { outcome: 'refused'; reason: string; repeats?: string };

/**
 * Posts live picks, in order, in one transaction. A refused pick does not prevent the others from being stored. Picks under the same key
 * are posted one after another.
 * @param now the time of posting
 * @param record called in the transaction with the outcomes
 * @returns the outcomes, in order
 */
export function postPicks(
  database: Database,
  posts: readonly Post[],
  now: EpochMs,
  record: (transaction: Transaction, posted: readonly Posted[]) => Promise<void> = async () => {},
): Promise<Posted[]> {
  const postings = posts.map((post) => ({ postedAt: now, ...post, uuid: v4() }));
  return postAll(database, postings, 'live', now, async (transaction, ended) => {
    const posted = ended.map(postedAs);
    await record(transaction, posted);
    return posted;
  });
}

/** Converts an outcome to the form that the sender receives. */
export function postedAs(one: Ended): Posted {
  if (one.state === 'refused') {
    const { state, ...why } = one;
    return { outcome: state, ...why };
  }
  const { isNew, pick, note } = one;
  return {
    outcome: isNew ? 'added' : 'unchanged',
    pickId: pick.id,
    pickUuid: pick.uuid,
    postedAt: iso(pick.postedAt),
    gameId: pick.gameId,
    body: postedBody(pick),
    ...(note === undefined ? {} : { note }),
  };
}

type Attempt =
  /** `isNew` is false if the pick was stored before. */
  | { state: 'stored'; isNew: boolean; pick: StoredPick; note?: string | undefined }
  /** Data that the pick depends on changed in the meantime. */
  | { state: 'retry'; reason: string }
  | { state: 'refused'; reason: string; repeats?: string };

type Ended = Exclude<Attempt, { state: 'retry' }>;

/** Attempts per pick. The sender receives the reason of the last one. */
const maxAttempts = 3;

type KeyedPosting = Posting & Pick<Post, 'key'>;

/**
 * Posts live or imported picks; the only way to store a pick. If the database refuses one of them, all are posted again one by one.
 * @param end called in the transaction with the outcomes, in order
 * @returns the return value of `end`
 */
export async function postAll<T>(
  database: Database,
  posts: readonly KeyedPosting[],
  provenance: Provenance,
  now: EpochMs,
  end: (transaction: Transaction, ended: Ended[]) => Promise<T>,
): Promise<T> {
  const post = (store: StorePicks) =>
    database.transaction(async (transaction) => {
      const attempt = (round: readonly KeyedPosting[]) =>
        attemptPosts(transaction, round, provenance, now, store);
      return end(transaction, await untilEnded(posts, attempt));
    });
  try {
    return await post(storeTogether);
  } catch (error) {
    if (!isRefused(error)) throw error;
    return post(storeApart);
  }
}

async function untilEnded(
  posts: readonly KeyedPosting[],
  attempt: (round: readonly KeyedPosting[]) => Promise<Attempt[]>,
): Promise<Ended[]> {
  const ended: Ended[] = [];
  const attempts = posts.map(() => 0);
  for (let open = [...posts.keys()]; open.length > 0; ) {
    const round = firstOfEachKey(posts, open);
    const outcomes = await attempt(round.map((index) => posts[index]!));
    for (const [at, index] of round.entries()) {
      const one = outcomes[at]!;
      attempts[index]! += 1;
      if (one.state !== 'retry') ended[index] = one;
      else if (attempts[index] === maxAttempts) ended[index] = { state: 'refused', reason: one.reason };
    }
    open = open.filter((index) => ended[index] === undefined);
  }
  return ended;
}

function firstOfEachKey(posts: readonly KeyedPosting[], indexes: readonly number[]): number[] {
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
 * Claims the keys, judges the picks, and stores the accepted ones. Releases the keys of picks that were not stored.
 * @param posts no two under one key
 * @returns the outcomes, in order
 */
async function attemptPosts(
  transaction: Transaction,
  posts: readonly KeyedPosting[],
  provenance: Provenance,
  now: number,
  store: StorePicks,
): Promise<Attempt[]> {
  const keyed = posts.flatMap(({ key, ...post }) => (key === undefined ? [] : [{ key, ...post }]));
  const claimed = await claimKeys(transaction, keyed, now);
  const isFree = ({ key }: KeyedPosting) => key === undefined || claimed.has(key);
  const earlier = await earlierPicks(
    transaction,
    keyed.filter((post) => !isFree(post)),
  );
  const free = posts.filter(isFree);
  const tried = (await tryPosts(transaction, free, provenance, now, store)).values();
  const attempts = posts.map(
    (post): Attempt => (isFree(post) ? tried.next().value! : attemptUnder(earlier.get(post.key!))),
  );
  const unused = posts.flatMap(({ key }, at) =>
    key !== undefined && claimed.has(key) && attempts[at]!.state !== 'stored' ? [key] : [],
  );
  await releaseKeys(transaction, unused);
  return attempts;
}

/** Returns the outcome for a pick whose key was claimed before. */
function attemptUnder(earlier: { pick: StoredPick; isSame: boolean } | undefined): Attempt {
  if (earlier === undefined)
    return {
      state: 'retry',
      reason: 'another request with this Idempotency-Key is in progress: retry later',
    };
  if (!earlier.isSame)
    return { state: 'refused', reason: 'this Idempotency-Key was used for another pick: choose a new key' };
  return { state: 'stored', isNew: false, pick: earlier.pick };
}

async function tryPosts(
  transaction: Transaction,
  posts: readonly Posting[],
  provenance: Provenance,
  now: number,
  store: StorePicks,
): Promise<Attempt[]> {
  const judged = await judge(transaction, posts, provenance, now);
  const accepted: UnstoredPick[] = judged.flatMap((one) => (one.state === 'accepted' ? one.pick : []));
  const stored = (await store(transaction, accepted)).values();
  return judged.map((one): Attempt => {
    if (one.state !== 'accepted') return one;
    const storing = stored.next().value!;
    if (storing.state === 'retry') return storing;
    const { state, id, isNew } = storing;
    return { state, isNew, pick: { ...one.pick, id }, note: one.note };
  });
}

/** The outcome of storing a pick. `retry`: the database refused it, perhaps because its game or capper changed after they were read. */
type Storing = { state: 'stored'; id: number; isNew: boolean } | { state: 'retry'; reason: string };

/** Stores picks. A pick with a known UUID stays unchanged. @returns the outcomes, in order */
type StorePicks = (transaction: Transaction, picks: readonly NewPick[]) => Promise<Storing[]>;

/** Stores picks with one statement, which fails if the database refuses any of them. */
export async function storeTogether(transaction: Transaction, picks: readonly NewPick[]): Promise<Storing[]> {
  const rows = await insertRows<{ uuid: string; id: number }>(
    transaction,
    'picks',
    pickInsert,
    picks,
    'on conflict (uuid) do nothing returning uuid, id',
  );
  const ids = new Map(rows.map(({ uuid, id }) => [uuid, id]));
  const fresh = new Set(ids.keys());
  const known = picks.filter(({ uuid }) => !ids.has(uuid)).map(({ uuid }) => uuid);
  for (const [uuid, id] of await knownIds(transaction, known)) ids.set(uuid, id);
  // If a UUID occurs twice, the first occurrence is the new one.
  return picks.map(({ uuid }) => ({ state: 'stored', id: ids.get(uuid)!, isNew: fresh.delete(uuid) }));
}

async function knownIds(transaction: Transaction, uuids: readonly string[]): Promise<[string, number][]> {
  if (uuids.length === 0) return [];
  const rows: { uuid: string; id: number }[] = await transaction('picks')
    .whereRaw('uuid = any(?::uuid[])', [[...uuids]])
    .select('uuid', 'id');
  return rows.map(({ uuid, id }) => [uuid, id]);
}

/** Stores picks one by one and skips those that the database refuses. */
async function storeApart(transaction: Transaction, picks: readonly NewPick[]): Promise<Storing[]> {
  const stored: Storing[] = [];
  for (const pick of picks)
    try {
      stored.push(...(await transaction.transaction((savepoint) => storeTogether(savepoint, [pick]))));
    } catch (error) {
      if (!isRefused(error)) throw error;
      stored.push({ state: 'retry', reason: sentenceOf(error) });
    }
  return stored;
}
