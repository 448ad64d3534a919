import { iso } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { AttemptRecord } from './attempts.ts';

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
