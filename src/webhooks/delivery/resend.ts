import type { Database } from '../../platform/database.ts';
import { readEvents } from '../messages/events.ts';
import type { Messages } from '../messages/messages.ts';
import { seqOf } from '../messages/payloads.ts';
import { type AttemptRecord, recordAttempt } from '../subscriptions/attempts.ts';
import type { SubscriptionRow } from '../subscriptions/subscriptions.ts';
import { type DeliverDeps, post, recordOf } from './deliver.ts';

export interface ResendDeps extends Pick<DeliverDeps, 'client'> {
  messages: Messages;
}

/**
 * Sends an announced event once more, now, beside the order (docs/decisions/0050-managing-webhooks.md): the subscription stays as it is.
 * @param deliveryId of the event, as in attempts; of a chat message with several events, it names the first one
 * @param now epoch milliseconds
 * @returns the record of the attempt, stored; undefined where the id names no event of the subscription's filter
 * @throws Error when the subscription's secrets cannot be opened
 */
export async function resend(
  database: Database,
  deps: ResendDeps,
  row: SubscriptionRow,
  deliveryId: string,
  now: number,
): Promise<AttemptRecord | undefined> {
  const seq = seqOf(deliveryId, row.id);
  if (seq === undefined) return undefined;
  const { capper_id: capperId, sport } = row;
  const events = await readEvents(database, { capperId, sport, fromSeq: seq, toSeq: seq, limit: 1 });
  if (events.length === 0) return undefined;
  const recipient = deps.messages.to(row, now);
  const message = recipient.write(events, now);
  const record = recordOf(row.id, message, await post(deps, recipient, message), now);
  await recordAttempt(database, record);
  return record;
}
