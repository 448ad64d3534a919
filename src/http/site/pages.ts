import { coded, compressible } from '../../answers/coded.ts';
import { lifetimes } from '../../boards/endpoint.ts';
import { inOddsForm, oddsFormOf } from '../../boards/formats/odds-text.ts';
import { pages as everyPage } from '../../pages/index.ts';
import { type DataPage, type FixedPage, fixedText } from '../../pages/page.ts';
import type { Site } from '../../pages/site.ts';
import { type Answer, type Lifetime, pageType } from '../answer.ts';
import { type BoardRoutesDeps, endpointRoute } from '../api/boards.ts';
import type { Route } from '../routes.ts';

export interface PageDeps extends BoardRoutesDeps {
  site: Site;
  fixed: readonly FixedPage[];
  /** Pages with ledger data. Default: all. */
  pages?: readonly DataPage[];
}

export function pageRoutes({ fixed, pages = everyPage, site, ...deps }: PageDeps): Route[] {
  return [
    ...fixed.map((page) =>
      fixedPage(page.path, site, () => fixedText(page, site), lifetimes.release, page.policy),
    ),
    ...pages.map((page) => ({ ...endpointRoute(page.on(site), deps), page: true })),
  ];
}

/** A page that is the same for everyone, rendered on its first request, and again once the log's kind is known. */
export function fixedPage(
  path: string,
  site: Site,
  render: () => string,
  lifetime: Lifetime,
  policy?: string,
): Route {
  const made = new Map<string, Answer>();
  return {
    method: 'GET',
    path,
    lifetime,
    page: true,
    handle({ search }) {
      const odds = oddsFormOf(search.get('odds'));
      const { logKind } = site;
      const form = `${odds} ${logKind}`;
      const answer = made.get(form) ?? {
        type: pageType,
        ...coded(inOddsForm(odds, render)),
        ...(policy === undefined ? {} : { headers: { 'Content-Security-Policy': policy } }),
        // Changes once, when the log's kind becomes known.
        ...(logKind === undefined ? {} : { key: `${path}?odds=${odds}`, keep: {} }),
      };
      made.set(form, answer);
      return answer;
    },
  };
}

export function freshPage(text: string, status: number): Answer {
  return { status, type: pageType, body: compressible(text) };
}
