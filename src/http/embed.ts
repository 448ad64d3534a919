import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import type { BoardCache } from '../boards/board-cache.ts';
import { capperStats } from '../boards/cappers/stats.ts';
import { NotFound } from '../cache/renderable.ts';
import { widgetScript } from '../embed/widget.ts';
import type { Site } from '../pages/site.ts';
import { LedgerUnavailable } from '../platform/availability.ts';
import { patterns } from '../rules/vocabulary.ts';
import { compressed } from './compressed.ts';
import { noneMatches } from './conditional.ts';
import { preferredCoding } from './encoding.ts';
import { problem } from './errors.ts';
import type { Route } from './routes.ts';

const handles = new RegExp(patterns.handle);

/** Seconds for which the script may be kept; what it shows it fetches itself. */
const lifetime = 3600;

/** What other sites embed. */
export function embedRoutes({ cache, site }: { cache: BoardCache; site: Site }): Route[] {
  return [
    {
      method: 'GET',
      path: '/embed/capper/:handle/widget.js',
      async handle(ctx) {
        const handle = String(ctx.params.handle).toLowerCase();
        if (!handles.test(handle) || !(await isKnown(cache, handle)))
          throw problem(404, `There is no capper ${JSON.stringify(handle)}.`);
        const { baseUrl, helpLine, demo } = site;
        await sendScript(ctx, widgetScript({ origin: baseUrl, handle, helpLine: helpLine.name, demo }));
      },
    },
  ];
}

/** Whether a capper exists. While that cannot be told the script is given anyway: it says itself what it cannot reach. */
async function isKnown(cache: BoardCache, handle: string): Promise<boolean> {
  try {
    await cache.read(capperStats, { handle });
    return true;
  } catch (error) {
    if (error instanceof NotFound) return false;
    if (error instanceof LedgerUnavailable) return true;
    throw error;
  }
}

async function sendScript(ctx: Context, text: string): Promise<void> {
  const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
  ctx.set({
    ETag: etag,
    'Cache-Control': `public, max-age=${lifetime}, stale-while-revalidate=86400`,
    Vary: 'Accept-Encoding',
    // It is made to be loaded by other sites, those that isolate themselves included.
    'Cross-Origin-Resource-Policy': 'cross-origin',
  });
  if (noneMatches(ctx.get('If-None-Match') || undefined, etag)) {
    ctx.status = 304;
    return;
  }
  const coding = preferredCoding(ctx.get('Accept-Encoding') || undefined);
  if (coding !== 'identity') ctx.set('Content-Encoding', coding);
  ctx.body = await compressed(Buffer.from(text), coding);
  ctx.set('Content-Type', 'text/javascript; charset=utf-8');
}
