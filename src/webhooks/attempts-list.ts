import { iso } from '../clock.ts';
import type { Database } from '../database.ts';

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
  const rows: (Omit<AttemptBody, 'at'> & { at: number })[] = await database('webhook_attempts')
    .where('subscription_id', subscriptionId)
    .orderBy([
      { column: 'at', order: 'desc' },
      { column: 'delivery_id', order: 'desc' },
    ])
    .limit(limit)
    .select('at', 'event', 'delivery_id', 'pick_uuid', 'picks', 'status', 'duration_ms', 'error');
  return rows.map((row) => ({ ...row, at: iso(row.at) }));
}
