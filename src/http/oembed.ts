import { Type } from 'typebox';
import type { BoardCache } from '../boards/board-cache.ts';
import { signed } from '../boards/formats/pick-facts.ts';
import { pickBoard } from '../boards/picks/pick.ts';
import { capperPath } from '../pages/parts/capper.ts';
import { checker, faultsText } from '../platform/schema.ts';
import { problem } from './errors.ts';
import type { Route } from './routes.ts';

/** The card's size; a reader that has no room for it gets none. */
const card = { width: 1200, height: 630 };
const lifetime = 300;

const size = Type.Optional(Type.Integer({ minimum: 1 }));
const check = checker(
  Type.Object({ url: Type.String(), format: Type.Optional(Type.String()), maxwidth: size, maxheight: size }),
  { coerce: true },
);

/** `/oembed` (oembed.com, version 1.0): what a permalink of a pick unfolds into, for those who ask before they show a link. */
export function oembedRoute({ cache, baseUrl }: { cache: BoardCache; baseUrl: string }): Route {
  const permalink = `${baseUrl}/p/`;
  return {
    method: 'GET',
    path: '/oembed',
    async handle(ctx) {
      const { url, format, maxwidth, maxheight } = Object.fromEntries(new URLSearchParams(ctx.querystring));
      const checked = check({ url, format, maxwidth, maxheight });
      if (!checked.ok) throw problem(400, `${faultsText(checked.faults)}.`, { errors: checked.faults });
      const wanted = checked.value;
      if ((wanted.format ?? 'json') !== 'json') throw problem(501, 'Only the format json is spoken here.');
      if (!wanted.url.startsWith(permalink))
        throw problem(404, `Only permalinks of picks unfold: ${permalink}<uuid>.`);
      const uuid = wanted.url.slice(permalink.length).replace(/[?#].*$/, '');
      if (!/^[0-9a-f-]{36}$/i.test(uuid)) throw problem(404, `There is no pick at ${wanted.url}.`);
      const pick = await cache.body(pickBoard, { uuid });
      const fits =
        (wanted.maxwidth ?? card.width) >= card.width && (wanted.maxheight ?? card.height) >= card.height;
      ctx.set('Cache-Control', `public, max-age=${lifetime}`);
      ctx.body = JSON.stringify({
        version: '1.0',
        type: 'link',
        title: `${pick.pick} ${signed(pick.oddsAmerican)}, ${pick.game}`,
        author_name: pick.capperHandle,
        author_url: `${baseUrl}${capperPath(pick.capperHandle)}`,
        provider_name: 'Public Picks',
        provider_url: `${baseUrl}/`,
        cache_age: lifetime,
        ...(fits
          ? {
              thumbnail_url: `${permalink}${pick.pickUuid}/card.png`,
              thumbnail_width: card.width,
              thumbnail_height: card.height,
            }
          : {}),
      });
      ctx.set('Content-Type', 'application/json; charset=utf-8');
    },
  };
}
