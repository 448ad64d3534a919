import type { Static } from 'typebox';
import { iso } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { retention } from './retention.ts';

const day = 86_400_000;
const keptDays = retention.attempt.forMs / day;
/** Number of tables, one per day (the migration creates them): for the days kept, today, and some to spare. */
const slots = 35;

const dayOf = (at: number) => Math.floor(at / day);
const slotOf = (dayNumber: number) => dayNumber % slots;

/** A delivery attempt as the subscription's owner sees it. Of the receiver's answer it has only the status. */
export const attemptSchema = Type.Object(
  {
    at: Type.String({ format: 'date-time' }),
    event: Type.Enum(['pick.posted', 'pick.settled', 'ping', 'message'], {
      description: '`message` for a chat channel.',
    }),
    delivery_id: Type.String({ description: 'The header `webhook-id`.' }),
    pick_uuid: nullable(Type.String()),
    picks: Type.Integer({ description: 'Number of picks, posted or settled, in the request.' }),
    status: nullable(Type.Integer({ description: 'The HTTP status of the response.' })),
    duration_ms: Type.Integer(),
    error: nullable(Type.String({ description: 'The kind of failure.' })),
  },
  { title: 'WebhookAttempt' },
);

export type AttemptBody = Static<typeof attemptSchema>;

/** An attempt of a subscription, by the service's clock. `error` is null if the receiver accepted the request. */
export type AttemptRecord = Omit<AttemptBody, 'at'> & { subscription_id: number; at: EpochMs };

export function attemptRow(record: AttemptRecord) {
  return { ...record, at: new Date(record.at), slot: slotOf(dayOf(record.at)) };
}

export async function recordAttempt(database: Database, record: AttemptRecord): Promise<void> {
  await database('webhook_attempts').insert(attemptRow(record));
}

/** Newest first. */
export async function listAttempts(
  database: Database,
  subscriptionId: number,
  limit: number,
): Promise<AttemptBody[]> {
  const records: Omit<AttemptRecord, 'subscription_id'>[] = await database('webhook_attempts')
    .where('subscription_id', subscriptionId)
    .orderBy([
      { column: 'at', order: 'desc' },
      { column: 'delivery_id', order: 'desc' },
    ])
    .limit(limit)
    .select('at', 'event', 'delivery_id', 'pick_uuid', 'picks', 'status', 'duration_ms', 'error');
  return records.map((record) => ({ ...record, at: iso(record.at) }));
}

export function attemptBody({ subscription_id, at, ...body }: AttemptRecord): AttemptBody {
  return { ...body, at: iso(at) };
}

/** A day's table at a time; row by row what other tables hold after a time without a worker. @returns the number of emptied tables */
export async function trimAttempts(database: Database, now: EpochMs): Promise<number> {
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
