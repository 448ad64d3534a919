import type { Site } from '../../pages/site.ts';
import { subscribedPage, webhooksPage } from '../../pages/webhooks/page.ts';
import { LedgerUnavailable } from '../../platform/availability.ts';
import { lifetimes } from '../../platform/lifetimes.ts';
import { checker, faultsText } from '../../platform/schema.ts';
import { Problem, problem } from '../answer.ts';
import { fixedPage, freshPage } from '../pages.ts';
import { type Request, type Route, route } from '../routes.ts';
import { subscribeBody } from './schemas.ts';
import type { WebhookService } from './service.ts';

const check = checker(subscribeBody);

/** `/webhooks`: the page, and what its form is posted to. It works without any script. */
export function webhookPageRoutes(service: WebhookService, site: Site): Route[] {
  return [
    fixedPage('/webhooks', site, () => webhooksPage(site), lifetimes.board),
    route({
      method: 'POST',
      path: '/webhooks',
      page: true,
      async handle(request) {
        refuseCrossSite(request, site.baseUrl);
        const given = await request.form();
        // A field that was left empty was not given.
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
          return { ...freshPage(webhooksPage(site, state), status), headers: options.headers ?? {} };
        }
      },
    }),
  ];
}

function shownRefusal(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (!(error instanceof LedgerUnavailable)) throw error;
  return new Problem(503, 'The ledger is out of reach at the moment: try again in a few seconds.', {
    headers: { 'Retry-After': '5' },
  });
}

/**
 * Refuses a form that a browser posts on behalf of another site, as `CrossOriginProtection` of Go's net/http does: by Sec-Fetch-Site,
 * or, in browsers and on connections without it, by Origin. A client that sends neither is no browser.
 * @param baseUrl the site's own address, beside the one that was asked for
 * @throws Problem 403
 */
function refuseCrossSite({ header }: Pick<Request, 'header'>, baseUrl: string): void {
  const from = header('Sec-Fetch-Site');
  const origin = header('Origin');
  const same =
    from === ''
      ? origin === '' || ownOrigin(origin, header('Host'), baseUrl)
      : /^(same-origin|none)$/.test(from);
  if (!same) throw problem(403, 'The form was posted by another site: subscribe on this one.');
}

function ownOrigin(origin: string, host: string, baseUrl: string): boolean {
  if (origin === new URL(baseUrl).origin) return true;
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}
