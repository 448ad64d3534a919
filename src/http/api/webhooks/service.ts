import type { Static } from 'typebox';
import { findFollowed } from '../../../boards/entities/followed.ts';
import { type Availability, DatabaseUnavailable } from '../../../platform/availability.ts';
import { type Clock, iso } from '../../../platform/clock.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Database } from '../../../platform/database.ts';
import { clientKey } from '../../../platform/fair-queue.ts';
import type { Logger } from '../../../platform/logger.ts';
import { createRateLimit, type RateLimit } from '../../../platform/rate-limit.ts';
import type { RedisClient } from '../../../platform/redis.ts';
import { type Fault, faultsText } from '../../../platform/schema.ts';
import type { DeliveryClient } from '../../../webhooks/client/client.ts';
import { resend, sendPing } from '../../../webhooks/delivery/deliver.ts';
import { createLanes } from '../../../webhooks/delivery/lanes.ts';
import { limitedHost, sharedPermits, unproven } from '../../../webhooks/delivery/permits.ts';
import { checkTarget, type Resolve } from '../../../webhooks/guard/resolve.ts';
import {
  parseEndpoint,
  parseTarget,
  pushService,
  type TargetVerdict,
} from '../../../webhooks/guard/target.ts';
import { createMessages } from '../../../webhooks/messages/messages.ts';
import { createVapid, deviceKeys, isPublicKey } from '../../../webhooks/messages/web-push.ts';
import {
  type AttemptRecord,
  attemptBody,
  listAttempts,
  recordAttempt,
} from '../../../webhooks/subscriptions/attempts.ts';
import { type FilterChoices, filterChoices } from '../../../webhooks/subscriptions/filters.ts';
import {
  type From,
  pause,
  resume,
  revoke,
  rotate,
  unfollow,
} from '../../../webhooks/subscriptions/manage.ts';
import { retention } from '../../../webhooks/subscriptions/retention.ts';
import { createSealer, sameSecret, secretContext, whsec } from '../../../webhooks/subscriptions/secrets.ts';
import { subscribe, type Wanted } from '../../../webhooks/subscriptions/subscribe.ts';
import {
  filterBody,
  findSubscription,
  isProven,
  listSubscriptions,
  type SubscriptionRow,
  subscriptionBody,
} from '../../../webhooks/subscriptions/subscriptions.ts';
import { problem } from '../../answer.ts';
import type { followBody, resumeBody, subscribeBody } from './schemas.ts';

type Filters = Omit<Static<typeof subscribeBody>, 'owner_email' | 'target_url'>;

export interface WebhookDeps {
  config: Config['webhooks'];
  database: Database;
  redis: RedisClient;
  availability: Availability;
  clock: Clock;
  baseUrl: string;
  log: Pick<Logger, 'debug'>;
  client: Pick<DeliveryClient, 'post'>;
  resolve: Resolve;
}

const hostWaitMs = 3_000;
/** Longest wait for a request to a receiver and its record, in ms. */
const longestMs = 15_000;

const subscribeSentence = 'The limit is five new subscriptions an hour per address.';

/** docs/rules/webhooks.md#limits */
export const hourly = { times: 5, inMs: retention.request.forMs };

/** Of devices: a reader follows several cappers, and many phones may share an address. */
export const followsHourly = { times: 30, inMs: retention.request.forMs };

const followSentence = 'The limit is 30 new notifications an hour per address.';

/** Actions on a subscription, each with its own hourly limit, and how their number reads. */
const limitedActions = {
  ping: 'pings',
  resend: 'resent events',
  pause: 'pauses',
  resume: 'resumes',
  enable: 'enables',
  rotate: 'rotations',
} as const;
type LimitedAction = keyof typeof limitedActions;

export type WebhookService = ReturnType<typeof createWebhookService>;

