import { Basis, type BoardCache } from '../../boards/board-cache.ts';
import { capperStreak } from '../../boards/cappers/streaks.ts';
import { oddsFormOf } from '../../boards/formats/odds-text.ts';
import { NotFound } from '../../cache/renderable.ts';
import { compressible, weakEntityTag } from '../../cache/representation.ts';
import { widgetScript } from '../../embed/widget.ts';
import { logKindOf, type Site } from '../../pages/site.ts';
import { patterns } from '../../rules/vocabulary.ts';
import { problem } from '../answer.ts';
import type { Route } from '../routes.ts';

const handles = new RegExp(patterns.handle);

/**
 * Serves the widget that other sites embed. Caches may keep the script for long, because it fetches its data.
 */
export function embedRoutes({ cache, site }: { cache: BoardCache; site: Site }): Route[] {
  return [
    {
      method: 'GET',
      path: '/embed/capper/:handle/widget.js',
      lifetime: 'public, max-age=3600, stale-while-revalidate=86400',
      async handle({ params, search }) {
        const handle = String(params.handle).toLowerCase();
        if (!handles.test(handle)) throw problem(404, `There is no capper ${JSON.stringify(handle)}.`);
        // While the ledger is out of reach, the script is served for any handle: it says so itself.
        await cache.body(capperStreak, { handle }, new Basis()).catch((error: unknown) => {
          if (error instanceof NotFound) throw error;
        });
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
