import type { Redis } from 'ioredis';
import type { Context } from 'koa';
import { type Availability, LedgerUnavailable } from '../platform/availability.ts';
import { type Clock, iso } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import type { Database } from '../platform/database.ts';
import type { Fault } from '../platform/schema.ts';
import { faultsText } from '../platform/schema.ts';
import type { DeliveryClient } from '../webhooks/client/client.ts';
import { checkTarget, type Resolve } from '../webhooks/guard/resolve.ts';
import { type AllowedHosts, parseTarget } from '../webhooks/guard/target.ts';
import { clientKey, createRateLimit, type RateLimit } from '../webhooks/subscriptions/rate-limit.ts';
import { createSealer, type Sealer } from '../webhooks/subscriptions/secrets.ts';
import { subscribe } from '../webhooks/subscriptions/subscribe.ts';
import { problem } from './errors.ts';
import { checkSubscribeBody, valid } from './webhook-requests.ts';

export interface WebhookDeps {
  config: Config['webhooks'];
  database: Database;
  redis: Redis;
  availability: Availability;
  clock: Clock;
  /** Sends pings. */
  client: Pick<DeliveryClient, 'post'>;
  resolve: Resolve;
}

/** What all that answers for webhooks shares: the API and the page. */
export interface WebhookDesk {
  deps: WebhookDeps;
  sealer: Sealer;
  allowed: AllowedHosts;
  subscribeLimit: RateLimit;
  pingLimit: RateLimit;
}

export function createWebhookDesk(deps: WebhookDeps): WebhookDesk {
  return {
    deps,
    sealer: createSealer(deps.config.secretKey),
    allowed: deps.config.allowedHosts,
    subscribeLimit: createRateLimit(deps.redis, 'subscribe'),
    pingLimit: createRateLimit(deps.redis, 'ping'),
  };
}

/** The answer to whoever subscribed: the only one that ever has the secret and the whole target. */
export interface SubscribedBody {
  id: number;
  secret: string;
  owner_email: string;
  target_url: string;
  capper_handle: string | null;
  sport: string | null;
  status: 'active';
  created_at: string;
}

/**
 * Subscribes, by way of the API or the page's form.
 * @param body as it came
 * @throws Problem 400, 422, 429 or 503; LedgerUnavailable
 */
export async function subscribed(desk: WebhookDesk, ctx: Context, body: unknown): Promise<SubscribedBody> {
  const { deps, sealer, allowed, subscribeLimit } = desk;
  const { owner_email, target_url, capper_handle = null, sport = null } = valid(checkSubscribeBody(body));
  const wait = await subscribeLimit.take(clientKey(ctx.ip));
  if (wait !== undefined)
    throw tooMany('Five subscriptions an hour may be asked for from one address.', wait);
  const parsed = parseTarget(target_url, allowed);
  if (!parsed.ok) throw targetRefused(parsed.reason);
  const checked = await checkTarget(parsed.target, { allowed, resolve: deps.resolve });
  if (!checked.ok && checked.ours)
    throw problem(503, 'The target cannot be looked up at the moment.', { headers: { 'Retry-After': '30' } });
  if (!checked.ok) throw targetRefused(checked.reason);
  const wanted = { ownerEmail: owner_email, target: parsed.target, capperHandle: capper_handle, sport };
  const now = deps.clock.now();
  const added = await deps.availability.run(once(() => subscribe(deps.database, sealer, wanted, now)));
  if (!added.ok) throw refusal(added.fault);
  return {
    id: added.id,
    secret: added.secret,
    owner_email,
    target_url,
    capper_handle: added.capperHandle,
    sport: added.sport,
    status: 'active',
    created_at: iso(now),
  };
}

/**
 * Work that must not be done twice: where the connection broke under it, nobody knows whether it was done, and whoever asked must see
 * for himself.
 */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let begun = false;
  return () => {
    if (begun) throw new LedgerUnavailable();
    begun = true;
    return work();
  };
}

/** What cannot be granted because of a field, or as a whole. */
export function refusal(fault: Fault) {
  return problem(422, `${faultsText([fault])}.`, { errors: [fault] });
}

function targetRefused(message: string) {
  return problem(422, message, { errors: [{ path: '/target_url', message }] });
}

/** @param wait whole seconds */
export function tooMany(sentence: string, wait: number) {
  return problem(429, sentence, { headers: { 'Retry-After': String(wait) } });
}
