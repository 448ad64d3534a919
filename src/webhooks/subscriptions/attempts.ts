import type { Static } from 'typebox';
import { iso } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { retention } from './retention.ts';

/** A request to a receiver, as shown to the subscription's owner. Only the status of the answer is kept. */
export interface AttemptRecord {
  subscriptionId: number;
  /** By the service's clock. */
  at: EpochMs;
  deliveryId: string;
  /** `message`: one to a chat platform, with several events. */
  event: 'pick.posted' | 'pick.settled' | 'ping' | 'message';
  pickUuid: string | null;
  picks: number;
  /** Status of the answer; null if there was none. */
  status: number | null;
  /** A slug; null if the receiver accepted the request. */
  error: string | null;
  durationMs: number;
}

const day = 86_400_000;
const keptDays = retention.attempt.forMs / day;
/** Number of tables, one per day (the migration creates them): for the days kept, today, and some to spare. */
const slots = 35;

const dayOf = (at: number) => Math.floor(at / day);
const slotOf = (dayNumber: number) => dayNumber % slots;

/** The number of the table for an attempt at this instant. */
const slotAt = (at: EpochMs) => slotOf(dayOf(at));

export async function recordAttempt(database: Database, record: AttemptRecord): Promise<void> {
  await database('webhook_attempts').insert(attemptRow(record));
}

const columns = {
  at: 'at',
  event: 'event',
  deliveryId: 'delivery_id',
  pickUuid: 'pick_uuid',
  picks: 'picks',
  status: 'status',
  durationMs: 'duration_ms',
  error: 'error',
} as const;

export function attemptRow(record: AttemptRecord) {
  const { at, ...rest } = attemptBody(record);
  return {
    ...rest,
    at: new Date(record.at),
    slot: slotAt(record.at),
    subscription_id: record.subscriptionId,
  };
}

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

/** Newest first. */
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
    .select(columns);
  return records.map(attemptBody);
}

export function attemptBody(record: Omit<AttemptRecord, 'subscriptionId'>): AttemptBody {
  const { at, durationMs, event, deliveryId, pickUuid, picks, status, error } = record;
  return {
    at: iso(at),
    event,
    delivery_id: deliveryId,
    pick_uuid: pickUuid,
    picks,
    status,
    duration_ms: Math.round(durationMs),
    error,
  };
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
