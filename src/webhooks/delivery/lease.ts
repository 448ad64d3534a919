import { setTimeout as sleep } from 'node:timers/promises';
import { createBatcher } from '../../platform/batcher.ts';
import { type Clock, isoOrNull } from '../../platform/clock.ts';
import { type Database, isUnreachable } from '../../platform/database.ts';
import { type AttemptRecord, attemptRow } from '../subscriptions/attempts.ts';
import { type Filter, filterFields } from '../subscriptions/filters.ts';
import type { SealedSecrets } from '../subscriptions/secrets.ts';
import { proven } from '../subscriptions/subscriptions.ts';

/*
 * A subscription has one sender at a time: the worker that holds its lease. The subscription's row stores the lease as `generation`,
 * which identifies the holder, and `lease_until`, after which the holder counts as dead.
 *
 *   claim    Raises the generation and sets the expiry. Before that, counts the notes of a dead holder.
 *   note     Inserts an accepted attempt, with the generation and the cursor after it. The row stays as it is.
 *   renew    Extends the expiry.
 *   release  Stores the cursor and the failures in the row, and clears the expiry.
 *
 * Every change of the row checks the generation, and a claim counts only notes of the last one. A worker that was frozen while another
 * one took over moves nothing. A note follows each answer before the next request is sent, so a kill repeats at most the one request that
 * was not noted, and skips none. Revoking a subscription and moving its cursor raise the generation too.
 */

export const maxEvents = 50;

/** SQL condition: a subscription, `s`, is behind its filter, `f`. */
export const behind = `s.status = 'active' and s.cursor_seq <= f.head_seq`;

/** SQL condition: the current cycle, `c`, may send the subscription more. */
export const unfinished = `(s.cycle <> c.cycle or (not s.cycle_over and s.cycle_sent < ${maxEvents}))`;

/** SQL condition: the subscription may be claimed at `:now`, an instant of the service's clock. */
export const due = `
  ${behind} and ${unfinished}
  and (s.lease_until is null or s.lease_until <= clock_timestamp())
  -- Receivers can ask for at most an hour, so a later instant means that the clock was set back.
  and (s.retry_at is null or s.retry_at <= :now or s.retry_at > cast(:now as timestamptz) + interval '1 hour')`;

export interface Claimed extends SealedSecrets, Filter {
  generation: number;
  /** The first undelivered `seq`. */
  cursorSeq: number;
  /** The last `seq` that matches its filter. */
  headSeq: number;
  /** The cycle, and the number of events it has sent. */
  cycle: number;
  sent: number;
  failures: number;
  platform: string | null;
  /** Identifies a device; null for other receivers. */
  device: Buffer | null;
  targetHost: string;
  /** The client address that subscribed; null once revoked. */
  client: string | null;
  proven: boolean;
  target_url_sealed: Buffer;
}

/** Progress of a lease in absolute figures, so that storing it twice changes nothing. */
interface Progress {
  cursorSeq: number;
  /** Number of events that the cycle has sent. */
  sent: number;
  /** Whether the cycle sends nothing more: the receiver failed, or the time is up. */
  cycleOver: boolean;
  failures: number;
  /** Whether this cycle added the last failure. */
  failed: boolean;
  disabled: boolean;
  /** Instant before which nothing is sent. Null: the next cycle may send. */
  retryAt: EpochMs | null;
}

/** A worker's lease on a subscription. Its methods wait while the database is unavailable, so that an answered request is not repeated. */
export type Lease = NonNullable<Awaited<ReturnType<Leases['claim']>>>;
export type Leases = ReturnType<typeof createLeases>;

const fulfilled = <Value>(values: readonly Value[]) =>
  values.map((value) => ({ status: 'fulfilled', value }) as const);

/** Duration of a lease, in ms: longer than the longest request. Subscriptions of a killed worker are free afterwards. */
const leaseMs = 15_000;
const leaseEnd = `clock_timestamp() + interval '${leaseMs} ms'`;

const maxClaims = 100;
const maxStored = 500;

