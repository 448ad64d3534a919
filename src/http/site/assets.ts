import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join, resolve } from 'node:path';
import { coded, entityTag, weakEntityTag } from '../../answers/coded.ts';
import { authorScripts } from '../../pages/authors/pages.ts';
import { viewerAssets, viewerFolder } from '../../pages/docs/viewer.ts';
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

const source = resolve(import.meta.dirname, '..', '..');
const proof = join(source, 'proof');

/** The modules of `src/rules` with which `/post` reads what is typed there, and those that they import. */
const typedNumbers = ['typed-numbers', 'odds-format', 'odds', 'rounding', 'written-numbers'];

/**
 * Routes of scripts: one for all pages, so that no page makes more than six requests. `/verify` and the pages that sign also load the
 * modules of `src/proof`, stripped of types, and `/post` some of `src/rules`. Modules import each other by name, so they keep their names.
 */
export function scriptRoutes(): Route[] {
  const modulesOf = (folder: string, names: readonly string[]) =>
    new Map(
      names.map((name) => [
        name,
        lazy(() => tagged(stripTypeScriptTypes(readFileSync(join(folder, name), 'utf8')))),
      ]),
    );
  const proofs = modulesOf(
    proof,
    readdirSync(proof).filter((name) => name.endsWith('.ts')),
  );
  const rules = modulesOf(
    join(source, 'rules'),
    typedNumbers.map((name) => `${name}.ts`),
  );
  const client = (path: string, file: string, headers?: Readonly<Record<string, string>>) => {
    const made = lazy(() => tagged(readFileSync(join(source, 'pages', file), 'utf8')));
    return script(path, () => made, headers);
  };
  return [
    client(clientPath, 'client.js'),
    client(verifyScriptPath, 'verify/client.js'),
    // Its scope is its folder, and its notifications load the icon.
    client('/sw.js', 'sw.js', { 'Content-Security-Policy': "default-src 'none'; img-src 'self'" }),
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
    ...(['key', 'join', 'post'] as const).map((name) =>
      client(authorScripts[name], `authors/${name}.client.js`),
    ),
    script('/assets/proof/:module', ({ module }) => proofs.get(module ?? '')),
    script('/assets/rules/:module', ({ module }) => rules.get(module ?? '')),
  ];
}

interface Script {
  body: string;
  etag: string;
}

function tagged(body: string): Script {
  return { body, etag: entityTag(body) };
}

function script(
  path: string,
  find: (params: Readonly<Record<string, string>>) => (() => Script) | undefined,
  headers: Readonly<Record<string, string>> = {},
): Route {
  return {
    method: 'GET',
    path,
    lifetime: cacheControl.exactly(300),
    handle(request) {
      const found = find(request.params);
      if (found === undefined) throw problem(404, `There is nothing at ${request.path}.`);
      return { type: 'text/javascript; charset=utf-8', ...found(), headers, key: request.path, keep: {} };
    },
  };
}
