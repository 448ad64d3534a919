import type { Database } from '../../platform/database.ts';
import { retention } from './retention.ts';

/** A request to a receiver, as its subscription's owner sees it. Of the receiver's answer only the status is kept. */
export interface AttemptRecord {
  subscriptionId: number;
  /** Epoch milliseconds, by the service's clock. */
  at: number;
  deliveryId: string;
  /** `message`: one to a chat platform, of several events. */
  event: 'pick.posted' | 'pick.settled' | 'ping' | 'webhook.verify' | 'message';
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
