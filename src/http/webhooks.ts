import type { Context } from 'koa';
import { iso } from '../platform/clock.ts';
import { ping } from '../webhooks/delivery/ping.ts';
import { recordAttempt } from '../webhooks/subscriptions/attempts.ts';
import { attemptBody, listAttempts } from '../webhooks/subscriptions/attempts-list.ts';
import { enable, revoke, rotate } from '../webhooks/subscriptions/manage.ts';
import { rotationMs, sameSecret, secretPlace } from '../webhooks/subscriptions/secrets.ts';
import {
  findSubscription,
  listSubscriptions,
  type SubscriptionRow,
  subscriptionBody,
} from '../webhooks/subscriptions/subscriptions.ts';
import { problem } from './errors.ts';
import type { Route } from './routes.ts';
import { once, refusal, subscribed, tooMany, type WebhookDesk } from './webhook-desk.ts';
import { checkAttemptsQuery, checkEnableBody, checkListQuery, readJson, valid } from './webhook-requests.ts';

/** The management of webhooks (interface, section 4.6; decisions, section 5). */
export function webhookRoutes(desk: WebhookDesk): Route[] {
  const { database, availability, clock } = desk.deps;
  return [
    route('POST', '/api/webhooks', async (ctx) => {
      ctx.body = await subscribed(desk, ctx, await readJson(ctx));
      ctx.status = 201;
    }),
    route('GET', '/api/webhooks', async (ctx) => {
      const { email } = valid(checkListQuery({ ...ctx.query }));
      const subscriptions = await availability.run(() => listSubscriptions(database, email));
      ctx.body = { count: subscriptions.length, subscriptions };
    }),
    route('DELETE', '/api/webhooks/:id', async (ctx) => {
      const { id } = await owned(desk, ctx);
      await availability.run(() => revoke(database, id, clock.now()));
      ctx.status = 204;
    }),
    route('GET', '/api/webhooks/:id/attempts', async (ctx) => {
      const { id } = await owned(desk, ctx);
      const { limit } = valid(checkAttemptsQuery(bounded(ctx.query)));
      const attempts = await availability.run(() => listAttempts(database, id, limit));
      ctx.body = { count: attempts.length, attempts };
    }),
    route('POST', '/api/webhooks/:id/ping', async (ctx) => {
      const row = notRevoked(await owned(desk, ctx));
      const wait = await desk.pingLimit.take(String(row.id));
      if (wait !== undefined) throw tooMany('A subscription may be pinged five times an hour.', wait);
      const attempt = await ping({ ...desk, client: desk.deps.client }, row, clock.now());
      await availability.run(once(() => recordAttempt(database, attempt)));
      ctx.body = attemptBody(attempt);
    }),
    route('POST', '/api/webhooks/:id/enable', async (ctx) => {
      const row = notRevoked(await owned(desk, ctx));
      const { from } = valid(checkEnableBody(await readJson(ctx)));
      const fault = await availability.run(() => enable(database, row, from));
      if (fault !== undefined) throw refusal(fault);
      ctx.body = subscriptionBody((await availability.run(() => findSubscription(database, row.id))) ?? row);
    }),
    route('POST', '/api/webhooks/:id/rotate', async (ctx) => {
      const row = notRevoked(await owned(desk, ctx));
      const now = clock.now();
      const secret = await availability.run(once(() => rotate(database, desk.sealer, row, now)));
      if (secret === undefined) throw wrongSecret();
      ctx.body = {
        id: row.id,
        secret,
        rotated_at: iso(now),
        previous_secret_until: iso(now + rotationMs),
      };
    }),
  ];
}

/** Nothing that is said of webhooks may be kept by anybody on the way. */
function route(method: Route['method'], path: string, handle: (ctx: Context) => Promise<void>): Route {
  return {
    method,
    path,
    async handle(ctx) {
      ctx.set('Cache-Control', 'no-store');
      await handle(ctx);
    },
  };
}

/**
 * The subscription of the path, whose secret the request carries.
 * @throws Problem 401 without a secret, 404 for an unknown id, 403 with a wrong secret
 */
async function owned(desk: WebhookDesk, ctx: Context): Promise<SubscriptionRow> {
  const given = ctx.get('X-Webhook-Secret').trim();
  if (given === '')
    throw problem(401, "Send the subscription's secret in the header X-Webhook-Secret.", {
      headers: { 'WWW-Authenticate': 'X-Webhook-Secret realm="webhooks"' },
    });
  const text = String(ctx.params.id);
  const id = /^[1-9]\d{0,9}$/.test(text) && Number(text) < 2 ** 31 ? Number(text) : undefined;
  const { database, availability } = desk.deps;
  const row = id === undefined ? undefined : await availability.run(() => findSubscription(database, id));
  if (row === undefined) throw problem(404, `There is no subscription ${JSON.stringify(text)}.`);
  if (!sameSecret(given, desk.sealer.open(row.secret_sealed, secretPlace(row.id)))) throw wrongSecret();
  return row;
}

function wrongSecret() {
  return problem(403, 'This is not the secret of the subscription.');
}

function notRevoked(row: SubscriptionRow): SubscriptionRow {
  if (row.status !== 'revoked') return row;
  throw problem(422, 'This subscription is revoked: subscribe again.');
}

/** Numbers above their maximum count as the maximum. */
function bounded(query: Context['query']): object {
  const { limit } = query;
  if (typeof limit !== 'string' || limit === '') return {};
  return { limit: /^\d+$/.test(limit) ? Math.min(Number(limit), 500) : limit };
}
