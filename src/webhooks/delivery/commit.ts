import { arraysOf } from '../../platform/columns.ts';
import { ask, type Database } from '../../platform/database.ts';
import { type AttemptRecord, shortAttempt } from '../subscriptions/attempts.ts';
import { type Claimed, leaseMs } from './claim.ts';

/** What has been delivered, in absolute figures: storing it twice changes nothing. */
export interface Progress {
  /** The first `seq` that is not delivered yet. */
  cursorSeq: number;
  /** Events that the cycle has sent. */
  sent: number;
  /** Whether the cycle sends nothing more: the receiver failed, or its time was up. */
  cycleOver: boolean;
  /** Consecutive failures. */
  failures: number;
  /** Whether this cycle gave the last of them. */
  failed: boolean;
  disabled: boolean;
  /** Epoch milliseconds before which nothing is sent; null: in the next cycle. */
  retryAt: number | null;
}

/** Which lease it is. */
type Held = Pick<Claimed, 'id' | 'generation' | 'cycle' | 'rotated_at'>;

/** What a holder stores. */
export interface Commit {
  subscription: Held;
  progress: Progress;
  /** Whether the lease goes on. */
  keep: boolean;
  /** The request that led here, if one did. */
  attempt: AttemptRecord | null;
}

/**
 * `changed`: stored, but the subscription was revoked, disabled or given another secret meanwhile. `lost`: nothing is stored, since the
 * generation is another one.
 */
export type Committed = 'stored' | 'changed' | 'lost';

/** Stores any number of commits by one statement. @returns the outcome of each, in their order */
export async function commitAll(database: Database, commits: readonly Commit[]): Promise<Committed[]> {
  const given = [JSON.stringify(commits.map(shortCommit)), leaseMs];
  return outcomesOf(await ask(database, 'select * from store_deliveries($1, $2)', given), commits);
}

/** @param answer names the subscriptions whose outcome is not `stored` */
function outcomesOf(
  rows: readonly { id: number; stored: boolean }[],
  given: readonly { subscription: Held }[],
): Committed[] {
  if (rows.length === 0) return given.map(() => 'stored');
  const otherwise = new Map(rows.map(({ id, stored }) => [id, stored ? 'changed' : 'lost'] as const));
  return given.map(({ subscription }) => otherwise.get(subscription.id) ?? 'stored');
}

/** A commit as `store_deliveries` takes it. There are thousands a second: names are short, and null or false is left out. */
function shortCommit({ subscription, progress, keep, attempt }: Commit) {
  return {
    id: subscription.id,
    generation: subscription.generation,
    cycle: subscription.cycle,
    rotated: subscription.rotated_at ?? undefined,
    cursor: progress.cursorSeq,
    sent: progress.sent,
    over: progress.cycleOver || undefined,
    failures: progress.failures,
    failed: progress.failed || undefined,
    disabled: progress.disabled || undefined,
    retry: progress.retryAt ?? undefined,
    keep: keep || undefined,
    ...(attempt === null ? {} : shortAttempt(attempt)),
  };
}

/** A delivery that its receiver took, under a lease that goes on. */
export interface Note {
  subscription: Held;
  /** The first `seq` that is not delivered yet. */
  cursorSeq: number;
  attempt: AttemptRecord;
}

/** The parameters of `note_deliveries`. */
const noteTypes = {
  ...{ id: 'int', generation: 'bigint', rotated: 'float8', cursor: 'bigint', slot: 'smallint', at: 'float8' },
  ...{ delivery: 'text', event: 'text', pick: 'uuid', picks: 'smallint', status: 'int', took: 'int' },
} as const;
const noteColumns = Object.keys(noteTypes) as (keyof typeof noteTypes)[];
const storeNotes = `select * from note_deliveries(${Object.values(noteTypes).map((type, index) => `$${index + 1}::${type}[]`)})`;

/**
 * Stores any number of notes by one statement: each is an attempt that says how far it brought its subscription. The subscription itself
 * stays as it is.
 * @returns the outcome of each, in their order
 */
export async function noteAll(database: Database, notes: readonly Note[]): Promise<Committed[]> {
  return outcomesOf(await ask(database, storeNotes, arraysOf(noteColumns, notes.map(columns))), notes);
}

function columns({ subscription, cursorSeq, attempt }: Note) {
  const { slot, at, delivery, event, picks, took } = shortAttempt(attempt);
  return {
    ...{
      id: subscription.id,
      generation: subscription.generation,
      rotated: subscription.rotated_at,
      cursor: cursorSeq,
    },
    ...{ slot, at, delivery, event, pick: attempt.pickUuid, picks, status: attempt.status, took },
  };
}
