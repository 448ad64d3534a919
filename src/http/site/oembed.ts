import type { Answers } from '../../answers/answers.ts';
import { coded } from '../../answers/coded.ts';
import { capperStreak } from '../../boards/cappers/streaks.ts';
import { lifetimes, NotFound } from '../../boards/endpoint.ts';
import { oddsFormOf, oddsText } from '../../boards/formats/odds-text.ts';
import { selectionText } from '../../boards/formats/pick-text.ts';
import { pickBoard } from '../../boards/picks/pick.ts';
import { widgetScript } from '../../embed/widget.ts';
import { capperPath } from '../../pages/parts/capper.ts';
import { logKindOf, type Site } from '../../pages/site.ts';
import { Field } from '../../platform/field-schemas.ts';
import { checker, faultsText } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { cacheControl, nameIn, problem } from '../answer.ts';
import { described, type Route } from '../routes.ts';

/** Size of the card in pixels. A client with less room gets no card. */
const card = { width: 1200, height: 630 };
const lifetime = lifetimes.board;

const size = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, must: 'a number of pixels, given once', description }));
const query = Type.Object({
  url: Type.String({ must: 'the permalink of a pick, given once', description: 'The permalink of a pick.' }),
  format: Type.Optional(
    Type.String({ must: 'given once', description: 'Only `json` is supported. Default: `json`.' }),
  ),
  maxwidth: size('The card is omitted if it is wider.'),
  maxheight: size('The card is omitted if it is taller.'),
});
const check = checker(query, { coerce: true });

const link = Type.Object(
  {
    version: Type.Literal('1.0'),
    type: Type.Literal('link'),
    title: Field.text(),
    author_name: Field.text(),
    author_url: Field.uri(),
    provider_name: Field.text(),
    provider_url: Field.uri(),
    cache_age: Field.integer(),
    thumbnail_url: Type.Optional(Field.uri()),
    thumbnail_width: Type.Optional(Field.integer()),
    thumbnail_height: Type.Optional(Field.integer()),
  },
  { title: 'Link' },
);

/** oembed.com, version 1.0. */
export function oembedRoute({ answers, baseUrl }: { answers: Answers; baseUrl: string }): Route {
  const permalink = `${baseUrl}/p/`;
  return described({
    path: '/oembed',
    lifetime: cacheControl.exactly(lifetime),
    query,
    id: 'getLink',
    section: 'record',
    about: 'oEmbed 1.0 for the permalink of a pick.',
    answer: { schema: link, untagged: true },
    refusals: {
      400: 'A parameter is invalid.',
      404: 'The URL is not the permalink of a pick.',
      501: 'The format is not JSON.',
      503: 'The ledger is unavailable. Try again after Retry-After.',
    },
    examples: [{ url: `${permalink}{uuid}` }],
    async handle({ given }) {
      const { url, format, maxwidth, maxheight } = given;
      const checked = check({ url, format, maxwidth, maxheight });
      if (!checked.ok) throw problem(400, `${faultsText(checked.faults)}.`, { errors: checked.faults });
      const wanted = checked.value;
      if ((wanted.format ?? 'json') !== 'json') throw problem(501, 'The only format is json.');
      if (!wanted.url.startsWith(permalink))
        throw problem(404, `Only permalinks of picks are supported: ${permalink}<uuid>.`);
      const uuid = wanted.url.slice(permalink.length).replace(/[?#].*$/, '');
      if (!/^[0-9a-f-]{36}$/i.test(uuid)) throw problem(404, `There is no pick at ${wanted.url}.`);
      const pick = await answers.body(pickBoard, { uuid });
      const fits =
        (wanted.maxwidth ?? card.width) >= card.width && (wanted.maxheight ?? card.height) >= card.height;
      const body = {
        version: '1.0',
        type: 'link',
        title: `${selectionText(pick)} ${oddsText(pick.oddsAmerican)}, ${pick.game}`,
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
      };
      return { body };
    },
  });
}

/** Serves the widget that other sites embed. Caches may keep the script for long, because it fetches its data. */
export function embedRoutes({ answers, site }: { answers: Answers; site: Site }): Route[] {
  return [
    {
      method: 'GET',
      path: '/embed/capper/:handle/widget.js',
      lifetime: 'public, max-age=3600, stale-while-revalidate=86400',
      async handle({ params, search }) {
        const handle = nameIn(params.handle, 'capper');
        // While the ledger is out of reach, the script is served for any handle: it says so itself.
        await answers.body(capperStreak, { handle }).catch((error: unknown) => {
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
          ...coded(script),
          // For embedding sites with cross-origin isolation (COEP).
          headers: { 'Cross-Origin-Resource-Policy': 'cross-origin' },
        };
      },
    },
  ];
}
