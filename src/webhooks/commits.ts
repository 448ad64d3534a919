import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, isUnreachable } from '../database.ts';
import { type AttemptRecord, attemptRow } from './attempts.ts';
import { leaseMs } from './fence.ts';

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
  /** Whether the one who commits goes on delivering; else the subscription is set free. */
  keep: boolean;
  /** The request that led here, if one did. */
  attempt: AttemptRecord | null;
}

/** What the subscription is after a commit. */
export interface Committed {
  status: string;
  /** Epoch milliseconds. */
  rotatedAt: number | null;
}

/**
 * Commits of many subscriptions that deliver at the same time: those that wait at the same moment share one statement, and each waits
 * for its own outcome.
 */
export interface Commits {
  /**
   * Stores a standing under its generation. While the database is away it waits and tries again: what was answered is not sent again.
   * @returns undefined when another one has taken the subscription, or its owner has changed it
   */
  commit(standing: Standing): Promise<Committed | undefined>;
}

interface Waiting {
  standing: Standing;
  resolve(committed: Committed | undefined): void;
  reject(error: unknown): void;
}

/** Most standings in one statement. */
const batch = 200;
const retryMs = 500;

export function createCommits(database: Database): Commits {
  const waiting: Waiting[] = [];
  let writing = false;

  async function write(): Promise<void> {
    if (writing) return;
    writing = true;
    while (waiting.length > 0) {
      // What becomes ready in this turn of the event loop comes along; the rest gathers while this is written.
      await new Promise((next) => setImmediate(next));
      await settle(waiting.splice(0, batch));
    }
    writing = false;
  }

  async function settle(group: readonly Waiting[]): Promise<void> {
    try {
      const committed = await store(group.map(({ standing }) => standing));
      for (const { standing, resolve } of group) resolve(committed.get(standing.id));
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  async function store(standings: readonly Standing[]): Promise<Map<number, Committed>> {
    for (;;) {
      try {
        return await storeStandings(database, standings);
      } catch (error) {
        if (!isUnreachable(error)) throw error;
        await sleep(retryMs);
      }
    }
  }

  return {
    commit(standing) {
      return new Promise((resolve, reject) => {
        waiting.push({ standing, resolve, reject });
        void write();
      });
    },
  };
}

async function storeStandings(
  database: Database,
  standings: readonly Standing[],
): Promise<Map<number, Committed>> {
  const given = standings.map(({ attempt, retryAt, ...standing }) => ({
    ...standing,
    retryAt: retryAt === null ? null : new Date(retryAt),
    attempted: attempt !== null,
    ...(attempt === null ? {} : attemptRow(attempt)),
  }));
  const { rows }: { rows: (Committed & { id: number })[] } = await database.raw(
    `with given as materialized (
       select * from json_to_recordset(?) as g (id int, generation bigint, "cursorSeq" bigint, cycle bigint, sent int, strikes int,
         struck boolean, disabled boolean, "retryAt" timestamptz, keep boolean, attempted boolean, slot int, at timestamptz,
         delivery_id text, event text, pick_uuid uuid, picks int, status int, error text, duration_ms int)
     ), moved as (
       update webhook_subscriptions s set cursor_seq = g."cursorSeq", cycle = g.cycle, cycle_sent = g.sent,
         consecutive_failures = g.strikes, retry_at = g."retryAt",
         struck_cycle = case when g.strikes = 0 then null when g.struck then g.cycle else s.struck_cycle end,
         status = case when g.disabled and s.status = 'active' then 'disabled' else s.status end,
         disabled_at = case when g.disabled and s.status = 'active' then g.at else s.disabled_at end,
         last_delivery_at = case when g.attempted then g.at else s.last_delivery_at end,
         last_status = case when g.attempted then g.status else s.last_status end,
         last_error = case when g.attempted then g.error else s.last_error end,
         lease_until = case when g.keep then clock_timestamp() + interval '${leaseMs} ms' end
       from given g where s.id = g.id and s.generation = g.generation
       returning s.id, s.status, s.rotated_at as "rotatedAt"
     ), recorded as (
       insert into webhook_attempts (slot, subscription_id, at, delivery_id, event, pick_uuid, picks, status, error, duration_ms)
       select slot, id, at, delivery_id, event, pick_uuid, picks, status, error, duration_ms from given where attempted
     )
     select * from moved`,
    [JSON.stringify(given)],
  );
  return new Map(rows.map(({ id, ...committed }) => [id, committed]));
}
