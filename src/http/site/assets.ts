import { join, resolve } from 'node:path';
import { coded, entityTag, weakEntityTag } from '../../answers/coded.ts';
import { authorScripts } from '../../pages/authors/pages.ts';
import { viewerAssets, viewerFolder } from '../../pages/docs/viewer.ts';
import { joinedScript } from '../../pages/joined-script.ts';
import { clientPath } from '../../pages/layout.ts';
import { favicon, faviconIco, icon, iconPath, manifest, manifestPath } from '../../pages/logo.ts';
import { fonts, stylesheet, stylesheetHash, stylesheetPath } from '../../pages/stylesheet.ts';
import { offlinePage, offlinePath } from '../../pages/verify/offline.ts';
import { verifyScriptPath } from '../../pages/verify/page.ts';
import { lazy } from '../../platform/once.ts';
import { type Answer, cacheControl, type Lifetime, problem } from '../answer.ts';
import type { Route } from '../routes.ts';

const day = cacheControl.exactly(86_400);

/** A URL with a content hash is immutable. */
export function assetRoutes(): Route[] {
  const styles = coded(stylesheet);
  return [
    {
      method: 'GET',
      path: stylesheetPath,
      handle({ given: { v } }) {
        const lifetime = v === stylesheetHash ? cacheControl.immutable : cacheControl.exactly(300);
        const key = `${stylesheetPath} ${lifetime}`;
        return { type: 'text/css; charset=utf-8', ...styles, lifetime, key, keep: {} };
      },
    },
    asset('/favicon.svg', 'image/svg+xml', coded(favicon), day),
    asset('/favicon.ico', 'image/x-icon', packed(faviconIco), day),
    asset(iconPath, 'image/png', packed(icon), day),
    asset(manifestPath, 'application/manifest+json', coded(manifest), day),
    ...fonts.map(({ path, contentType, bytes }) =>
      asset(path, contentType, packed(bytes), cacheControl.immutable),
    ),
  ];
}

/** The route of the files of the reference's viewer. They are read at its first request, because few requests want them. */
export function viewerRoute(): Route {
  const files = lazy(
    () =>
      new Map(
        Object.values(viewerAssets()).map(({ path, contentType, bytes }) => [
          path,
          { type: contentType, ...coded(bytes), key: path, keep: {} },
        ]),
      ),
  );
  return {
    method: 'GET',
    path: `${viewerFolder}:file`,
    lifetime: cacheControl.immutable,
    handle({ path }) {
      const found = files().get(path);
      if (found === undefined) throw problem(404, `There is nothing at ${path}.`);
      return found;
    },
  };
}

function asset(
  path: string,
  type: string,
  content: Pick<Answer, 'etag' | 'body'>,
  lifetime: Lifetime,
): Route {
  const answer = { type, ...content, key: path, keep: {} };
  return { method: 'GET', path, lifetime, handle: () => answer };
}

function packed(body: Buffer): Pick<Answer, 'etag' | 'body'> {
  return { etag: weakEntityTag(body), body };
}

const pages = resolve(import.meta.dirname, '..', '..', 'pages');

/** Routes of scripts: one for all pages, and one each for `/verify` and the pages that sign, so that no page makes more than six requests. */
export function scriptRoutes(): Route[] {
  return [
    script(clientPath, 'client.js'),
    script(verifyScriptPath, 'verify/client.js'),
    script(authorScripts.join, 'authors/join.client.js'),
    script(authorScripts.post, 'authors/post.client.js'),
    // Its scope is its folder, and its notifications load the icon.
    script('/sw.js', 'sw.js', { 'Content-Security-Policy': "default-src 'none'; img-src 'self'" }),
    {
      method: 'GET',
      path: offlinePath,
      lifetime: cacheControl.exactly(300),
      handle() {
        const { body, policy } = offlinePage();
        const headers = { 'Content-Security-Policy': policy };
        return { ...tagged(body), type: 'text/html; charset=utf-8', headers, key: offlinePath, keep: {} };
      },
    },
  ];
}

function tagged(body: string): { body: string; etag: string } {
  return { body, etag: entityTag(body) };
}

function script(path: string, file: string, headers: Readonly<Record<string, string>> = {}): Route {
  const made = lazy(() => tagged(joinedScript(join(pages, file))));
  return {
    method: 'GET',
    path,
    lifetime: cacheControl.exactly(300),
    handle: () => ({ type: 'text/javascript; charset=utf-8', ...made(), headers, key: path, keep: {} }),
  };
}
