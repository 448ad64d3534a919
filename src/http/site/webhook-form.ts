import { layout } from '../../pages/layout.ts';
import type { Site } from '../../pages/site.ts';
import { subscribedPage, webhooksView } from '../../pages/webhooks/page.ts';
import { checker, faultsText } from '../../platform/schema.ts';
import { type Problem, problem } from '../answer.ts';
import { subscribeBody } from '../api/webhooks/schemas.ts';
import type { WebhookService } from '../api/webhooks/service.ts';
import { type Request, type Route, route } from '../routes.ts';
import { problemOf } from '../transport/errors.ts';
import { freshPage } from './pages.ts';

const check = checker(subscribeBody);

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
          const checked = check(body);
          if (!checked.ok) throw problem(400, `${faultsText(checked.faults)}.`, { errors: checked.faults });
          const subscribed = await service.subscribe(checked.value, request.ip);
          return freshPage(subscribedPage(subscribed, site), 201);
        } catch (error) {
          const { status, message, options } = shownRefusal(error);
          const state = { given, refusal: message, faults: options.errors ?? [] };
          const choices = await service.choices();
          const text = layout(webhooksView(site, choices, state), site);
          return { ...freshPage(text, status), headers: options.headers ?? {} };
        }
      },
    }),
  ];
}

/** @throws the error if it is not a refusal */
export function shownRefusal(error: unknown): Problem {
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
export function refuseCrossSite({ header }: Pick<Request, 'header'>, baseUrl: string): void {
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
