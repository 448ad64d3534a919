import { iso } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { retention } from './retention.ts';

/** A request to a receiver, as its subscription's owner sees it. Of the receiver's answer only the status is kept. */
export interface AttemptRecord {
  subscriptionId: number;
  /** Epoch milliseconds, by the service's clock. */
  at: number;
  deliveryId: string;
  /** `message`: one to a chat platform, of several events. */
  event: 'pick.posted' | 'pick.settled' | 'ping' | 'message';
  pickUuid: string | null;
  /** How many events the request carried. */
  picks: number;
  /** Of the answer; null when there was none. */
  status: number | null;
  /** A slug; null when the receiver took it. */
  error: string | null;
  durationMs: number;
}

const day = 86_400_000;
const keptDays = retention.attempt.forMs / day;
/** Tables of one day each (the migration makes them): those of the days kept, today's, and some to spare. */
const slots = 35;

const dayOf = (at: number) => Math.floor(at / day);
const slotOf = (dayNumber: number) => dayNumber % slots;

/** The number of the table that an attempt of this instant (epoch milliseconds) is kept in. */
const slotAt = (at: number) => slotOf(dayOf(at));

export async function recordAttempt(database: Database, record: AttemptRecord): Promise<void> {
  await database('webhook_attempts').insert(attemptRow(record));
}

/** A record as the columns of `webhook_attempts`. */
export function attemptRow(record: AttemptRecord) {
  return {
    slot: slotAt(record.at),
    subscription_id: record.subscriptionId,
    at: new Date(record.at),
    delivery_id: record.deliveryId,
    event: record.event,
    pick_uuid: record.pickUuid,
    picks: record.picks,
    status: record.status,
    error: record.error,
    duration_ms: Math.round(record.durationMs),
  };
}

/** An attempt to deliver as the subscription's owner sees it: nothing of what the receiver answered but its status. */
export interface AttemptBody {
  at: string;
  event: string;
  /** The header `webhook-id`: the same for every attempt of one event. */
  delivery_id: string;
  pick_uuid: string | null;
  /** How many picks it carried; a chat message may carry several. */
  picks: number;
  status: number | null;
  duration_ms: number;
  /** The kind of failure where there was no answer to speak of. */
  error: string | null;
}

/**
 * The attempts of a subscription that are still kept, the latest first.
 * @param limit most of them
 */
export async function listAttempts(
  database: Database,
  subscriptionId: number,
  limit: number,
): Promise<AttemptBody[]> {
  const records: AttemptRecord[] = await database('webhook_attempts')
    .where('subscription_id', subscriptionId)
    .orderBy([
      { column: 'at', order: 'desc' },
      { column: 'delivery_id', order: 'desc' },
    ])
    .limit(limit)
    .select({
      at: 'at',
      event: 'event',
      deliveryId: 'delivery_id',
      pickUuid: 'pick_uuid',
      picks: 'picks',
      status: 'status',
      error: 'error',
      durationMs: 'duration_ms',
    });
  return records.map(attemptBody);
}

export function attemptBody(record: Omit<AttemptRecord, 'subscriptionId'>): AttemptBody {
  return {
    at: iso(record.at),
    event: record.event,
    delivery_id: record.deliveryId,
    pick_uuid: record.pickUuid,
    picks: record.picks,
    status: record.status,
    duration_ms: Math.round(record.durationMs),
    error: record.error,
  };
}

/**
 * Throws away attempts of more than 30 days: whole tables of days at once. What lies elsewhere, after a time in which no worker ran, row
 * by row.
 * @param now epoch milliseconds
 * @returns how many tables were emptied
 */
export async function trimAttempts(database: Database, now: number): Promise<number> {
  const today = dayOf(now);
  let emptied = 0;
  for (let dayNumber = today + 1; dayNumber < today + slots - keptDays; dayNumber += 1) {
    const slot = slotOf(dayNumber);
    if ((await database('webhook_attempts').where({ slot }).limit(1).select('slot')).length === 0) continue;
    await database.raw('truncate ??', [`webhook_attempts_${slot}`]);
    emptied += 1;
  }
  await database('webhook_attempts')
    .where('at', '<', new Date((today - keptDays) * day))
    .delete();
  return emptied;
}
