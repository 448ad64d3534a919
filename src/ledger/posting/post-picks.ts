import { v4 } from 'uuid';
import { iso } from '../../platform/clock.ts';
import { type Database, isRefused, type Transaction } from '../../platform/database.ts';
import type { PostedPick } from '../../proof/acknowledgement.ts';
import type { Provenance } from '../../rules/vocabulary.ts';
import type { StoredPick } from '../pick.ts';
import { postedBody } from '../pick-forms.ts';
import { claimKeys, earlierPicks, releaseKeys } from './idempotency-keys.ts';
import { judge, type Posting, type UnstoredPick } from './judge.ts';
import type { PickRow } from './pick-row.ts';
import { type StorePicks, storeApart, storeTogether } from './store-picks.ts';

/** A live pick to post. */
export interface Post {
  row: PickRow;
  /** The Idempotency-Key: the same pick again is answered with the first one, another pick is refused. */
  key?: string | undefined;
  /** Epoch milliseconds; default the present. The database of a live log refuses another instant. */
  postedAt?: number;
}

/** What became of a live pick. */
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
  /** `repeats`: the uuid of a pending pick, which is why this one is refused. */
  | { outcome: 'refused'; reason: string; repeats?: string };

/**
 * Posts live picks, in order, in one transaction. A pick that is refused does not keep the others from being stored. Of several under one
 * key each waits for what became of the one before.
 * @param now epoch milliseconds, the instant of posting
 * @param record called in the transaction with what became of each
 * @returns what became of each
 */
export function postPicks(
  database: Database,
  posts: readonly Post[],
  now: number,
  record: (transaction: Transaction, posted: readonly Posted[]) => Promise<void> = async () => {},
): Promise<Posted[]> {
  const postings = posts.map((post) => ({ postedAt: now, ...post, uuid: v4() }));
  return postAll(database, postings, 'live', now, async (transaction, ended) => {
    const posted = ended.map(postedAs);
    await record(transaction, posted);
    return posted;
  });
}

/** What became of a pick, for the one who posted it. */
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

/** The outcome of one attempt to post a pick. */
type Attempt =
  /** `isNew`: false where it was stored before. */
  | { state: 'stored'; isNew: boolean; pick: StoredPick; note?: string | undefined }
  /** Something that it depends on changed in the meantime. */
  | { state: 'retry'; reason: string }
  | { state: 'refused'; reason: string; repeats?: string };

/** What became of a pick in the end. */
type Ended = Exclude<Attempt, { state: 'retry' }>;

/** Attempts per pick. The reason of the last one is the answer. */
const maxAttempts = 3;

type KeyedPosting = Posting & Pick<Post, 'key'>;

/**
 * Posts picks: the one way in, for live and imported ones. If the database refuses one of them, all are posted again one by one.
 * @param now epoch milliseconds
 * @param end called in the transaction with what became of each pick, in order
 * @returns what `end` returns
 */
export async function postAll<T>(
  database: Database,
  posts: readonly KeyedPosting[],
  provenance: Provenance,
  now: number,
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

/** Attempts to post each pick until it is stored or refused. */
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
 * Claims the keys, judges the picks, and stores those that are accepted. A pick that is not stored releases its key.
 * @param posts no two under one key
 * @returns the outcome of each, in order
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

/** The attempt to post a pick under a key that was claimed before. */
function attemptUnder(earlier: { pick: StoredPick; isSame: boolean } | undefined): Attempt {
  if (earlier === undefined) return { state: 'retry', reason: 'this Idempotency-Key is in use' };
  if (!earlier.isSame) return { state: 'refused', reason: 'this Idempotency-Key was used for another pick' };
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
