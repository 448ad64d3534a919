import type { Static } from 'typebox';
import { lifetimes } from '../../boards/endpoint.ts';
import { layout } from '../../pages/layout.ts';
import type { Site } from '../../pages/site.ts';
import { type ManagedView, type Message, managedPage, managePage } from '../../pages/webhooks/manage.ts';
import { checker, faultsText } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { maxOverlapSeconds } from '../../webhooks/subscriptions/manage.ts';
import { type SubscriptionRow, subscriptionBody } from '../../webhooks/subscriptions/subscriptions.ts';
import { problem } from '../answer.ts';
import { resumeBody } from '../api/webhooks/schemas.ts';
import { pointOf, type WebhookService } from '../api/webhooks/service.ts';
import { type Route, route } from '../routes.ts';
import { fixedPage, freshPage } from './pages.ts';
import { refuseCrossSite, shownRefusal } from './webhook-form.ts';

const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }));
const check = checker(
  Type.Object({
    id: text(20),
    secret: text(200),
    action: Type.Optional(Type.Enum(['show', 'ping', 'pause', 'resume', 'rotate', 'delete'])),
    /** The `delivery_id` of the attempt to resend. */
    resend: text(100),
    from: Type.Optional(Type.Enum(['cursor', 'head', 'point'])),
    point: text(40),
    leaked: text(3),
    sure: text(3),
  }),
);
type Form = Extract<ReturnType<typeof check>, { ok: true }>['value'];
const checkResume = checker(resumeBody);

const shown = 20;

/** Every request carries the id and secret in its body; neither is stored (docs/rules/webhooks.md#pause-resume-resend). */
export function webhookManageRoutes(service: WebhookService, site: Site): Route[] {
  return [
    fixedPage('/webhooks/manage', site, () => layout(managePage(), site), lifetimes.board),
    route({
      method: 'POST',
      path: '/webhooks/manage',
      page: true,
      async handle(request) {
        refuseCrossSite(request, site.baseUrl);
        let typed = '';
        try {
          const checked = check(await request.form());
          if (!checked.ok) throw problem(400, `${faultsText(checked.faults)}.`);
          const form = checked.value;
          typed = form.id?.trim() ?? '';
          const row = await service.owned(typed, form.secret?.trim() ?? '');
          return await managed(service, site, row, form);
        } catch (error) {
          const { status, message, options } = shownRefusal(error);
          const text = layout(managePage({ text: message, refused: true }, typed), site);
          return { ...freshPage(text, status), headers: options.headers ?? {} };
        }
      },
    }),
  ];
}

async function managed(service: WebhookService, site: Site, row: SubscriptionRow, form: Form) {
  const given = { secret: form.secret?.trim() ?? '', rotated: false };
  let message: Message | undefined;
  let status = 200;
  let headers: Readonly<Record<string, string>> = {};
  try {
    const done = await act(service, row, form);
    if (done?.secret !== undefined) Object.assign(given, { secret: done.secret, rotated: true });
    if (done !== undefined) message = { text: done.text, refused: false };
  } catch (error) {
    const refusal = shownRefusal(error);
    message = { text: refusal.message, refused: true };
    status = refusal.status;
    headers = refusal.options.headers ?? {};
  }
  const now = await service.owned(String(row.id), given.secret);
  const view: ManagedView = {
    subscription: subscriptionBody(now),
    ...given,
    attempts: await service.attempts(now, shown),
  };
  return { ...freshPage(managedPage(view, site, message), status), headers };
}

async function act(
  service: WebhookService,
  row: SubscriptionRow,
  form: Form,
): Promise<{ text: string; secret?: string } | undefined> {
  if (form.resend !== undefined) {
    const { status, error } = await service.resend(row, form.resend);
    return { text: `Resent ${form.resend}: ${answered(status, error)}.` };
  }
  switch (form.action) {
    case 'ping': {
      const { status, error } = await service.ping(row);
      return { text: `Ping sent: ${answered(status, error)}.` };
    }
    case 'pause':
      await service.pause(row);
      return { text: 'Paused. Deliveries stop until you resume. No events are lost.' };
    case 'resume': {
      const { next_seq } = await service.resume(row, pointOf(pointOfForm(form)));
      return { text: `Active. Deliveries continue at log entry ${next_seq} within a minute.` };
    }
    case 'rotate': {
      const { secret } = await service.rotate(row, form.leaked === undefined ? maxOverlapSeconds : 0);
      return { text: 'The secret has been replaced.', secret };
    }
    case 'delete':
      if (form.sure === undefined)
        throw problem(400, 'Check the box above Delete to confirm. Deleting cannot be undone.');
      await service.revoke(row);
      return { text: 'Deleted. No more deliveries will be sent.' };
    default:
      return undefined;
  }
}

/** @throws Problem 400 */
function pointOfForm({ from = 'cursor', point = '' }: Form): Static<typeof resumeBody>['from'] {
  if (from !== 'point') return from;
  const typed = point.trim();
  const checked = checkResume({ from: /^\d+$/.test(typed) ? Number(typed) : typed });
  if (!checked.ok || checked.value.from === 'cursor' || checked.value.from === 'head')
    throw problem(400, 'The point must be a seq or a time such as 2026-01-10T17:05:00Z.');
  return checked.value.from;
}

function answered(status: number | null, error: string | null): string {
  return status === null ? `no answer (${error})` : `answered with ${status}`;
}
