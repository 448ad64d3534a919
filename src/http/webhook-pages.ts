import type { Site } from '../pages/site.ts';
import { subscribedPage, webhooksPage } from '../pages/webhooks/page.ts';
import { LedgerUnavailable } from '../platform/availability.ts';
import { Problem } from './errors.ts';
import { sendPage } from './pages.ts';
import type { Route } from './routes.ts';
import { subscribed, type WebhookDesk } from './webhook-desk.ts';
import { readForm } from './webhook-requests.ts';

/** `/webhooks`: the page, and what its form is posted to. It works without any script. */
export function webhookPageRoutes(desk: WebhookDesk, site: Site): Route[] {
  const page = webhooksPage(site);
  return [
    { method: 'GET', path: '/webhooks', handle: (ctx) => sendPage(ctx, page, { lifetime: 300 }) },
    {
      method: 'POST',
      path: '/webhooks',
      async handle(ctx) {
        const given = await readForm(ctx);
        // A field that was left empty was not given.
        const body = Object.fromEntries(
          Object.entries(given)
            .map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value])
            .filter(([, value]) => value !== ''),
        );
        try {
          const answer = await subscribed(desk, ctx, body);
          await sendPage(ctx, subscribedPage(answer, site), { status: 201 });
        } catch (error) {
          const { status, message, options } = shownRefusal(error);
          for (const [name, value] of Object.entries(options.headers ?? {})) ctx.set(name, value);
          const state = { given, refusal: message, faults: options.errors ?? [] };
          await sendPage(ctx, webhooksPage(site, state), { status });
        }
      },
    },
  ];
}

function shownRefusal(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (!(error instanceof LedgerUnavailable)) throw error;
  return new Problem(503, 'The ledger is out of reach at the moment: try again in a few seconds.', {
    headers: { 'Retry-After': '5' },
  });
}
