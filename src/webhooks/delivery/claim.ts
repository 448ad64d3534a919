import type { Database } from '../../platform/database.ts';
import { due } from './due.ts';

/**
 * How long a lease lasts, in milliseconds of the database's clock, from the claim and again from each commit: longer than the longest
 * request. The subscriptions of a killed worker are idle again after that.
 */
export const leaseMs = 15_000;

/** A subscription as it was when it was claimed. */
export interface Claimed {
  id: number;
  generation: number;
  /** The first `seq` that is not delivered yet. */
  cursorSeq: number;
  /** The last `seq` that matches its filter. */
  headSeq: number;
  capperId: number | null;
  sport: string | null;
  /** The cycle, and how many events it has sent. */
  cycle: number;
  sent: number;
  /** Consecutive failures. */
  failures: number;
  /** The name of the chat platform whose channel the target is. */
  platform: string | null;
  targetHost: string;
  target_url_sealed: Buffer;
  secret_sealed: Buffer;
  previous_secret_sealed: Buffer | null;
  /** Epoch milliseconds of the last rotation. */
  rotated_at: number | null;
  overlap_seconds: number;
  /** Whether its receiver has taken anything before. */
  proven: boolean;
}

/**
 * Claims subscriptions that are due and that nobody holds, by at most three statements. What a killed holder had noted counts as delivered.
 * @param now epoch milliseconds
 * @returns a subscription or undefined for each id, in their order
 */
export async function claimAll(
  database: Database,
  ids: readonly number[],
  now: number,
): Promise<(Claimed | undefined)[]> {
  const claimed = await claimReleased(database, ids, now);
  const others = ids.filter((id) => !claimed.has(id));
  if (others.length > 0 && (await endAbandoned(database, others)) > 0)
    for (const [id, row] of await claimReleased(database, others, now)) claimed.set(id, row);
  return ids.map((id) => {
    const row = claimed.get(id);
    // An id that was asked for twice is claimed once.
    claimed.delete(id);
    return row;
  });
}

/** Claims those that are due and whose last holder has released them. */
async function claimReleased(
  database: Database,
  ids: readonly number[],
  now: number,
): Promise<Map<number, Claimed>> {
  const { rows }: { rows: Claimed[] } = await database.raw(
    `update webhook_subscriptions s set generation = s.generation + 1, cycle = c.cycle,
       cycle_sent = case when s.cycle = c.cycle then s.cycle_sent else 0 end,
       cycle_over = s.cycle = c.cycle and s.cycle_over, lease_until = clock_timestamp() + interval '${leaseMs} ms'
     from webhook_filters f, webhook_cycles c
     where s.id in (
         -- Two claims of the same rows do not wait for each other: each gets those that it locks first.
         select id from webhook_subscriptions where id = any(:ids) for no key update skip locked)
       and c.id = 1 and f.id = s.filter_id and s.lease_until is null and ${due}
     returning s.id, s.generation, s.cursor_seq as "cursorSeq", f.head_seq as "headSeq", f.capper_id as "capperId", f.sport, s.cycle,
       s.cycle_sent as sent, s.consecutive_failures as failures, s.platform, s.target_host as "targetHost", s.target_url_sealed,
       s.secret_sealed, s.previous_secret_sealed, s.rotated_at, s.overlap_seconds, s.proven_at is not null as proven`,
    { ids, now: new Date(now) },
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Attempts that are looked through for those of an abandoned lease: more than the events of a cycle and what an owner may send besides. */
const maxNoted = 100;

/**
 * Ends leases that have run out without being released: their holders were killed. Deliveries that they had only noted are stored with their
 * subscriptions, and the generation is raised, so that a holder that was frozen can commit nothing.
 * @returns how many leases it ended
 */
async function endAbandoned(database: Database, ids: readonly number[]): Promise<number> {
  const { rowCount } = await database.raw(
    `with abandoned as materialized (
       select id, generation, cursor_seq from webhook_subscriptions
       where id = any(:ids) and lease_until <= clock_timestamp() for no key update skip locked
     ), noted as materialized (
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
  return rowCount;
}