/** Concurrent calls share statements. */
export function createLeases(database: Database, clock: Clock) {
  const claim = createBatcher(
    async (ids: readonly number[]) => fulfilled(await claimAll(database, ids, clock.now())),
    { maxItems: maxClaims },
  );
  const store = createBatcher(
    async (changes: readonly Change[]) => fulfilled(await whenReachable(() => storeAll(database, changes))),
    { maxItems: maxStored },
  );
  return {
    /** @returns undefined if nothing is due or another worker holds the lease */
    async claim(id: number) {
      // Measured before the statement, so that the lease never seems longer than it is in the database.
      let renewedAt = performance.now();
      const subscription = await claim(id);
      if (subscription === undefined) return undefined;
      const { cursorSeq, sent, failures } = subscription;
      let progress: Progress = {
        cursorSeq,
        sent,
        failures,
        cycleOver: false,
        failed: false,
        disabled: false,
        retryAt: null,
      };
      /** Ends the lease and stores its progress, and the last attempt unless it was noted. */
      async function release(step: Partial<Progress>, attempt: AttemptRecord | null): Promise<void> {
        progress = { ...progress, ...step };
        await store({ subscription: subscription!, progress, attempt, ends: true });
      }
      const unlessOver = async (held: boolean) => {
        if (!held) await release({}, null);
        return held;
      };
      return {
        subscription,
        get progress(): Readonly<Progress> {
          return progress;
        },
        /** Records an accepted delivery. @returns false if the subscription changed or was lost, which ends the lease */
        async note(step: Partial<Progress>, attempt: AttemptRecord): Promise<boolean> {
          progress = { ...progress, ...step };
          return unlessOver(await store({ subscription, progress, attempt, ends: false }));
        },
        /** Extends the lease unless it lasts another `ms` milliseconds anyway. @returns as `note` */
        async renew(ms: number): Promise<boolean> {
          const now = performance.now();
          if (now + ms <= renewedAt + leaseMs) return true;
          renewedAt = now;
          return unlessOver(await whenReachable(() => extend(database, subscription)));
        },
        release,
        /** Erases all that the device follows, if the receiver is one: its push service says that it is gone (RFC 8030, section 7.3). */
        async forgetDevice(): Promise<void> {
          const { device } = subscription;
          if (device === null) return;
          await whenReachable(() => database('webhook_subscriptions').where({ device }).delete());
        },
      };
    },
  };
}

/** @returns a subscription or undefined per id, in order; an id that occurs twice is claimed once */
async function claimAll(
  database: Database,
  ids: readonly number[],
  now: number,
): Promise<(Claimed | undefined)[]> {
  await endAbandoned(database, ids);
  const { rows }: { rows: Claimed[] } = await database.raw(
    `update webhook_subscriptions s set generation = s.generation + 1, lease_until = ${leaseEnd}, cycle = c.cycle,
       cycle_sent = case when s.cycle = c.cycle then s.cycle_sent else 0 end,
       cycle_over = s.cycle = c.cycle and s.cycle_over
     from webhook_filters f, webhook_cycles c
     where s.id in (
         -- Avoids deadlocks between workers that claim the same rows in different orders.
         select id from webhook_subscriptions where id = any(:ids) for no key update skip locked)
       and f.id = s.filter_id and ${due}
     returning s.id, s.generation, s.cursor_seq as "cursorSeq", f.head_seq as "headSeq", ${filterFields}, s.cycle,
       s.cycle_sent as sent, s.consecutive_failures as failures, s.platform, s.device, s.target_host as "targetHost", s.target_url_sealed, s.client, ${proven} as proven,
       s.secret_sealed, s.previous_secret_sealed, s.rotated_at, s.overlap_seconds`,
    { ids, now: new Date(now) },
  );
  const claimed = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => {
    const row = claimed.get(id);
    claimed.delete(id);
    return row;
  });
}

/** Attempts searched for notes: more than a cycle's events and what an owner may send in addition. */
const maxNoted = 100;

/** Ends leases that expired without a release, and stores the deliveries that their holders noted. */
async function endAbandoned(database: Database, ids: readonly number[]): Promise<void> {
  await database.raw(
    `with abandoned as (
       select id, generation, cursor_seq from webhook_subscriptions
       where id = any(:ids) and lease_until <= clock_timestamp() for no key update skip locked
     ), noted as (
       select n.id, max(a.next_seq) as next_seq, sum(a.picks) as sent, max(a.at) as at,
         (array_agg(a.status order by a.next_seq desc))[1] as status
       from abandoned n cross join lateral (
         select * from webhook_attempts where subscription_id = n.id order by at desc limit ${maxNoted}) a
       where a.generation = n.generation and a.next_seq > n.cursor_seq
       group by n.id
     )
     update webhook_subscriptions s set generation = s.generation + 1, lease_until = null,
       cursor_seq = coalesce(n.next_seq, s.cursor_seq), cycle_sent = s.cycle_sent + coalesce(n.sent, 0),
       consecutive_failures = case when n.id is null then s.consecutive_failures else 0 end,
       failed_cycle = case when n.id is null then s.failed_cycle end,
       last_delivery_at = coalesce(n.at, s.last_delivery_at), last_status = coalesce(n.status, s.last_status),
       last_error = case when n.id is null then s.last_error end
     from abandoned a left join noted n on n.id = a.id
     where s.id = a.id`,
    { ids },
  );
}