/** All methods may throw DatabaseUnavailable or a Problem: 422 for what is refused, 429 over a limit. */
export function createWebhookService(deps: WebhookDeps) {
  const { config, database, redis, availability, clock, client, resolve } = deps;
  const sealer = createSealer(config.secretKey);
  const allowed = config.allowedHosts;
  const subscribeLimit = createRateLimit(redis, 'subscribe', hourly);
  const followLimit = createRateLimit(redis, 'follow', followsHourly);
  const limits = Object.fromEntries(
    Object.keys(limitedActions).map((action) => [action, createRateLimit(redis, action, hourly)]),
  ) as Record<LimitedAction, RateLimit>;
  const takeOne = (action: LimitedAction, { id }: SubscriptionRow) =>
    take(limits[action], String(id), `The limit is five ${limitedActions[action]} an hour per subscription.`);
  const lanes = createLanes(sharedPermits(redis, deps.log));
  const messages = createMessages({ sealer, allowed, baseUrl: deps.baseUrl });
  /** Adds a subscription and counts it, unless it is refused. @throws Problem 422, 429, 503 */
  const add = async (
    owner: Pick<Wanted, 'ownerEmail' | 'keys'>,
    { capper_handle = null, sport = null, market, tier, event, team, player }: Filters,
    parsed: TargetVerdict,
    path: string,
    { address, limit, sentence }: { address: string; limit: RateLimit; sentence: string },
  ) => {
    refuseOver(await limit.wait(address), sentence);
    if (!parsed.ok) throw targetRefused(parsed.reason, path);
    const checked = await checkTarget(parsed.target, { allowed, resolve });
    if (!checked.ok && checked.ours)
      throw problem(503, "The lookup of the target's host name failed. Try again in a minute.", {
        retryAfter: 30,
      });
    if (!checked.ok) throw targetRefused(checked.reason, path);
    const now = clock.now();
    let isCounted = false;
    const admit = async () => {
      await take(limit, address, sentence);
      isCounted = true;
    };
    const entities = (team ?? player) ? await entitiesOf(sport, team, player) : undefined;
    const filters = { capperHandle: capper_handle, sport, market, tier, event, entities };
    const whole = { ...owner, ...filters, client: address, target: parsed.target };
    const added = await availability
      .once(() => subscribe(database, sealer, whole, now, admit))
      .catch(async (error: unknown) => {
        if (isCounted) await limit.giveBack(address);
        throw error;
      });
    if (!added.ok) throw refusal(added.fault);
    return added;
  };
  /** @throws Problem 422 if a name means none */
  const entitiesOf = async (sport: string | null, ...[team, player]: (string | null | undefined)[]) => {
    if (sport === null) throw refusal({ path: '/sport', message: 'is needed with a team or a player' });
    if (team && player)
      throw refusal({ path: '/player', message: 'cannot be given with a team: follow each on its own' });
    const key = sport.toLowerCase();
    const found = await availability.run(() => findFollowed(database, { sport: key, team, player }));
    if (typeof found !== 'string') return found;
    throw refusal({
      path: `/${found}`,
      message: `is no ${found} of a game or pick in ${key}: search for its page`,
    });
  };
  const bodyNow = async (row: SubscriptionRow) =>
    subscriptionBody((await availability.run(() => findSubscription(database, row.id))) ?? row);
  /** Finds a subscription for a client that sent a secret, which the caller compares. @throws Problem 401, 404 */
  const found = async (text: string, secret: string, header: string, isDevice: boolean) => {
    if (secret === '')
      throw problem(401, `Send the subscription's secret in the header ${header}.`, {
        headers: { 'WWW-Authenticate': `${header} realm="webhooks"` },
      });
    const id = /^[1-9]\d{0,9}$/.test(text) && Number(text) < 2 ** 31 ? Number(text) : undefined;
    const row = id === undefined ? undefined : await availability.run(() => findSubscription(database, id));
    // A device that stopped has no keys any more.
    if (
      row === undefined ||
      (row.platform === pushService.name) !== isDevice ||
      row.secret_sealed.length === 0
    )
      throw problem(404, `There is no subscription ${JSON.stringify(text)}.`);
    return row;
  };
  /** Sends a request to a receiver when its host may have one. @throws Problem 429, 503 */
  const visiting = async <T extends AttemptRecord | undefined>(
    row: SubscriptionRow,
    work: () => Promise<T>,
  ): Promise<T> => {
    const { target } = messages.to(row, clock.now());
    if (target === undefined) return work();
    const isFirst =
      target.platform === undefined && !(await availability.run(() => isProven(database, row.id)));
    if (isFirst) {
      const waitMs = await lanes.takeNow(unproven(target));
      const sentence = 'A target that has accepted nothing yet gets one request a minute.';
      refuseOver(waitMs > 0 ? Math.ceil(waitMs / 1000) : undefined, sentence);
    }
    const visit = { ...limitedHost(target), client: row.client ?? '' };
    const leave = await lanes.enter('slow', visit, hostWaitMs);
    if (typeof leave === 'string')
      throw problem(503, "The target's host has many deliveries to receive. Try again in a few seconds.", {
        retryAfter: 5,
      });
    try {
      const record = await work();
      if (isFirst && (record === undefined || record.error === null)) lanes.undo(unproven(target));
      return record;
    } finally {
      leave();
    }
  };
  return {
    pushKey: createVapid(sealer, deps.baseUrl).publicKey,
    /** Adds a subscription. Only this answer has the secret and the full target. @param ip the client's address, for the rate limit */
    async subscribe(wanted: Static<typeof subscribeBody>, ip: string) {
      const { owner_email, target_url, ...filters } = wanted;
      const added = await add(
        { ownerEmail: owner_email },
        filters,
        parseTarget(target_url, allowed),
        '/target_url',
        { address: clientKey(ip), limit: subscribeLimit, sentence: subscribeSentence },
      );
      return {
        id: added.id,
        secret: added.secret,
        secret_whsec: whsec(added.secret),
        owner_email,
        target_url,
        ...filterBody(added.capperHandle, added.filter),
        status: 'active' as const,
        created_at: iso(added.createdAt),
      };
    },
    /** Lets a device follow picks; idempotent. @param ip as of `subscribe` */
    async follow(wanted: Static<typeof followBody>, ip: string) {
      const { endpoint, keys, ...filters } = wanted;
      if (!isPublicKey(keys.p256dh))
        throw refusal({ path: '/keys/p256dh', message: 'is not a public key of a push subscription' });
      const added = await add(
        { ownerEmail: null, keys: deviceKeys(keys) },
        filters,
        parseEndpoint(endpoint, allowed),
        '/endpoint',
        { address: clientKey(ip), limit: followLimit, sentence: followSentence },
      );
      return {
        id: added.id,
        ...filterBody(added.capperHandle, added.filter),
        status: 'active' as const,
        created_at: iso(added.createdAt),
      };
    },
    /** Returns what a device follows to the browser that has its authentication secret. @throws Problem as `owned` */
    async followed(text: string, auth: string) {
      const row = await found(text, auth, 'X-Push-Auth', true);
      if (!sameSecret(auth, sealer.open(row.secret_sealed, secretContext(row.id)).split('.')[1]!))
        throw wrongSecret();
      return row;
    },
    unfollow: ({ id }: SubscriptionRow) => availability.run(() => unfollow(database, id, clock.now())),
    /** None while the ledger is unavailable. */
    choices: (): Promise<FilterChoices> =>
      availability
        .run(() => filterChoices(database))
        .catch((error: unknown) => {
          if (error instanceof DatabaseUnavailable) return { cappers: [], sports: [] };
          throw error;
        }),
    list: (email: string) => availability.run(() => listSubscriptions(database, email)),
    /** @throws Problem 401 without a secret, 404 for an unknown id, 403 for a wrong secret */
    async owned(text: string, secret: string) {
      const row = await found(text, secret, 'X-Webhook-Secret', false);
      if (!sameSecret(secret, sealer.open(row.secret_sealed, secretContext(row.id)))) throw wrongSecret();
      return row;
    },
    revoke: ({ id }: SubscriptionRow) => availability.run(() => revoke(database, id, clock.now())),
    attempts: ({ id }: SubscriptionRow, limit: number) =>
      availability.run(() => listAttempts(database, id, limit)),
    async ping(row: SubscriptionRow) {
      refuseRevoked(row);
      await takeOne('ping', row);
      const record = await visiting(row, () => sendPing({ client, messages }, row, clock.now()));
      await availability.once(() => recordAttempt(database, record));
      return attemptBody(record);
    },
    async resend(row: SubscriptionRow, deliveryId: string) {
      refuseRevoked(row);
      await takeOne('resend', row);
      const work = () => resend(database, { client, messages }, row, deliveryId, clock.now());
      const record = await visiting(row, () => availability.once(work, longestMs));
      if (record === undefined)
        throw refusal({ path: '/delivery_id', message: 'names no event of this subscription' });
      return attemptBody(record);
    },
    async pause(row: SubscriptionRow) {
      await takeOne('pause', row);
      const fault = await availability.run(() => pause(database, row.id, clock.now()));
      if (fault !== undefined) throw refusal(fault);
      return bodyNow(row);
    },
    /** @param limited `enable` has its own limit */
    async resume(row: SubscriptionRow, from: From, limited: 'resume' | 'enable' = 'resume') {
      refuseRevoked(row);
      await takeOne(limited, row);
      const fault = await availability.run(() => resume(database, row, from));
      if (fault !== undefined) throw refusal(fault);
      return bodyNow(row);
    },
    /** @param overlapSeconds how long the old secret keeps signing. @throws Problem 403 if the secret was rotated meanwhile */
    async rotate(row: SubscriptionRow, overlapSeconds: number) {
      refuseRevoked(row);
      await takeOne('rotate', row);
      const now = clock.now();
      const secret = await availability.once(() => rotate(database, sealer, row, overlapSeconds, now));
      if (secret === undefined) throw wrongSecret();
      return {
        id: row.id,
        secret,
        secret_whsec: whsec(secret),
        rotated_at: iso(now),
        previous_secret_until: iso(now + overlapSeconds * 1000),
      };
    },
  };
}

/** Instants come as text. */
export function pointOf(from: Static<typeof resumeBody>['from']): From {
  if (typeof from === 'number') return { seq: from };
  return from === 'cursor' || from === 'head' ? from : { since: Date.parse(from) };
}

function refuseRevoked({ status }: SubscriptionRow): void {
  if (status === 'revoked') throw problem(422, 'This subscription is revoked. Subscribe again.');
}

function refusal(fault: Fault) {
  return problem(422, `${faultsText([fault])}.`, { errors: [fault] });
}

function targetRefused(message: string, path: string) {
  return problem(422, message, { errors: [{ path, message }] });
}

function wrongSecret() {
  return problem(403, 'This is not the secret of this subscription.');
}

/** @param sentence describes the limit. @throws Problem 429 */
async function take(limit: RateLimit, key: string, sentence: string): Promise<void> {
  refuseOver(await limit.take(key), sentence);
}

function refuseOver(wait: number | undefined, sentence: string): void {
  if (wait !== undefined) throw problem(429, sentence, { retryAfter: wait });
}
