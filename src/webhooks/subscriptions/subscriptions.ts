import type { Static } from 'typebox';
import { iso, isoOrNull } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { type Filter, filterFields } from './filters.ts';
import type { SealedSecrets } from './secrets.ts';

const instant = Type.String({ format: 'date-time' });

/** The filters of a subscription as answers have them. */
export const filterSchemas = {
  capper_handle: nullable(Type.String()),
  sport: nullable(Type.String()),
  market: nullable(Type.String()),
  tier: nullable(Type.String()),
  team: nullable(Type.String()),
  player: nullable(Type.String()),
  event: nullable(Type.Enum(['pick.posted', 'pick.settled'])),
};

export function filterBody(handle: string | null, { sport, market, tier, team, player, kind }: Filter) {
  const event = kind && (`pick.${kind}` as const);
  return { capper_handle: handle, sport, market, tier, team, player, event };
}

/** As its owner sees it: without the receiver's address and the secret (docs/rules/webhooks.md#secrets-and-rotation). */
export const subscriptionSchema = Type.Object(
  {
    id: Type.Integer(),
    owner_email: Type.String(),
    target_host: Type.String(),
    target_url: Type.String({ description: 'Path and query are masked.' }),
    ...filterSchemas,
    status: Type.Enum(['active', 'paused', 'disabled', 'revoked']),
    consecutive_failures: Type.Integer(),
    created_at: instant,
    disabled_at: nullable(instant),
    paused_at: nullable(instant),
    last_delivery_at: nullable(instant),
    last_status: nullable(Type.Integer()),
    next_seq: Type.Integer({ description: 'Index in the log of the next event to send.' }),
  },
  { title: 'Webhook' },
);

export type SubscriptionBody = Static<typeof subscriptionSchema>;

export type Status = SubscriptionBody['status'];

/** A stored subscription, as far as its management needs it. */
export interface SubscriptionRow extends Filter, SealedSecrets {
  /** Null for a device. */
  owner_email: string | null;
  target_url_sealed: Buffer;
  target_host: string;
  target_url_masked: string;
  platform: string | null;
  /** The client address that subscribed, as limits count it; null once revoked. */
  client: string | null;
  status: Status;
  consecutive_failures: number;
  created_at: EpochMs;
  disabled_at: EpochMs | null;
  paused_at: EpochMs | null;
  last_delivery_at: EpochMs | null;
  last_status: number | null;
  /** The first `seq` that is neither delivered nor skipped. */
  cursor_seq: number;
  capper_handle: string | null;
}

/** Ignores the case of the address. Oldest first. */
export async function listSubscriptions(database: Database, email: string): Promise<SubscriptionBody[]> {
  const rows = await read(database)
    .whereRaw('lower(s.owner_email) = ?', [email.toLowerCase()])
    .orderBy('s.id');
  return rows.map(subscriptionBody);
}

export async function findSubscription(database: Database, id: number): Promise<SubscriptionRow | undefined> {
  return (await read(database).where('s.id', id))[0];
}

/** SQL condition: the subscription's target, `s`, has accepted a request, as far as attempts are kept. */
export const proven = `(s.last_error is null and s.last_status is not null or exists (
  select from webhook_attempts a where a.subscription_id = s.id and a.error is null))`;

export async function isProven(database: Database, id: number): Promise<boolean> {
  const { rows } = await database.raw(
    `select ${proven} as proven from webhook_subscriptions s where id = ?`,
    [id],
  );
  return rows[0]?.proven === true;
}

export function subscriptionBody(row: SubscriptionRow): SubscriptionBody {
  return {
    id: row.id,
    // Lists hold no devices.
    owner_email: row.owner_email!,
    target_host: row.target_host,
    target_url: row.target_url_masked,
    ...filterBody(row.capper_handle, row),
    status: row.status,
    consecutive_failures: row.consecutive_failures,
    created_at: iso(row.created_at),
    disabled_at: isoOrNull(row.disabled_at),
    paused_at: isoOrNull(row.paused_at),
    last_delivery_at: isoOrNull(row.last_delivery_at),
    last_status: row.last_status,
    next_seq: row.cursor_seq,
  };
}

function read(database: Database) {
  return database<SubscriptionRow>('webhook_subscriptions as s')
    .join('webhook_filters as f', 'f.id', 's.filter_id')
    .leftJoin('cappers as c', 'c.id', 'f.capper_id')
    .select<SubscriptionRow[]>('s.*', 'c.handle as capper_handle', database.raw(filterFields));
}