/** SQL condition: the subscription, `s`, is unchanged since its holder read it: not lost, paused, revoked, or given a new secret. */
const unchanged = (generation: string, rotatedAt: string) =>
  `s.generation = ${generation} and s.status = 'active' and s.rotated_at is not distinct from ${rotatedAt}`;

async function extend(
  database: Database,
  { id, generation, rotated_at }: Pick<Claimed, 'id' | 'generation' | 'rotated_at'>,
): Promise<boolean> {
  const { rowCount } = await database.raw(
    `update webhook_subscriptions s set lease_until = ${leaseEnd}
     where s.id = :id and ${unchanged(':generation', 'cast(:rotatedAt as timestamptz)')}`,
    { id, generation, rotatedAt: isoOrNull(rotated_at) },
  );
  return rowCount === 1;
}

interface Change {
  subscription: Pick<Claimed, 'id' | 'generation' | 'cycle' | 'rotated_at'>;
  progress: Progress;
  attempt: AttemptRecord | null;
  ends: boolean;
}

/** Stores notes and ends leases in one statement. @returns whether each subscription is unchanged */
async function storeAll(database: Database, changes: readonly Change[]): Promise<boolean[]> {
  const { rows }: { rows: { n: number }[] } = await database.raw(
    `with changes as materialized (
       select * from json_to_recordset(:changes) as g (n int, id int, generation bigint, rotated_at timestamptz, ends boolean,
         "cursorSeq" bigint, cycle bigint, sent int, "cycleOver" boolean, failures int, failed boolean, disabled boolean,
         "retryAt" timestamptz, attempted_at timestamptz, status int, error text)
     ), recorded as (
       insert into webhook_attempts select * from json_populate_recordset(cast(null as webhook_attempts), :attempts)
     ), released as (
       update webhook_subscriptions s set lease_until = null, cursor_seq = g."cursorSeq", cycle = g.cycle, cycle_sent = g.sent,
         cycle_over = g."cycleOver", consecutive_failures = g.failures, retry_at = g."retryAt",
         failed_cycle = case when g.failures = 0 then null when g.failed then g.cycle else s.failed_cycle end,
         status = case when g.disabled and s.status = 'active' then 'disabled' else s.status end,
         disabled_at = case when g.disabled and s.status = 'active' then g.attempted_at else s.disabled_at end,
         last_delivery_at = coalesce(g.attempted_at, s.last_delivery_at),
         last_status = case when g.attempted_at is null then s.last_status else g.status end,
         last_error = case when g.attempted_at is null then s.last_error else g.error end
       from changes g where g.ends and s.id = g.id and s.generation = g.generation
     )
     select g.n from changes g join webhook_subscriptions s on s.id = g.id where ${unchanged('g.generation', 'g.rotated_at')}`,
    {
      changes: JSON.stringify(changes.map(changeRow)),
      attempts: JSON.stringify(changes.flatMap(notedRow)),
    },
  );
  const held = new Set(rows.map(({ n }) => n));
  return changes.map((_, n) => held.has(n));
}

function changeRow({ subscription, progress, attempt, ends }: Change, n: number) {
  const { id, generation, cycle, rotated_at } = subscription;
  return {
    n,
    ends,
    id,
    generation,
    cycle,
    rotated_at: isoOrNull(rotated_at),
    ...progress,
    retryAt: isoOrNull(progress.retryAt),
    attempted_at: isoOrNull(attempt?.at ?? null),
    status: attempt?.status,
    error: attempt?.error,
  };
}

function notedRow({ subscription, progress, attempt }: Change) {
  if (attempt === null) return [];
  return [{ ...attemptRow(attempt), generation: subscription.generation, next_seq: progress.cursorSeq }];
}

const retryMs = 500;

async function whenReachable<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      await sleep(retryMs);
    }
  }
}
