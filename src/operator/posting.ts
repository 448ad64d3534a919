import { setImmediate as nextTurn } from 'node:timers/promises';
import { planAheadMs, planClosings, seal } from '../jobs/declared.ts';
import type { Enqueue } from '../jobs/runtime/enqueue.ts';
import { type ProvisionalCheck, provisionalChecks } from '../ledger/grading/price-checks.ts';
import { createPostingTime } from '../ledger/log-kind.ts';
import { type Post, type Posted, postPicks } from '../ledger/posting/post-picks.ts';
import { createAcknowledge } from '../ledger/publishing/acknowledge.ts';
import { SignerError } from '../ledger/publishing/signer/remote-signer.ts';
import { answeredWithin, storingMs } from '../platform/availability.ts';
import { createBatcher } from '../platform/batcher.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import { type Database, isRolledBack } from '../platform/database.ts';
import { type Action, type Outcome, recordActions } from './actions.ts';

/** A stored pick, with the log's signed promise to seal it. */
export interface Acknowledged {
  pickUuid: string;
  postedAt: string;
  note?: string;
  /** Whether its odds were on offer, according to stored prices. Absent if those could not be read. */
  priceCheck?: ProvisionalCheck;
  acknowledgement?: string;
  /** Why there is no acknowledgement. Repeating the request under its Idempotency-Key gets one. */
  unacknowledged?: string;
}

/** The outcome of a pick, with its index in the request. */
type PickAnswer = { index: number } & (
  | ({ outcome: 'added' | 'unchanged' } & Acknowledged)
  | { outcome: 'refused'; reason: string; repeats?: string }
);

/** The picks of a request, and its requester. */
export interface PickRequest {
  action: Action;
  posts: readonly (Post & { index: number })[];
  /** Rows that are not valid picks. */
  refused: readonly Outcome[];
}

/** The outcomes of a request's picks, and the price checks of its batch by id of the pick: none if the prices cannot be read. */
interface Stored {
  posted: Posted[];
  checks: Promise<Map<number, ProvisionalCheck>>;
}

type StoredPick = Exclude<Posted, { outcome: 'refused' }>;

const storedAmong = (posted: readonly Posted[]): StoredPick[] =>
  posted.flatMap((one) => (one.outcome === 'refused' ? [] : one));

export interface PostingDeps {
  config: Pick<Config<'operator'>, 'ledger' | 'site'>;
  database: Database;
  clock: Clock;
  enqueue: Pick<Enqueue, 'add'>;
}

/** Maximum number of picks from several requests in one transaction. Larger requests get their own. */
const maxPicks = 250;

/**
 * Posts picks. Concurrent requests share a transaction, which also records their outcomes. Acknowledgements are signed only after the
 * commit.
 */
export function createPosting({
  config,
  database,
  clock,
  enqueue,
}: PostingDeps): (request: PickRequest) => Promise<PickAnswer[]> {
  const postingTime = createPostingTime(database, clock);
  const acknowledge = createAcknowledge(database, { ...config.site, ...config.ledger });
  const post = createBatcher<PickRequest, Stored>(storeTogether, {
    maxItems: maxPicks,
    sizeOf: ({ posts }) => posts.length,
    // The next batch is checked while PostgreSQL stores a full one.
    extra: 1,
  });

  async function storeTogether(requests: readonly PickRequest[]): Promise<PromiseSettledResult<Stored>[]> {
    const rows = requests.reduce((sum, { posts }) => sum + posts.length, 0);
    try {
      // Bounded here, too: the next batch waits for this one, whatever its requests do.
      const posted = await answeredWithin(
        async () => postAndRecord(database, requests, await postingTime()),
        storingMs(rows),
      );
      announce(posted.flat());
      // Read once for the whole batch, while the next one is stored.
      const checks = checksOf(posted.flatMap(storedAmong));
      return posted.map((own) => ({ status: 'fulfilled', value: { posted: own, checks } }));
    } catch (error) {
      if (requests.length === 1 || !isRolledBack(error)) throw error;
      // Retries the requests separately, so that none fails because of another.
      const settled: PromiseSettledResult<Stored>[] = [];
      for (const request of requests)
        settled.push(
          ...(await storeTogether([request]).catch((reason) => [{ status: 'rejected', reason } as const])),
        );
      return settled;
    }
  }

  async function checksOf(stored: readonly StoredPick[]): Stored['checks'] {
    const checks = await provisionalChecks(database, stored);
    return new Map(checks.map((check, index) => [stored[index]!.pickId, check]));
  }

  /** Enqueues jobs for new picks, without waiting. They only save time: scheduled runs do the same work a little later. */
  function announce(posted: readonly Posted[]): void {
    const fresh = posted.flatMap((one) => (one.outcome === 'added' ? one.body : []));
    if (fresh.length > 0) void enqueue.add(seal, {});
    const soon = clock.now() + planAheadMs;
    if (fresh.some(({ starts_at }) => starts_at !== null && Date.parse(starts_at) <= soon))
      void enqueue.add(planClosings, {});
  }

  return async (request) => {
    const { posted, checks } = await post(request);
    // Lets the next batch reach PostgreSQL before signing blocks this process.
    await nextTurn();
    const stored = storedAmong(posted);
    const bodies = stored.map(({ body }) => body);
    const signed = stored.length === 0 ? [] : await acknowledge(bodies, clock.now());
    const [notes, checkOf] = [signed.values(), await checks];
    return posted.map((one, at): PickAnswer => {
      const { index } = request.posts[at]!;
      if (one.outcome === 'refused') return { index, ...one };
      const { outcome, pickUuid, postedAt, note: remark } = one;
      const note = notes.next().value!;
      const priceCheck = checkOf.get(one.pickId);
      const answer = {
        index,
        outcome,
        pickUuid,
        postedAt,
        ...(remark === undefined ? {} : { note: remark }),
        ...(priceCheck === undefined ? {} : { priceCheck }),
      };
      return note instanceof SignerError
        ? { ...answer, unacknowledged: note.message }
        : { ...answer, acknowledgement: note };
    });
  };
}

/**
 * Posts the picks of several requests, and records each request with its outcome.
 * @returns the outcomes of the picks, by request
 */
async function postAndRecord(
  database: Database,
  requests: readonly PickRequest[],
  now: number,
): Promise<Posted[][]> {
  const posts = requests.flatMap((request) => request.posts);
  const posted = await postPicks(database, posts, now, (transaction, all) => {
    const outcomes = splitBy(requests, all);
    const ended = requests.map(({ action, refused, posts: own }, at) => ({
      action,
      answers: [
        ...refused,
        ...outcomes[at]!.map((one, position) => ({ ...one, index: own[position]!.index })),
      ],
    }));
    return recordActions(transaction, ended, now);
  });
  return splitBy(requests, posted);
}

function splitBy(requests: readonly PickRequest[], posted: readonly Posted[]): Posted[][] {
  let from = 0;
  return requests.map(({ posts }) => {
    const own = posted.slice(from, from + posts.length);
    from += own.length;
    return own;
  });
}
