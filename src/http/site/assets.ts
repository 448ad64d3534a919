import type { GivenParams } from '../../boards/endpoint.ts';
import { type Coded, compressible } from '../../cache/representation.ts';
import { favicon, faviconIco } from '../../pages/logo.ts';
import { fonts, stylesheet, stylesheetHash, stylesheetPath } from '../../pages/stylesheet.ts';
import { cacheControl, type Lifetime } from '../answer.ts';
import type { Route } from '../routes.ts';

/** The styles, fonts and icon of pages. An address that names its content is immutable, any other is kept for five minutes. */
export function assetRoutes(): Route[] {
  return [
    asset(stylesheetPath, 'text/css; charset=utf-8', compressible(stylesheet), stylesheetHash, ({ v }) =>
      v === stylesheetHash ? cacheControl.immutable : cacheControl.exactly(300),
    ),
    asset('/favicon.svg', 'image/svg+xml', compressible(favicon), stylesheetHash, () =>
      cacheControl.exactly(86_400),
    ),
    asset('/favicon.ico', 'image/x-icon', faviconIco, stylesheetHash, () => cacheControl.exactly(86_400)),
    // Font files are compressed already.
    ...fonts.map(({ path, contentType, bytes, hash }) =>
      asset(path, contentType, bytes, hash, () => cacheControl.immutable),
    ),
  ];
}

function asset(
  path: string,
  type: string,
  body: Buffer | Coded,
  hash: string,
  lifetime: (given: GivenParams) => Lifetime,
): Route {
  // Weak, because it names the content in any coding.
  const etag = `W/"${hash}"`;
  return {
    method: 'GET',
    path,
    handle({ given }) {
      const kept = lifetime(given);
      return { type, body, etag, lifetime: kept, key: `${path} ${kept}`, keep: {} };
    },
  };
}
