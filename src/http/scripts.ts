import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join, resolve } from 'node:path';
import { entityTag } from '../cache/representation.ts';
import { verifyScriptPath } from '../pages/verify/page.ts';
import { lazy } from '../platform/lazy.ts';
import { cacheControl, problem } from './answer.ts';
import type { Route } from './routes.ts';

const source = resolve(import.meta.dirname, '..');
const proof = join(source, 'proof');

/**
 * What the page `/verify` runs: its own script, and the modules of `src/proof` with their types stripped. The modules import one
 * another by name, so they keep their names.
 */
export function scriptRoutes(): Route[] {
  const modules = new Map(
    readdirSync(proof)
      .filter((name) => name.endsWith('.ts'))
      .map((name) => [
        name,
        lazy(() => tagged(stripTypeScriptTypes(readFileSync(join(proof, name), 'utf8')))),
      ]),
  );
  const client = lazy(() => tagged(readFileSync(join(source, 'pages', 'verify', 'client.js'), 'utf8')));
  return [
    script(verifyScriptPath, () => client),
    script('/assets/proof/:module', ({ module }) => modules.get(module ?? '')),
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
): Route {
  return {
    method: 'GET',
    path,
    lifetime: cacheControl.exactly(300),
    handle(request) {
      const found = find(request.params);
      if (found === undefined) throw problem(404, `There is nothing at ${request.path}.`);
      return { type: 'text/javascript; charset=utf-8', ...found(), key: request.path, keep: {} };
    },
  };
}
