import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { planAheadMs, planClosings } from '../jobs/grading.ts';
import type { Enqueue } from '../jobs/runtime/enqueue.ts';
import { seal } from '../jobs/sealing.ts';
import { createAcknowledge } from '../ledger/acknowledge.ts';
import { postAtOnce, postPicks } from '../ledger/post-picks.ts';
import { createRecentFacts } from '../ledger/posting-facts.ts';
import { SignerError } from '../ledger/signer/remote-signer.ts';
import type { Post, Posted } from '../ledger/store-picks.ts';
import { createBatcher } from '../platform/batcher.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import { type Database, isRefused } from '../platform/database.ts';
import type { PostedPick } from '../proof/acknowledgement.ts';
import { type Action, type Actions, type Outcome, recordOf } from './actions.ts';

/** A pick that is stored, with the log's signed promise to seal it. */
export interface Acknowledged {
  pickUuid: string;
  postedAt: string;
  note?: string;
  acknowledgement?: string;
  /** Why there is no acknowledgement: the same pick again under its Idempotency-Key gets one. */
  unacknowledged?: string;
}

/** What became of a pick, by its place in the request. */
type PickAnswer = { index: number } & (
  | ({ outcome: 'added' | 'unchanged' } & Acknowledged)
  | { outcome: 'refused'; reason: string }
);

/** The picks of a request, and who asks. */
export interface PickRequest {
  action: Action;
  posts: readonly (Post & { index: number })[];
  /** The rows that are no picks. */
  refused: readonly Outcome[];
}

export interface PostingDeps {
  config: Pick<Config<'operator'>, 'ledger' | 'site'>;
  database: Database;
  clock: Clock;
  enqueue: Pick<Enqueue, 'add'>;
}

/** Milliseconds between two announcements of new picks: what comes meanwhile is announced together. */
const announceMs = 20;

/** Picks in one transaction: what it locks is free again soon. */
const maxItems = 250;

/**
 * Posts picks, and shares among requests that come together what each would pay for alone: the transaction, the record of who asks,
 * signing, and the jobs. An acknowledgement is signed only for what is committed.
 */
export function createPosting(
  { config, database, clock, enqueue }: PostingDeps,
  actions: Actions,
): (request: PickRequest) => Promise<PickAnswer[]> {
  const recent = createRecentFacts();
  const together = createBatcher(
    async (requests: readonly PickRequest[]) => {
      const now = clock.now();
      const posted = await postAtOnce(
        database,
        requests.flatMap(({ posts }) => posts),
        now,
        (planned) =>
          splitBy(requests, planned).map(([{ action, posts, refused }, outcomes]) =>
            recordOf(
              action,
              [...refused, ...outcomes.map((one, at) => ({ ...one, index: posts[at]!.index }))],
              now,
            ),
          ),
        recent,
      );
      if (posted !== undefined)
        return splitBy(requests, posted).map(([, value]) => ({ status: 'fulfilled', value }) as const);
      const settled: PromiseSettledResult<Posted[]>[] = [];
      for (const request of requests) settled.push(...(await Promise.allSettled([apart(request)])));
      return settled;
    },
    // Large arrays: while PostgreSQL stores one batch, the next one is made ready.
    { maxItems, sizeOf: ({ posts }) => posts.length, extra: 1 },
  );

  /** Records who asks before anything is stored, and what comes of it after. */
  async function apart({ action, posts, refused }: PickRequest): Promise<Posted[]> {
    const id = await actions.begin(action);
    const posted: Posted[] = [];
    for (let from = 0; from < posts.length; from += maxItems)
      for (const one of await postPicks(database, posts.slice(from, from + maxItems), clock.now())) {
        if (one.status === 'fulfilled') posted.push(one.value);
        // The database refuses what cannot be true; its message is a sentence.
        else if (isRefused(one.reason)) posted.push({ outcome: 'refused', reason: one.reason.message });
        else throw one.reason;
      }
    await actions.end(id, [...refused, ...posted.map((one, at) => ({ ...one, index: posts[at]!.index }))]);
    return posted;
  }

  const acknowledge = createAcknowledge(database, { ...config.site, ...config.ledger });
  const promise = createBatcher(
    async (picks: readonly PostedPick[]) => {
      // The next batch goes to PostgreSQL first: handing a signature to a thread costs this one the processor.
      await nextTurn();
      const notes = await acknowledge(picks, clock.now());
      return notes.map((value) => ({ status: 'fulfilled', value }) as const);
    },
    { maxItems, atOnce: 2 },
  );
  // Only a shortcut, which no answer waits for: scheduled runs of these jobs find the same work, a little later.
  const announce = createBatcher(
    async (picks: readonly PostedPick[]) => {
      const startsSoon = picks.some(
        ({ starts_at }) => starts_at !== null && Date.parse(starts_at) - clock.now() <= planAheadMs,
      );
      await Promise.all([enqueue.add(seal, {}), startsSoon && enqueue.add(planClosings, {})]);
      await sleep(announceMs, undefined, { ref: false });
      return picks.map(() => ({ status: 'fulfilled', value: undefined }) as const);
    },
    { maxItems: Infinity },
  );

  async function answerOf(posted: Posted, index: number): Promise<PickAnswer> {
    if (posted.outcome === 'refused') return { index, ...posted };
    const { outcome, pickUuid, postedAt, body, note: remark } = posted;
    if (outcome === 'added') void announce(body);
    const note = await promise(body);
    const answer = { index, outcome, pickUuid, postedAt, ...(remark === undefined ? {} : { note: remark }) };
    return note instanceof SignerError
      ? { ...answer, unacknowledged: note.message }
      : { ...answer, acknowledgement: note };
  }

  return async (request) => {
    const { posts } = request;
    const atOnce = posts.length > 0 && posts.length <= maxItems;
    const posted = await (atOnce ? together(request) : apart(request));
    return Promise.all(posted.map((one, at) => answerOf(one, posts[at]!.index)));
  };
}

/** Gives each request its part of a list that has something for each of their picks. */
function splitBy<T>(requests: readonly PickRequest[], list: readonly T[]): [PickRequest, T[]][] {
  let from = 0;
  return requests.map((request) => {
    const part = list.slice(from, from + request.posts.length);
    from += part.length;
    return [request, part];
  });
}
