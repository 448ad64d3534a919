import { iso } from '../../../platform/clock.ts';
import { Field } from '../../../platform/field-schemas.ts';
import { Type } from '../../../platform/type.ts';
import { filterBody } from '../../../webhooks/subscriptions/subscriptions.ts';
import { bodyRefusals, described, type Request, type Route, refusing } from '../../routes.ts';
import { followBody, followedSchema } from './schemas.ts';
import type { WebhookService } from './service.ts';

const refuses = refusing({
  400: 'A field is invalid.',
  401: 'The authentication secret is missing.',
  403: 'The authentication secret is wrong.',
  404: 'This device follows nothing under this ID.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  422: 'The endpoint is refused, the capper, sport, or market is unknown, or a limit is reached.',
  429: 'The limit is 30 an hour. Try again after Retry-After.',
  503: 'The ledger is unavailable. Try again after Retry-After.',
});

/** Declarations shared by the operations on what one device follows. */
const ofDevice = {
  section: 'webhooks',
  params: Type.Object({ id: Type.Integer({ minimum: 1, description: "The subscription's ID." }) }),
  headers: Type.Object({
    'X-Push-Auth': Field.text("The device's authentication secret, as it subscribed."),
  }),
} as const;

/** Routes of notifications on devices (Web Push), which need no account. Answers with secrets must not be cached. */
export function pushRoutes(service: WebhookService): Route[] {
  const owned = ({ params, header }: Request) =>
    service.followed(String(params.id), header('X-Push-Auth').trim().replace(/=+$/, ''));
  return [
    described({
      path: '/api/push',
      id: 'pushKey',
      section: 'webhooks',
      about: 'The public key with which a browser subscribes at its push service (VAPID).',
      answer: { schema: Type.Object({ public_key: Field.text() }), untagged: true },
      examples: [{}],
      handle: () => ({ body: { public_key: service.pushKey } }),
    }),
    described({
      method: 'POST',
      path: '/api/push',
      body: followBody,
      id: 'follow',
      section: 'webhooks',
      about: 'Notifies a device of picks, by Web Push.',
      answer: { status: 201, schema: followedSchema },
      refusals: refuses(...bodyRefusals, 422, 429, 503),
      async handle({ body, ip }) {
        return { status: 201, body: await service.follow(await body(), ip) };
      },
    }),
    described({
      path: '/api/push/:id',
      ...ofDevice,
      id: 'followed',
      about: 'What a device follows. `disabled`: its push service refused five messages in a row.',
      answer: { schema: followedSchema, untagged: true },
      refusals: refuses(401, 403, 404, 503),
      async handle(request) {
        const row = await owned(request);
        const { id, status, created_at } = row;
        return { body: { id, ...filterBody(row.capper_handle, row), status, created_at: iso(created_at) } };
      },
    }),
    described({
      method: 'DELETE',
      path: '/api/push/:id',
      ...ofDevice,
      id: 'unfollow',
      about: 'Stops notifying a device, and deletes its endpoint and keys.',
      answer: { status: 204 },
      refusals: refuses(401, 403, 404, 503),
      async handle(request) {
        await service.unfollow(await owned(request));
        return { status: 204 };
      },
    }),
  ];
}
