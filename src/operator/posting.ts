import { planClosings } from '../jobs/grading.ts';
import type { Enqueue } from '../jobs/runtime/enqueue.ts';
import { seal } from '../jobs/sealing.ts';
import { acknowledge } from '../ledger/acknowledge.ts';
import type { Post } from '../ledger/pick-requests.ts';
import { postPicks } from '../ledger/post-picks.ts';
import { SignerError } from '../ledger/signer/remote-signer.ts';
import { createBatcher } from '../platform/batcher.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import { type Database, isRefused } from '../platform/database.ts';
import type { PostedPick } from '../proof/acknowledgement.ts';

/** A pick that is stored, with the log's signed promise to seal it. */
export interface Acknowledged {
  pickUuid: string;
  postedAt: string;
  note?: string;
  acknowledgement?: string;
  /** Why there is no acknowledgement: the same pick again under its Idempotency-Key gets one. */
  unacknowledged?: string;
}

/** What became of a pick. */
type PickAnswer =
  | ({ outcome: 'added' | 'unchanged' } & Acknowledged)
  | { outcome: 'refused'; reason: string };

export interface PostingDeps {
  config: Pick<Config<'operator'>, 'ledger' | 'site'>;
  database: Database;
  clock: Clock;
  enqueue: Pick<Enqueue, 'add'>;
}

/** Picks in one transaction: what it locks is free again soon. */
const maxItems = 250;

/**
 * Posts picks, and shares among requests that come together what each would pay for alone: the transaction, the reading of bodies for
 * acknowledgements, and the jobs. An acknowledgement is signed only for what is committed.
 */
export function createPosting({
  config,
  database,
  clock,
  enqueue,
}: PostingDeps): (post: Post) => Promise<PickAnswer> {
  const store = createBatcher((posts: readonly Post[]) => postPicks(database, posts, clock.now()), {
    maxItems,
  });
  const promise = createBatcher(
    async (picks: readonly PostedPick[]) => {
      const signing = { ...config.site, ...config.ledger };
      const notes = await acknowledge(database, signing, picks, clock.now());
      return notes.map((value) => ({ status: 'fulfilled', value }) as const);
    },
    { maxItems, atOnce: 2 },
  );
  // Only a shortcut: scheduled runs of these jobs find the same work, a little later.
  const announce = createBatcher(
    async (picks: readonly string[]) => {
      await Promise.all([enqueue.add(seal, {}), enqueue.add(planClosings, {})]);
      return picks.map((value) => ({ status: 'fulfilled', value }) as const);
    },
    { maxItems: Infinity },
  );

  return async (post) => {
    const posted = await store(post).catch((error: unknown) => {
      // The database refuses what cannot be true; its message is a sentence.
      if (isRefused(error)) return { outcome: 'refused', reason: error.message } as const;
      throw error;
    });
    if (posted.outcome === 'refused') return posted;
    const { outcome, pickUuid, postedAt, body, note: remark } = posted;
    const [note] = await Promise.all([promise(body), outcome === 'added' && announce(pickUuid)]);
    const answer = { outcome, pickUuid, postedAt, ...(remark === undefined ? {} : { note: remark }) };
    return note instanceof SignerError
      ? { ...answer, unacknowledged: note.message }
      : { ...answer, acknowledgement: note };
  };
}
