import { stylesheet, stylesheetHash, stylesheetPath } from '../pages/stylesheet.ts';
import { noneMatches } from './conditional.ts';
import type { Route } from './routes.ts';

/** What pages are dressed with. An address that names the content may be kept for ever, any other for five minutes. */
export function assetRoutes(): Route[] {
  const etag = `"${stylesheetHash}"`;
  return [
    {
      method: 'GET',
      path: stylesheetPath,
      handle(ctx) {
        const named = new URLSearchParams(ctx.querystring).get('v') === stylesheetHash;
        ctx.set('Cache-Control', named ? 'public, max-age=31536000, immutable' : 'public, max-age=300');
        ctx.set('ETag', etag);
        if (noneMatches(ctx.get('If-None-Match') || undefined, etag)) {
          ctx.status = 304;
          return;
        }
        ctx.body = stylesheet;
        ctx.set('Content-Type', 'text/css; charset=utf-8');
      },
    },
  ];
}
