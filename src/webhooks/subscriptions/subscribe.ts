import { createHash } from 'node:crypto';
import { takeLockOn } from '../../../migrations/locks.ts';
import { findCappers } from '../../cappers/cappers.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import type { Fault } from '../../platform/schema.ts';
import { marketNamed } from '../../rules/markets/index.ts';
import type { Target } from '../guard/target.ts';
import { type Filter, filterFor, filterOf } from './filters.ts';
import { makeSecret, type Sealer, secretContext, targetContext } from './secrets.ts';

/** A requested subscription whose target the guard has checked. */
export interface Wanted {
  /** Null for a device. */
  ownerEmail: string | null;
  /** The keys of a device (`deviceKeys`). Default: the target is another receiver, and gets a new secret. */
  keys?: string;
  /** The client's address as limits count it (`clientKey`). */
  client: string;
  target: Target;
  /** In any case; null: every capper. */
  capperHandle: string | null;
  /** In any case; null: every sport. */
  sport: string | null;
  /** In any case. Default: every market. */
  market?: string | null | undefined;
  /** Default: every tier. */
  tier?: string | null | undefined;
  /** Default: both. */
  event?: `pick.${'posted' | 'settled'}` | null | undefined;
  /** The team and player, with all their names. Default: any. */
  entities?: Pick<Filter, 'team' | 'player' | 'about'> | undefined;
}

export type Subscribed =
  | {
      ok: true;
      id: number;
      /** Returned only here: the stored secret cannot be read without SECRET_KEY. */
      secret: string;
      capperHandle: string | null;
      filter: Filter;
      createdAt: EpochMs;
    }
  | { ok: false; fault: Fault };

/**
 * Adds an active subscription. It starts at the log's head: earlier entries are not delivered. A device that follows the filter already
 * keeps its subscription, which is enabled again.
 * @param admit called once all fields are valid; its errors are thrown. Default: admits everything
 * @returns the subscription, or the fault of a field
 */
export function subscribe(
  database: Database,
  sealer: Sealer,
  wanted: Wanted,
  now: EpochMs,
  admit: () => Promise<void> = () => Promise.resolve(),
): Promise<Subscribed> {
  const { ownerEmail, client, target, keys, capperHandle, sport, entities } = wanted;
  const { market = null, tier = null, event = null } = wanted;
  return database.transaction(async (transaction) => {
    const handle = capperHandle?.toLowerCase();
    const capper = handle === undefined ? null : (await findCappers(transaction, [handle])).get(handle);
    if (capper === undefined) return refused('/capper_handle', 'names no capper of this ledger');
    const sportKey = sport?.toLowerCase() ?? null;
    if (sportKey !== null && (await transaction('sports').where('key', sportKey).first('key')) === undefined)
      return refused('/sport', 'is not a sport of this ledger: see /api/sports');
    const declared = market === null ? null : marketNamed(market.toLowerCase());
    if (declared === undefined) return refused('/market', 'is not a market, such as `spread`');
    const fault = await full(transaction, client);
    if (fault !== undefined) return { ok: false, fault };
    await admit();
    const filter = filterOf({
      ...entities,
      capperId: capper?.id ?? null,
      sport: sportKey,
      market: declared?.name ?? null,
      tier,
      kind: event === null ? null : event === 'pick.posted' ? 'posted' : 'settled',
    });
    const filterId = await filterFor(transaction, filter);
    const { rows: next }: { rows: { id: number; head: number }[] } = await transaction.raw(
      `select nextval('webhook_subscriptions_id_seq') as id, (${logHead}) as head`,
    );
    const { id, head } = next[0]!;
    const secret = keys ?? makeSecret();
    const { rows }: { rows: { id: number; createdAt: number }[] } = await transaction.raw(
      `insert into webhook_subscriptions as s (id, filter_id, owner_email, target_url_sealed, target_host, target_url_masked, platform,
         secret_sealed, device, cursor_seq, created_at, client)
       overriding system value
       values (:id, :filterId, :ownerEmail, :url, :host, :masked, :platform, :secret, :device, :head, :createdAt, :client)
       on conflict (device, filter_id) do update set status = 'active', consecutive_failures = 0, failed_cycle = null,
         disabled_at = null, retry_at = null, client = excluded.client,
         cursor_seq = case when s.status = 'active' then s.cursor_seq else excluded.cursor_seq end
       returning s.id, s.created_at as "createdAt"`,
      {
        id,
        filterId,
        ownerEmail,
        url: sealer.seal(target.url, targetContext(id)),
        host: target.host,
        masked: target.masked,
        platform: target.platform?.name ?? null,
        secret: sealer.seal(secret, secretContext(id)),
        device: keys === undefined ? null : createHash('sha256').update(`${target.url} ${keys}`).digest(),
        head,
        createdAt: new Date(now),
        client,
      },
    );
    return { ok: true, ...rows[0]!, secret, capperHandle: capper?.handle ?? null, filter };
  });
}

/** SQL for the seq of the log's next entry. */
export const logHead = 'select coalesce(max(seq) + 1, 0) from ledger_entries';

function refused(path: string, message: string): Subscribed {
  return { ok: false, fault: { path, message } };
}

export const maxPerClient = 100;

/**
 * Checks whether a client may add a subscription (docs/rules/webhooks.md#limits). There is no limit per e-mail address or target host,
 * because strangers could use it up. The check locks the client until the transaction ends, so the limit holds under concurrent
 * subscriptions.
 * @param client as `clientKey` writes it
 * @returns the fault if the limit is reached
 */
export async function full(transaction: Transaction, client: string): Promise<Fault | undefined> {
  await takeLockOn(transaction, 'subscriptionsOfClient', client);
  const { rows }: { rows: { count: number }[] } = await transaction.raw(
    `select count(*)::int from webhook_subscriptions where client = ? and status in ('active', 'paused')`,
    [client],
  );
  if (rows[0]!.count < maxPerClient) return undefined;
  return { path: '', message: `Your address already has ${maxPerClient} subscriptions: revoke one` };
}
