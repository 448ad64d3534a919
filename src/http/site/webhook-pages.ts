import type { Static } from 'typebox';
import { lifetimes } from '../../boards/endpoint.ts';
import { layout } from '../../pages/layout.ts';
import type { Site } from '../../pages/site.ts';
import { type ManagedView, type Message, managedPage, managePage } from '../../pages/webhooks/manage.ts';
import { subscribedPage, webhooksView } from '../../pages/webhooks/page.ts';
import { checker, faultsText } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { maxOverlapSeconds } from '../../webhooks/subscriptions/manage.ts';
import { type SubscriptionRow, subscriptionBody } from '../../webhooks/subscriptions/subscriptions.ts';
import { type Problem, problem } from '../answer.ts';
import { resumeBody, subscribeBody } from '../api/webhooks/schemas.ts';
import { pointOf, type WebhookService } from '../api/webhooks/service.ts';
import { type Request, type Route, route } from '../routes.ts';
import { problemOf } from '../transport/errors.ts';
import { fixedPage, freshPage } from './pages.ts';

const checkSubscribe = checker(subscribeBody);

export function webhookFormRoutes(service: WebhookService, site: Site): Route[] {
  return [
    route({
      method: 'POST',
      path: '/webhooks',
      page: true,
      async handle(request) {
        refuseCrossSite(request, site.baseUrl);
        const given = await request.form();
        // Browsers send empty fields too.
        const body = Object.fromEntries(
          Object.entries(given)
            .map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value])
            .filter(([, value]) => value !== ''),
        );
        try {
          const checked = checkSubscribe(body);
          if (!checked.ok) throw problem(400, `${faultsText(checked.faults)}.`, { errors: checked.faults });
          const subscribed = await service.subscribe(checked.value, request.ip);
          return freshPage(subscribedPage(subscribed, site), 201);
        } catch (error) {
          const { status, message, errors = [], headers } = shownRefusal(error);
          const state = { given, refusal: message, faults: errors };
          const choices = await service.choices();
          const text = layout(webhooksView(site, choices, state), site);
          return { ...freshPage(text, status), headers };
        }
      },
    }),
  ];
}

const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }));
const checkForm = checker(
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
type Form = Extract<ReturnType<typeof checkForm>, { ok: true }>['value'];
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
          const checked = checkForm(await request.form());
          if (!checked.ok) throw problem(400, `${faultsText(checked.faults)}.`);
          const form = checked.value;
          typed = form.id?.trim() ?? '';
          const row = await service.owned(typed, form.secret?.trim() ?? '');
          return await managed(service, site, row, form);
        } catch (error) {
          const { status, message, headers } = shownRefusal(error);
          const text = layout(managePage({ text: message, refused: true }, typed), site);
          return { ...freshPage(text, status), headers };
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
    headers = refusal.headers;
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

/** @throws the error if it is not a refusal */
function shownRefusal(error: unknown): Problem {
  const refusal = problemOf(error);
  if (refusal.status === 500) throw error;
  return refusal;
}

/**
 * Refuses a form that a browser posts on behalf of another site, like `CrossOriginProtection` in Go's net/http. It checks Sec-Fetch-Site,
 * or Origin in browsers and on connections without it. A client that sends neither is not a browser.
 * @param baseUrl the site's own address, accepted like the requested host
 * @throws Problem 403
 */
function refuseCrossSite({ header }: Pick<Request, 'header'>, baseUrl: string): void {
  const from = header('Sec-Fetch-Site');
  const origin = header('Origin');
  const same =
    from === ''
      ? origin === '' || ownOrigin(origin, header('Host'), baseUrl)
      : /^(same-origin|none)$/.test(from);
  if (!same) throw problem(403, 'The form was sent from another site. Use the form on this page.');
}

function ownOrigin(origin: string, host: string, baseUrl: string): boolean {
  if (origin === new URL(baseUrl).origin) return true;
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}
