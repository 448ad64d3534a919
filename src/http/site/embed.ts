import { oddsFormOf } from '../../boards/formats/odds-text.ts';
import { compressible, weakEntityTag } from '../../cache/representation.ts';
import { widgetScript } from '../../embed/widget.ts';
import { logKindOf, type Site } from '../../pages/site.ts';
import { patterns } from '../../rules/vocabulary.ts';
import { problem } from '../answer.ts';
import type { Route } from '../routes.ts';

const handles = new RegExp(patterns.handle);

/**
 * Serves the widget that other sites embed. Caches may keep the script for long, because it fetches its data. An unknown handle gets the
 * script too, so that it can tell the embedding page.
 */
export function embedRoutes({ site }: { site: Site }): Route[] {
  return [
    {
      method: 'GET',
      path: '/embed/capper/:handle/widget.js',
      lifetime: 'public, max-age=3600, stale-while-revalidate=86400',
      handle({ params, search }) {
        const handle = String(params.handle).toLowerCase();
        if (!handles.test(handle)) throw problem(404, `There is no capper ${JSON.stringify(handle)}.`);
        const { baseUrl, helpLine } = site;
        const script = widgetScript({
          origin: baseUrl,
          handle,
          helpLine: helpLine.name,
          logKind: logKindOf(site),
          odds: oddsFormOf(search.get('odds')),
        });
        return {
          type: 'text/javascript; charset=utf-8',
          etag: weakEntityTag(script),
          body: compressible(script),
          // For embedding sites with cross-origin isolation (COEP).
          headers: { 'Cross-Origin-Resource-Policy': 'cross-origin' },
        };
      },
    },
  ];
}
