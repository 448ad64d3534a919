import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, isUnreachable } from '../../platform/database.ts';
import { type AttemptRecord, slotAt } from '../subscriptions/attempts.ts';
import { leaseMs } from './fence.ts';
import { gather } from './gather.ts';

/** Where a subscription stands, in absolute figures: written twice it says the same. */
export interface Standing {
  id: number;
  generation: number;
  cursorSeq: number;
  cycle: number;
  /** Events that the cycle has sent; the cap where the cycle is over for this subscription. */
  sent: number;
  /** Consecutive failures. */
  strikes: number;
  /** Whether this cycle gave the last of them. */
  struck: boolean;
  disabled: boolean;
  /** Epoch milliseconds; null: in the next cycle. */
  retryAt: number | null;
  /** Epoch milliseconds: when the secrets were changed that the one who commits signs with. */
  rotatedAt: number | null;
}

/** What is to be stored. */
export interface Commit {
  standing: Standing;
  /** Whether the one who commits goes on delivering; else the subscription is set free. */
  keep: boolean;
  /** The request that led here, if one did. */
  attempt: AttemptRecord | null;
}

/**
 * What came of a commit. `changed`: it is stored, but the subscription has been revoked, disabled or given another secret.
 * `lost`: nothing is stored, since another one has taken the subscription, or its owner has changed it.
 */
export type Committed = 'stored' | 'changed' | 'lost';

/** Commits of many subscriptions that deliver at the same time: they share statements, and each waits for its own outcome. */
export interface Commits {
  /** Stores a standing under its generation. While the database is away it waits and tries again: what was answered is not sent again. */
  commit(commit: Commit): Promise<Committed>;
}

/** Most commits in one statement. */
const batch = 500;
const retryMs = 500;

export function createCommits(database: Database): Commits {
  async function store(commits: readonly Commit[]): Promise<Committed[]> {
    for (;;) {
      try {
        return await storeAll(database, commits);
      } catch (error) {
        if (!isUnreachable(error)) throw error;
        await sleep(retryMs);
      }
    }
  }
  return { commit: gather(batch, store) };
}

/** One statement, whatever the number of commits: planned once for each connection. It answers with those that did not go smoothly. */
const statement = `
  with given as materialized (
    select g.*, to_timestamp(g.at / 1000) as made_at
    from json_to_recordset(?) as g (id int, generation bigint, cursor bigint, cycle bigint, sent int, strikes int, struck boolean,
      disabled boolean, retry float, rotated float, keep boolean, slot int, at float, delivery text, event text, pick uuid, picks int,
      status int, error text, took int)
  ), moved as (
    update webhook_subscriptions s set cursor_seq = g.cursor,
      resting_seq = case when g.keep then s.resting_seq else g.cursor end, cycle = g.cycle, cycle_sent = g.sent,
      consecutive_failures = g.strikes, retry_at = to_timestamp(g.retry / 1000),
      struck_cycle = case when g.strikes = 0 then null when g.struck then g.cycle else s.struck_cycle end,
      status = case when g.disabled and s.status = 'active' then 'disabled' else s.status end,
      disabled_at = case when g.disabled and s.status = 'active' then g.made_at else s.disabled_at end,
      last_delivery_at = coalesce(g.made_at, s.last_delivery_at),
      last_status = case when g.at is null then s.last_status else g.status end,
      last_error = case when g.at is null then s.last_error else g.error end,
      lease_until = case when g.keep then clock_timestamp() + interval '${leaseMs} ms' end
    from given g where s.id = g.id and s.generation = g.generation
    returning s.id, s.status = 'active' and s.rotated_at is not distinct from to_timestamp(g.rotated / 1000) as same
  ), recorded as (
    insert into webhook_attempts (slot, subscription_id, at, delivery_id, event, pick_uuid, picks, status, error, duration_ms)
    select slot, id, made_at, delivery, event, pick, picks, status, error, took from given where at is not null
  )
  select g.id, m.id is not null as stored from given g left join moved m using (id) where m.same is not true`;

async function storeAll(database: Database, commits: readonly Commit[]): Promise<Committed[]> {
  const { rows }: { rows: { id: number; stored: boolean }[] } = await database
    .raw(statement, [JSON.stringify(commits.map(given))])
    .options({ name: 'webhook commits' });
  if (rows.length === 0) return commits.map(() => 'stored');
  const otherwise = new Map(rows.map(({ id, stored }) => [id, stored ? 'changed' : 'lost'] as const));
  return commits.map(({ standing }) => otherwise.get(standing.id) ?? 'stored');
}

/** A commit as the statement takes it. Names are short, and what is null or false is left out: there are thousands a second. */
function given({ standing, keep, attempt }: Commit) {
  return {
    id: standing.id,
    generation: standing.generation,
    cursor: standing.cursorSeq,
    cycle: standing.cycle,
    sent: standing.sent,
    strikes: standing.strikes,
    struck: standing.struck || undefined,
    disabled: standing.disabled || undefined,
    retry: standing.retryAt ?? undefined,
    rotated: standing.rotatedAt ?? undefined,
    keep: keep || undefined,
    ...(attempt === null ? {} : made(attempt)),
  };
}

function made(attempt: AttemptRecord) {
  return {
    slot: slotAt(attempt.at),
    at: attempt.at,
    delivery: attempt.deliveryId,
    event: attempt.event,
    pick: attempt.pickUuid ?? undefined,
    picks: attempt.picks,
    status: attempt.status ?? undefined,
    error: attempt.error ?? undefined,
    took: Math.round(attempt.durationMs),
  };
}
