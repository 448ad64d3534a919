import { Type } from '../../../platform/type.ts';
import { type Reference, type Request, type Route, route } from '../../routes.ts';
import {
  attemptSchema,
  attemptsQuery,
  enableBody,
  listQuery,
  resendBody,
  resumeBody,
  rotateBody,
  rotatedSchema,
  subscribeBody,
  subscribedSchema,
  subscriptionSchema,
} from './schemas.ts';
import { pointOf, type WebhookService } from './service.ts';

const refusals = {
  400: 'A field or parameter is invalid.',
  401: 'The secret is missing.',
  403: 'The secret is wrong.',
  404: 'No such subscription.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  422: 'The target is refused, the capper or sport is unknown, a limit is reached, or the subscription is revoked.',
  429: 'The limit is five an hour. Try again after Retry-After.',
  503: 'The ledger is unavailable. Try again after Retry-After.',
} as const;

function refuses(...statuses: (keyof typeof refusals)[]): NonNullable<Reference['refusals']> {
  return Object.fromEntries(statuses.map((status) => [status, refusals[status]]));
}

/** Declarations shared by the operations on one subscription. */
const ofOwner = {
  section: 'webhooks',
  params: Type.Object({ id: Type.Integer({ minimum: 1, description: "The subscription's ID." }) }),
  headers: Type.Object({ 'X-Webhook-Secret': Type.String({ description: "The subscription's secret." }) }),
} as const;

/** Routes to manage webhooks. Answers must not be cached. */
export function webhookRoutes(service: WebhookService): Route[] {
  const owned = ({ params, header }: Request) =>
    service.owned(String(params.id), header('X-Webhook-Secret').trim());
  return [
    route({
      method: 'POST',
      path: '/api/webhooks',
      body: subscribeBody,
      reference: {
        id: 'createWebhook',
        section: 'webhooks',
        about: 'Subscribes a receiver to picks.',
        answer: { status: 201, schema: subscribedSchema },
        refusals: refuses(400, 413, 415, 422, 429, 503),
      },
      async handle({ body, ip }) {
        return { status: 201, body: await service.subscribe(await body(), ip) };
      },
    }),
    route({
      method: 'GET',
      path: '/api/webhooks',
      query: listQuery,
      reference: {
        id: 'listWebhooks',
        section: 'webhooks',
        about: 'Lists the subscriptions of an e-mail address.',
        answer: {
          schema: Type.Object({ count: Type.Integer(), subscriptions: Type.Array(subscriptionSchema) }),
          untagged: true,
        },
        refusals: refuses(400, 503),
      },
      async handle({ query }) {
        const subscriptions = await service.list(query().email);
        return { body: { count: subscriptions.length, subscriptions } };
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/webhooks/:id',
      reference: {
        ...ofOwner,
        id: 'revokeWebhook',
        about: 'Deletes a subscription permanently.',
        answer: { status: 204 },
        refusals: refuses(401, 403, 404, 503),
      },
      async handle(request) {
        await service.revoke(await owned(request));
        return { status: 204 };
      },
    }),
    route({
      method: 'GET',
      path: '/api/webhooks/:id/attempts',
      query: attemptsQuery,
      reference: {
        ...ofOwner,
        id: 'listWebhookAttempts',
        about: 'Delivery attempts of the last 30 days with their outcomes, newest first.',
        answer: {
          schema: Type.Object({ count: Type.Integer(), attempts: Type.Array(attemptSchema) }),
          untagged: true,
        },
        refusals: refuses(400, 401, 403, 404, 503),
      },
      async handle(request) {
        const row = await owned(request);
        const attempts = await service.attempts(row, request.query().limit);
        return { body: { count: attempts.length, attempts } };
      },
    }),
    route({
      method: 'POST',
      path: '/api/webhooks/:id/ping',
      reference: {
        ...ofOwner,
        id: 'pingWebhook',
        about: 'Sends a signed ping now and returns the outcome.',
        answer: { schema: attemptSchema },
        refusals: refuses(401, 403, 404, 422, 429, 503),
      },
      handle: async (request) => ({ body: await service.ping(await owned(request)) }),
    }),
    route({
      method: 'POST',
      path: '/api/webhooks/:id/resend',
      body: resendBody,
      reference: {
        ...ofOwner,
        id: 'resendWebhookEvent',
        about: 'Sends one event again now, out of order, and returns the outcome.',
        answer: { schema: attemptSchema },
        refusals: refuses(400, 401, 403, 404, 413, 415, 422, 429, 503),
      },
      async handle(request) {
        const row = await owned(request);
        const { delivery_id } = await request.body();
        return { body: await service.resend(row, delivery_id) };
      },
    }),
    route({
      method: 'POST',
      path: '/api/webhooks/:id/pause',
      reference: {
        ...ofOwner,
        id: 'pauseWebhook',
        about: 'Pauses a subscription until it is resumed. No events are lost.',
        answer: { schema: subscriptionSchema },
        refusals: refuses(401, 403, 404, 422, 429, 503),
      },
      handle: async (request) => ({ body: await service.pause(await owned(request)) }),
    }),
    route({
      method: 'POST',
      path: '/api/webhooks/:id/resume',
      body: resumeBody,
      reference: {
        ...ofOwner,
        id: 'resumeWebhook',
        about: 'Resumes a paused or disabled subscription, or moves an active one, at a point in the log.',
        answer: { schema: subscriptionSchema },
        refusals: refuses(400, 401, 403, 404, 413, 415, 422, 429, 503),
      },
      async handle(request) {
        const row = await owned(request);
        const { from } = await request.body();
        return { body: await service.resume(row, pointOf(from)) };
      },
    }),
    route({
      method: 'POST',
      path: '/api/webhooks/:id/enable',
      body: enableBody,
      reference: {
        ...ofOwner,
        id: 'enableWebhook',
        about: 'Enables a subscription that was disabled after failures, like `resume`.',
        answer: { schema: subscriptionSchema },
        refusals: refuses(400, 401, 403, 404, 413, 415, 422, 429, 503),
      },
      async handle(request) {
        const row = await owned(request);
        const { from } = await request.body();
        return { body: await service.enable(row, from) };
      },
    }),
    route({
      method: 'POST',
      path: '/api/webhooks/:id/rotate',
      body: rotateBody,
      reference: {
        ...ofOwner,
        id: 'rotateWebhookSecret',
        about: 'Gives a subscription a new secret. The old one keeps signing for a while.',
        answer: { schema: rotatedSchema },
        refusals: refuses(400, 401, 403, 404, 413, 415, 422, 429, 503),
      },
      async handle(request) {
        const row = await owned(request);
        const { overlap_seconds } = await request.body();
        return { body: await service.rotate(row, overlap_seconds) };
      },
    }),
  ];
}
